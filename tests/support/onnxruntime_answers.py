"""Asks an exported net in onnxruntime what we have asked it, and says how far the answers are apart.

    python tests/support/onnxruntime_answers.py MODEL.onnx ANSWERS.json

ANSWERS.json is a list of positions: "active" (pairs of plane and square) and "scalars", the inputs; "moves" (policy
indices), their "logits", and "wdl", our answers. The model has to pass onnx's checker, shapes included. Every position
is asked in a batch and alone. Prints one JSON object: the largest differences, and how much our answers vary.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime

BATCH = 16


def inputs(session, positions):
    shapes = {value.name: value.shape[1:] for value in session.get_inputs()}
    count = len(positions)
    planes = np.zeros((count, *shapes["planes"]), np.float32)
    squares = planes.reshape(count, shapes["planes"][0], -1)
    for number, position in enumerate(positions):
        for plane, square in position["active"]:
            squares[number, plane, square] = 1
    scalars = np.array([position["scalars"] for position in positions], np.float32)
    return {"planes": planes, "scalars": scalars.reshape(count, *shapes["scalars"])}


def errors(session, positions):
    """The largest differences of the logits and of the values."""
    policy, wdl = session.run(["policy", "wdl"], inputs(session, positions))
    if not np.allclose(wdl.sum(axis=1), 1, atol=1e-5):
        sys.exit("wdl are no probabilities")
    logit_error = max(
        np.abs(row[position["moves"]] - position["logits"]).max() for row, position in zip(policy, positions)
    )
    wdl_error = np.abs(wdl - [position["wdl"] for position in positions]).max()
    return logit_error, wdl_error


def main(model, answers):
    onnx.checker.check_model(onnx.load(model), full_check=True)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    with open(answers, encoding="utf-8") as file:
        positions = json.load(file)
    batches = [positions[at : at + BATCH] for at in range(0, len(positions), BATCH)]
    batches += [[position] for position in positions]
    logit_error, wdl_error = np.max([errors(session, batch) for batch in batches], axis=0)
    wdl = np.array([position["wdl"] for position in positions])
    comparison = {
        "positions": len(positions),
        "logit_error": float(logit_error),
        "wdl_error": float(wdl_error),
        "logit_spread": float(max(np.ptp(position["logits"]) for position in positions)),
        "wdl_spread": float(np.ptp(wdl, axis=0).max()),
        "metadata": session.get_modelmeta().custom_metadata_map,
    }
    print(json.dumps(comparison))


if __name__ == "__main__":
    main(*sys.argv[1:])
