"""Writes transposed.json: 500 transposed convolutions with all gradients, in float64 by PyTorch (see README.md).

Needs NumPy 1.26 and PyTorch 1.13. Not run by the tests: the file is the expected value.
"""

import json

import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
random = np.random.default_rng(47)


def between(low, high):
    return int(random.integers(low, high + 1))


def values(shape, seed, exact):
    """Values from the generator of `seed`: whole numbers from -3 to 3, or reals below 1 that are exact in float32."""
    made, state = [], seed
    for _ in range(int(np.prod(shape))):
        state = (1664525*state + 1013904223) % 2**32
        made.append((state >> 16) % 7 - 3 if exact else (state >> 8)/2**23 - 1)
    return torch.tensor(made, dtype=torch.float64).reshape(shape).requires_grad_()


def flat(result):
    return [int(value) if float(value).is_integer() else float(f"{value:.9g}") for value in result.detach().numpy().ravel()]


def draw():
    groups = [1, 1, 1, 2, 3][between(0, 4)]
    stride, dilation = [between(1, 3), between(1, 3)], [between(1, 2), between(1, 2)]
    window = [between(1, 4), between(1, 4)] if between(0, 2) else [3, 3]
    if window == [3, 3] and between(0, 1):
        stride, dilation = [1, 1], [1, 1]
    widest = between(0, 2)
    top, left = between(0, widest), between(0, widest)
    bottom, right = (top, left) if between(0, 2) else (between(0, widest), between(0, widest))
    return {"x": [between(1, 2), groups*between(1, 2), between(1, 4), between(1, 4)], "k": groups*between(1, 2),
            "window": window, "stride": stride, "dilation": dilation, "groups": groups,
            "padding": [top, bottom, left, right], "output_padding": [between(0, step - 1) for step in stride],
            "bias": between(0, 2) > 0}


def transposed(case, x, w, b):
    """The native layer where PyTorch has it: the same padding on opposite sides. Else all of y, cut."""
    top, bottom, left, right = case["padding"]
    stride, more, dilation = case["stride"], case["output_padding"], case["dilation"]
    if top == bottom and left == right:
        return F.conv_transpose2d(x, w, b, stride, (top, left), more, case["groups"], dilation)
    # PyTorch demands that the output padding is below the stride or the dilation, as it is here.
    y = F.conv_transpose2d(x, w, b, stride, 0, more, case["groups"], dilation)
    return y[:, :, top:y.shape[2] - bottom, left:y.shape[3] - right]


def is_valid(case):
    sizes = [(size - 1)*step + rate*(kernel - 1) + 1 + more - before - after for size, step, rate, kernel, more, before, after in zip(
        case["x"][2:], case["stride"], case["dilation"], case["window"], case["output_padding"],
        case["padding"][0::2], case["padding"][1::2])]
    return min(sizes) >= 1 and sizes[0]*sizes[1] <= 49


def with_results(case, seed, exact):
    (n, c, h, w_), k, groups = case["x"], case["k"], case["groups"]
    x = values((n, c, h, w_), 4*seed, exact)
    w = values((c, k // groups, *case["window"]), 4*seed + 1, exact)
    b = values((k,), 4*seed + 2, exact) if case["bias"] else None
    y = transposed(case, x, w, b)
    dy = values(y.shape, 4*seed + 3, exact)
    (y*dy).sum().backward()
    db = dy.sum((0, 2, 3)) if b is None else b.grad
    return case | {"exact": exact, "seed": seed, "shape": list(y.shape), "y": flat(y), "dx": flat(x.grad),
                   "dw": flat(w.grad), "db": flat(db)}


cases = []
while len(cases) < 500:
    case = draw()
    if is_valid(case):
        cases.append(with_results(case, len(cases), exact=len(cases) % 10 != 9))
with open("transposed.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
