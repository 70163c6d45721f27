"""Tensors of the networks in the lessons, from PyTorch 1.13 in float64: network_lessons.json, by the name of a step."""

import json
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def network(x, layers, dy=None):
    """All outputs and gradients. dy: at the end; None: all ones."""
    tensors = [torch.tensor(x, requires_grad=True)]
    for kind, *arguments in layers:
        plane = tensors[-1][None, None]
        if kind == "conv":
            w, b, *padding = arguments
            y = F.conv2d(plane, torch.tensor(w)[None, None], torch.tensor([b]), padding=tuple(padding) or 0)
        elif kind == "conv_transpose":
            w, options = arguments
            y = F.conv_transpose2d(plane, torch.tensor(w)[None, None], **options)
        elif kind == "relu":
            y = F.relu(plane)
        elif kind == "max_pool":
            y = F.max_pool2d(plane, *arguments)
        else:
            y = F.avg_pool2d(plane, *arguments)
        tensors.append(y[0, 0])
    for tensor in tensors[1:]:
        tensor.retain_grad()
    end = tensors[-1]
    end.backward(torch.ones_like(end) if dy is None else torch.tensor(dy))
    names = ["x"] + [f"y{i}" for i in range(1, len(tensors))]
    return {name: t.tolist() for name, t in zip(names, tensors)} | {
        f"d{name}": t.grad.tolist() for name, t in zip(names, tensors)
    }


def ramp(size):
    return torch.arange(float(size * size)).reshape(size, size).tolist()


ONES = torch.ones(3, 3).tolist()
GATES = [[4.0, -3.0, 2.0], [-1.0, 0.0, 5.0], [-6.0, 7.0, -2.0]]
GATES_DY = [[10.0, 20.0, -30.0], [40.0, 50.0, -60.0], [70.0, 80.0, -90.0]]
POOL = [[1.0, 5.0, 2.0, 8.0], [3.0, 5.0, 0.0, 1.0], [7.0, 0.0, 4.0, 3.0], [2.0, 6.0, 9.0, 4.0]]
POOL_DY = [[12.0, 20.0], [28.0, 36.0]]
COPY = ("conv", [[1.0]], 0.0)

DOWN = [[9.0, 8.0, 7.0], [6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]


def stamped(*options, w=DOWN):
    return network(ramp(2), [COPY, ("conv_transpose", w, dict(zip(("stride", "padding", "output_padding"), options)))])


def even(*layers, w=1.0):
    return network(ONES, [("conv", [[w]], 0.0), *layers])


chain = network(
    ramp(4), [("conv", [[4.0, 3.0], [2.0, 1.0]], 0.0), ("conv", [[1.0, 2.0], [3.0, 4.0]], 0.0)], [[1.0, 2.0], [3.0, 4.0]]
)
relu = {b: network(GATES, [("conv", [[1.0]], b), ("relu",)], GATES_DY) for b in (0.0, -3.0, -9.0)}
half, twice = (network(torch.ones(2, 2).tolist(), [("conv", [[w]], 1 - w)] * 4) for w in (0.5, 2.0))
# The weights are 1/3 in float32, as in the link.
SIGNS = ["--+-+-+++", "-+----+++", "+-+---+++", "+++++--+-"]
SIGNS_DY = ["+-+++", "--+-+", "++-+-", "-++-+", "-+-+-"]
signed = {"+": 1.0, "-": -1.0}
third = torch.tensor(1 / 3, dtype=torch.float32).item()
thirds = network(
    torch.ones(5, 5).tolist(),
    [("conv", [[signed[s] * third for s in signs[p : p + 3]] for p in (0, 3, 6)], 0.0, 1) for signs in SIGNS],
    [[signed[s] for s in row] for row in SIGNS_DY],
)
steps = {
    **{f"chain-rule.{i}": chain for i in range(1, 6)},
    "relu.1": network(GATES, [("conv", [[1.0]], 2.0), ("relu",)]),
    "relu.2": relu[0.0],
    "relu.3": relu[-3.0],
    "relu.4": relu[0.0],
    "relu.5": relu[-9.0],
    "pooling.1": network(POOL, [COPY, ("max_pool", 2)]),
    "pooling.2": network(POOL, [COPY, ("max_pool", 2)], [[11.0, 13.0], [17.0, 19.0]]),
    "pooling.3": network(POOL, [COPY, ("max_pool", 2)], POOL_DY),
    "pooling.4": network(POOL, [COPY, ("average_pool", 2)], POOL_DY),
    "pooling.5": network(POOL, [COPY, ("max_pool", 2, 1)], [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0], [70.0, 80.0, 90.0]]),
    "transposed-sizes.1": stamped(2),
    "transposed-sizes.2": stamped(2, 1),
    "transposed-sizes.3": stamped(2, 1, 1),
    "transposed-sizes.4": stamped(2, 1, 1, w=ramp(3)),
    "checkerboard.1": even(("conv_transpose", ONES, {"stride": 2})),
    "checkerboard.2": even(("conv_transpose", torch.ones(4, 4).tolist(), {"stride": 2, "padding": 1}), w=5.0),
    "checkerboard.3": even(("conv_transpose", torch.ones(2, 2).tolist(), {"stride": 2}), ("conv", ONES, 0.0)),
    "receptive.1": network(ramp(6), [("conv", ONES, 0.0)] * 2),
    "receptive.2": network(ramp(7), [("conv", ONES, 0.0)] * 3),
    "receptive.3": network(ramp(6), [("conv", ONES, 0.0)] * 2),
    "receptive.4": network(ramp(6), [("conv", ONES, 0.0), ("max_pool", 2), ("conv", [[1.0, 1.0], [1.0, 1.0]], 0.0)]),
    **{f"vanishing.{i}": twice if i == 4 else half for i in range(1, 5)},
    "vanishing.5": thirds,
}
lines = [f" {json.dumps(name)}: {json.dumps(tensors)}" for name, tensors in steps.items()]
pathlib.Path(__file__).with_name("network_lessons.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
