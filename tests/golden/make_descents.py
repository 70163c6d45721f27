"""Writes descents.json: gradient descent on two small networks, in float64 by PyTorch (see README.md).

Needs NumPy 1.26 and PyTorch 1.13. Not run by the tests: the file is the expected value.
"""

import json

import numpy as np
import torch
import torch.nn.functional as F

RATE = 0.125


def values(shape, seed):
    """Values between -1 and 1 that are exact in float32."""
    count = int(np.prod(shape))
    made = [(((i * 7919 + seed * 104729) % 201) - 100) / 128 for i in range(count)]
    return torch.tensor(made, dtype=torch.float64).reshape(shape)


def descent(name, w1, b1, w2, scale, pool, steps):
    """x -> conv -> ReLU -> (max pooling 2 x 2) -> conv; the loss is half the mean square. Returns what each step has."""
    x, target = values((2, 2, 6, 6), 1), None
    given = {'w1': w1.flatten().tolist(), 'b1': b1.flatten().tolist(), 'w2': w2.flatten().tolist()}
    w1, b1, w2 = (t.clone().requires_grad_(True) for t in (w1 * scale, b1, w2 * scale))
    losses, norms = [], []
    for step in range(steps + 1):
        y = F.relu(F.conv2d(x, w1, b1))
        y = F.conv2d(F.max_pool2d(y, 2) if pool else y, w2)
        if target is None:
            target = values(y.shape, 9)
        loss = ((y - target) ** 2).mean() / 2
        grads = torch.autograd.grad(loss, (w1, b1, w2))
        losses.append(loss.item())
        norms.append([grads[0].norm().item(), grads[2].norm().item()])
        if step < steps:
            w1, b1, w2 = ((t - RATE * g).detach().requires_grad_(True) for t, g in zip((w1, b1, w2), grads))
    learned = {'w1': w1, 'b1': b1, 'w2': w2, 'y': y}
    return {
        'name': name, 'rate': RATE, 'scale': scale, 'pool': pool, 'x': x.flatten().tolist(), **given,
        'target': target.flatten().tolist(), 'losses': losses, 'norms': norms,
        'learned': {key: t.detach().flatten().tolist() for key, t in learned.items()},
    }


W1, B1, W2 = values((3, 2, 3, 3), 2), values((3,), 3), values((2, 3, 2, 2), 4)
DESCENTS = [
    descent('with pooling', W1, B1, W2, 1, True, 6),
    descent('without pooling, initial weights halved', W1, B1, W2, 0.5, False, 6),
]

with open('descents.json', 'w') as file:
    json.dump(DESCENTS, file)
    file.write('\n')
