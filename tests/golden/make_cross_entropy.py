"""Writes cross_entropy.json: softmax with cross-entropy and its gradient by PyTorch (see README.md).

Needs NumPy 1.26 and PyTorch 1.13. Not run by the tests: the file is the expected value.
"""

import json

import numpy as np
import torch
import torch.nn.functional as F

random = np.random.default_rng(52)


def number(value):
    """JSON has no NaN and no infinity: those are texts."""
    value = float(value)
    return value if np.isfinite(value) else str(value)


def numbers(values):
    return [number(value) for value in values.detach().numpy().ravel()]


def case(name, y, target, classes=None):
    """Of y [n, k, h, w] and target, the same shape; or of class indices [n, h, w] with their one-hot target."""
    y = y.clone().requires_grad_()
    loss = F.cross_entropy(y, target if classes is None else classes)
    loss.backward()
    return {"name": name, "shape": list(y.shape), "y": numbers(y), "target": numbers(target),
            "value": number(loss), "dy": numbers(y.grad)}


def one_hot(classes, k):
    return F.one_hot(classes, k).movedim(-1, 1).to(torch.float64)


def random_case(i):
    n, k, h, w = (int(size) for size in random.integers(1, [4, 7, 5, 5]))
    scale = [1, 1, 4, 30, 1000][i % 5]
    y = torch.from_numpy(np.round(random.uniform(-1, 1, (n, k, h, w)), 3) * scale)
    if i % 2:
        classes = torch.from_numpy(random.integers(0, k, (n, h, w)))
        return case(f"classes {i}", y, one_hot(classes, k), classes)
    # Multiples of 1/64 are exact in float32, and so is their sum.
    cuts = np.sort(random.integers(0, 65, (n, k - 1, h, w)), axis=1)
    shares = np.diff(cuts, axis=1, prepend=0, append=64) / 64
    return case(f"distributions {i}", y, torch.from_numpy(shares))


def special(name, position, label):
    """One position. PyTorch's loss by class: a log-probability of -inf has no product with a target of 0."""
    y, classes = torch.tensor(position, dtype=torch.float64).reshape(1, -1, 1, 1), torch.tensor([[[label]]])
    return case(name, y, one_hot(classes, len(position)), classes)


INF, NAN = float("inf"), float("nan")
CASES = [random_case(i) for i in range(60)] + [
    special("large", [1000, 0, -1000], 0), special("large and wrong", [1000, 0, -1000], 2),
    special("beyond e^709", [1e5, 1e5, -1e5], 1), special("-inf beside the class", [1, -INF, 2], 0),
    special("-inf at the class", [1, -INF, 2], 1), special("inf", [1, INF, 2], 1), special("all -inf", [-INF, -INF], 0),
    special("NaN", [1, NAN, 2], 0), special("one channel", [3], 0), special("equal", [2, 2, 2, 2], 3)]

with open("cross_entropy.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in CASES) + "\n]\n")
