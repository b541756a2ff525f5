"""Plays a game with an exported net, both sides, each time the move that the net likes best:

    pip install numpy onnxruntime
    sanki export RUN --format onnx -o net.onnx
    python docs/play_onnx.py net.onnx

`sanki` has to be on the path. Prints the moves and the result. docs/nets.md explains the inputs and outputs.
"""

import json
import subprocess
import sys

import numpy as np
import onnxruntime

net = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
about = net.get_modelmeta().custom_metadata_map
shape, statuses = json.loads(about["shape"]), int(about["statuses"])
show = ["sanki", "show", "--stdin", "--features"]
sanki = subprocess.Popen(show, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

moves = []
while True:
    request = {"game": about["game"], "rules": about["rules"], "moves": moves}
    print(json.dumps(request), file=sanki.stdin, flush=True)
    position = json.loads(sanki.stdout.readline())
    if position["outcome"]:
        break
    features = position["features"]
    planes = np.zeros((statuses, shape["planes"], shape["ranks"] * shape["files"]), np.float32)
    for feature in features["active"]:
        planes[feature["status"] % statuses, feature["plane"], feature["square"]] = 1
    planes = planes.reshape(1, statuses * shape["planes"], shape["ranks"], shape["files"])
    scalars = np.array([features["scalars"]], np.float32)
    [[policy]] = net.run(["policy"], {"planes": planes, "scalars": scalars})
    moves.append(max(features["moves"], key=lambda move: policy[features["moves"][move]]))
print(*moves)
print(position["outcome"]["result"], "by", position["outcome"]["reason"])
