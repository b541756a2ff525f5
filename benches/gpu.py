#!/usr/bin/env python3
"""How fast nets are judged and learnt on a GPU: this program against PyTorch, in turns on the same device.

    pip install torch
    cargo build --release --features wgpu
    python benches/gpu.py --out gpu.json

PyTorch gets the same nets, built from the weights that `sanki bench net --export` writes: a tower as 3x3 convolutions in
`channels_last`, a sparse net with `embedding_bag`; its optimizer is the fused AdamW, its gradient is clipped, and its half
precision is fp16 for judging and `autocast` to bf16 for learning. It runs as written, without `torch.compile`. Positions are
made up: 30 pieces and 40 moves each. What is timed begins with a position's features in the memory of the processor and
ends with logits and probabilities there; a step of learning begins the same way.

Measurements are made in the order of what they are worth; `--budget` ends them after so many seconds. Without a GPU all of
it runs on the processor, slowly, for a look at whether it works.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn
from torch.nn import functional

SANKI = pathlib.Path(__file__).parents[1] / "target" / "release" / "sanki"
GAME = "xiangqi"
PIECES, MOVES = 30, 40
LEARNING_RATE, CLIP = 1e-4, 3.0
TASKS = [
    # What is done, the net, positions a batch, precision.
    ("train", "sparse-256-attacks", 1024, "fp32"),
    ("net", "10x128", 1024, "fp16"),
    ("net", "10x128", 1024, "fp32"),
    ("train", "10x128", 256, "fp32"),
    ("train", "sparse-1024-attacks", 1024, "fp32"),
    ("net", "4x32", 1024, "fp32"),
    ("net", "20x256", 1024, "fp16"),
    ("train", "20x256", 256, "fp32"),
    ("net", "6x64", 1024, "fp16"),
    ("net", "10x128", 256, "fp16"),
    ("train", "10x128", 1024, "fp32"),
    ("train", "4x32", 1024, "fp32"),
    ("train", "sparse-256-attacks", 16384, "fp32"),
    ("train", "sparse-1024-attacks", 16384, "fp32"),
    ("train", "10x128", 256, "half"),
    ("net", "4x32", 1024, "fp16"),
    ("net", "6x64", 1024, "fp32"),
    ("net", "20x256", 1024, "fp32"),
    ("train", "6x64", 1024, "fp32"),
    ("train", "20x256", 1024, "fp32"),
    ("net", "4x32", 256, "fp32"),
    ("net", "6x64", 256, "fp32"),
    ("net", "10x128", 256, "fp32"),
    ("net", "20x256", 256, "fp16"),
    ("train", "4x32", 256, "fp32"),
    ("train", "6x64", 256, "fp32"),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sanki", default=SANKI, type=pathlib.Path, help="the program [default: the release build]")
    parser.add_argument("--backend", default="wgpu", help="what computes in the program")
    parser.add_argument("--threads", default=2, type=int, help="threads of the program, each with a batch of its own")
    parser.add_argument("--seconds", default=3.0, type=float, help="of each measurement")
    parser.add_argument("--budget", default=3600.0, type=float, help="seconds after which no measurement is begun")
    parser.add_argument("--only", default="", help="only tasks whose line holds this text")
    parser.add_argument("--out", type=pathlib.Path, help="also write the results as JSON")
    return parser.parse_args()


class Tower(nn.Module):
    """A residual tower with the names of the exported tensors, dots as `__`."""

    def __init__(self, tensors, sizes, board):
        super().__init__()
        self.board = board
        for name, tensor in tensors.items():
            if name.endswith("first.weight") or name.endswith("second.weight") or name == "stem.weight":
                rows, outputs = tensor.shape
                tensor = tensor.reshape(3, 3, rows // 9, outputs).permute(3, 2, 0, 1).contiguous()
            self.register_parameter(name.replace(".", "__"), nn.Parameter(tensor))
        self.blocks = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("blocks."))
        self.folded = None

    def get(self, name):
        return getattr(self, name.replace(".", "__"))

    def weight(self, name):
        if self.folded is not None:
            return self.folded[name]
        weight = self.get(f"{name}.weight")
        centred = weight - weight.mean((1, 2, 3), keepdim=True)
        norm = (centred.square().sum((1, 2, 3), keepdim=True) + 1e-4).sqrt()
        return centred * (self.get(f"{name}.gain").reshape(-1, 1, 1, 1) / norm)

    def fold(self, dtype):
        names = [f"blocks.{i}.{part}" for i in range(self.blocks) for part in ("first", "second")]
        folded = {name: self.weight(name).to(dtype).contiguous(memory_format=torch.channels_last) for name in names}
        self.to(dtype)
        self.folded = folded

    def affine(self, x, weight, bias):
        return x @ self.get(weight) + self.get(bias)

    def forward(self, planes, scalars):
        def pool(x):
            return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)

        def beside(bias):
            return bias[:, :, None, None]

        bias = self.affine(scalars, "stem.scalars", "stem.bias")
        x = functional.relu(functional.conv2d(planes, self.get("stem.weight"), padding=1) + beside(bias))
        for i in range(self.blocks):
            bias = self.affine(pool(x), f"blocks.{i}.pool", f"blocks.{i}.first.bias")
            y = functional.relu(functional.conv2d(x, self.weight(f"blocks.{i}.first"), padding=1) + beside(bias))
            second = functional.conv2d(y, self.weight(f"blocks.{i}.second"), self.get(f"blocks.{i}.second.bias"), padding=1)
            x = functional.relu(x + second)
        rows = x.permute(0, 2, 3, 1).flatten(1, 2)
        hidden = functional.relu(rows @ self.get("policy.squares") + self.affine(pool(x), "policy.pool", "policy.bias")[:, None])
        heads = [(hidden @ self.get(f"policy.{head}").T + self.get(f"policy.{head}_bias")).transpose(1, 2).flatten(1)
                 for head in (("moves", "replies") if self.training else ("moves",))]
        v = functional.relu(self.affine(rows, "value.squares", "value.squares_bias"))
        v = functional.relu(self.affine(torch.cat([v.mean(1), v.amax(1)], 1), "value.hidden", "value.hidden_bias"))
        return heads, self.affine(v, "value.wdl", "value.wdl_bias"), self.affine(v, "value.moves_left", "value.moves_left_bias")


class Sparse(nn.Module):
    """A sparse net, of features as rows of tables."""

    def __init__(self, tensors, sizes, board):
        super().__init__()
        self.squares = board[0] * board[1]
        for name, tensor in tensors.items():
            self.register_parameter(name.replace(".", "__"), nn.Parameter(tensor))

    def get(self, name):
        return getattr(self, name.replace(".", "__"))

    def logits(self, head, gate, moves):
        table = self.get(f"{head}.moves").reshape(-1, self.squares, gate.shape[1])
        table = table + self.get(f"{head}.planes")[:, None] + self.get(f"{head}.squares")[None]
        rows = functional.embedding(moves, table.flatten(0, 1))
        return (rows * gate[:, None]).sum(2) + functional.embedding(moves, self.get(f"{head}.bias")[:, None]).squeeze(2)

    def forward(self, rows, scalars, moves):
        tables = self.get("accumulators.features")
        sums = functional.embedding_bag(rows, tables, mode="sum")
        sums = sums + functional.embedding_bag(rows // self.squares, self.get("accumulators.planes"), mode="sum")
        squares = self.get("accumulators.squares")
        sums = sums + functional.embedding_bag(rows % len(squares), squares, mode="sum")
        sums = sums + scalars @ self.get("accumulators.scalars") + self.get("accumulators.bias")
        a, b, c, d = sums.chunk(4, 1)
        policy, value = functional.relu(a) * b, functional.relu(c) * d
        x = functional.relu(value @ self.get("value.hidden") + self.get("value.hidden_bias"))
        wdl = x @ self.get("value.wdl") + self.get("value.wdl_bias")
        left = x @ self.get("value.moves_left") + self.get("value.moves_left_bias")
        return [self.logits(head, policy, moves) for head in ("policy", "replies")], wdl, left


def export(args, net, folder):
    """The weights of a new net, by name, with its sizes and board."""
    file = folder / f"{net}.safetensors"
    if not file.exists():
        command = [args.sanki, "bench", "net", "--game", GAME, "--net", net, "--batch", "1", "--seconds", "0.01"]
        run([*command, "--export", file, "--force"])
    # safetensors: the length of a header in JSON, the header, and the numbers.
    data = bytearray(file.read_bytes())
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    sizes = json.loads(header.pop("__metadata__")["sanki"])["sizes"]
    tensors = {}
    for name, spec in header.items():
        first, last = spec["data_offsets"]
        numbers = torch.frombuffer(data, dtype=torch.float32, offset=begin + first, count=(last - first) // 4)
        tensors[name] = numbers.reshape(spec["shape"]).clone()
    return tensors, sizes, (10, 9)


def run(command, limit=120):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=limit)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode().strip().splitlines()[-1:] or done.returncode)
    return done.stdout


def rate(step, batch, seconds, device):
    """Positions a second of `step`, after three that are not counted."""
    def finish():
        if device.type == "cuda":
            torch.cuda.synchronize()

    for _ in range(3):
        step()
    finish()
    begin, count = time.perf_counter(), 0
    while True:
        for _ in range(4 if device.type == "cuda" else 1):
            step()
            count += batch
        finish()
        elapsed = time.perf_counter() - begin
        if elapsed >= seconds:
            return count / elapsed


def losses(heads, wdl, left, targets):
    policy = functional.cross_entropy(heads[0].float(), targets["weights"])
    reply = functional.cross_entropy(heads[1].float(), targets["weights"])
    value = functional.cross_entropy(wdl.float(), targets["wdl"])
    return policy + value + 0.15 * reply + 0.1 * functional.huber_loss(left.float().squeeze(1), targets["left"])


def positions(sizes, board, batch, pinned):
    """Made-up positions in the processor's memory."""
    torch.manual_seed(1)
    squares = board[0] * board[1]

    def drawn(most, count):
        return torch.rand(batch, most).argsort(1)[:, :count]

    places = drawn(squares, PIECES)
    planes = torch.randint(sizes["planes"], places.shape)
    status = torch.randint(4, places.shape)
    given = {
        "cells": planes * squares + places,
        "rows": (status * sizes["planes"] + planes) * squares + places,
        "scalars": torch.rand(batch, sizes["scalars"]),
        "moves": drawn(sizes["move_planes"] * squares, MOVES),
        "weights": torch.rand(batch, MOVES).softmax(1),
        "wdl": torch.rand(batch, 3).softmax(1),
        "left": torch.ones(batch),
    }
    return {name: tensor.pin_memory() if pinned else tensor for name, tensor in given.items()}


def with_torch(task, tensors, sizes, board, seconds, device):
    """Positions a second of PyTorch."""
    what, net, batch, precision = task
    sparse = net.startswith("sparse")
    model = (Sparse if sparse else Tower)(tensors, sizes, board).to(device)
    given = positions(sizes, board, batch, device.type == "cuda")
    cells = sizes["planes"] * board[0] * board[1]
    dtype = torch.float16 if precision == "fp16" else torch.float32

    def inputs():
        moved = {name: tensor.to(device, non_blocking=True) for name, tensor in given.items()}
        if sparse:
            return moved, (moved["rows"], moved["scalars"], moved["moves"])
        planes = torch.zeros(batch, cells, device=device, dtype=dtype).scatter_(1, moved["cells"], 1.0)
        planes = planes.reshape(batch, sizes["planes"], *board).contiguous(memory_format=torch.channels_last)
        return moved, (planes, moved["scalars"].to(dtype))

    def picked(heads, moves):
        return heads if sparse else [head.gather(1, moves) for head in heads]

    if what == "net":
        model.eval()
        with torch.inference_mode():
            model.fold(dtype)

            def judge():
                moved, tensors = inputs()
                heads, wdl, _ = model(*tensors)
                return picked(heads, moved["moves"])[0].float().cpu(), wdl.float().softmax(1).cpu()

            return rate(judge, batch, seconds, device)
    model.train()
    if not sparse:
        model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)

    def step():
        moved, tensors = inputs()
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == "half"):
            heads, wdl, left = model(*tensors)
            loss = losses(picked(heads, moved["moves"]), wdl, left, moved)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()

    return rate(step, batch, seconds, device)


def with_sanki(args, task):
    """Positions a second of this program."""
    what, net, batch, precision = task
    command = [args.sanki, "bench", what, "--game", GAME, "--net", net, "--backend", args.backend, "--batch", batch]
    command += ["--seconds", args.seconds, "--threads", args.threads, "--json"]
    if what == "net":
        return json.loads(run([*command, "--precision", precision]))["evals_per_s"]
    if precision != "fp32":
        raise RuntimeError("it learns in fp32 only")
    return json.loads(run([*command, *([] if net.startswith("sparse") else ["--shard", batch])]))["steps_alone_per_s"]


def attempt(measure, *given):
    """What `measure` gives, or why it gives nothing."""
    try:
        return measure(*given), None
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return None, str(error)[:300]


def main():
    args = arguments()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    name = torch.cuda.get_device_name() if device.type == "cuda" else "the processor"
    print(f"PyTorch {torch.__version__} on {name}", file=sys.stderr)
    # Single precision is single precision: no TF32.
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    begin, results, left_out = time.monotonic(), [], []
    print(f"{'':6}{'net':22}{'batch':>6} {'precision':10}{'sanki/s':>12}{'PyTorch/s':>12}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            if args.only not in " ".join(map(str, task)):
                continue
            if time.monotonic() - begin > args.budget:
                left_out.append(task)
                continue
            nets = attempt(export, args, task[1], pathlib.Path(folder))
            if nets[0] is None:
                sys.exit(f"{task[1]}: no weights: {nets[1]}")
            ours, why = attempt(with_sanki, args, task)
            theirs, their_why = attempt(with_torch, task, *nets[0], args.seconds, device)
            if device.type == "cuda":
                torch.cuda.empty_cache()
            ratio = ours / theirs if ours and theirs else None
            results.append(dict(zip(("what", "net", "batch", "precision"), task), sanki=ours, torch=theirs, ratio=ratio,
                                why=why, torch_why=their_why))
            shown = [f"{rate:12,.0f}" if rate else f"{'-':>12}" for rate in (ours, theirs)]
            last = f"{ratio:8.2f}" if ratio else f"{'-':>8}"
            print(f"{task[0]:6}{task[1]:22}{task[2]:6} {task[3]:10}{''.join(shown)}{last}", flush=True)
            for reason in filter(None, (why, their_why)):
                print(f"      {reason}")
            if args.out:
                args.out.write_text(json.dumps({"device": name, "torch": torch.__version__, "results": results}, indent=1))
    for task in left_out:
        print("left out:", *task)


if __name__ == "__main__":
    main()
