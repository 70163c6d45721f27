"""Writes digits.json, and with a file digits.csv.gz as argument first web/content/digits.txt (see README.md).

Needs NumPy and PyTorch 1.13. Not run by the tests: digits.json is the expected value.

digits.csv.gz is that of scikit-learn 1.2.1 (Debian: python3-sklearn): 1,797 lines with 64 whole numbers from 0 to 16,
the pixels of an image of 8 x 8, and its class. digits.txt has an image a line: the class, then a letter for each pixel,
"a" for 0 to "q" for 16.
"""

import gzip
import json
import math
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../web/content/digits.txt')
BATCH, RATE, MOMENTUM, SEED, EPOCHS = 32, 0.05, 0.9, 1, 20
# Filters, kernel, channels of the three convolutions, in the order of HWIO.
WEIGHTS = [(3, 3, 1, 8), (3, 3, 8, 8), (4, 4, 8, 10)]


def write_digits(csv):
    with gzip.open(csv, 'rt') as source, open(DIGITS, 'w') as file:
        for line in source:
            *pixels, label = (int(float(value)) for value in line.split(','))
            file.write(str(label) + ''.join(chr(ord('a') + pixel) for pixel in pixels) + '\n')


def read_digits():
    """Images from 0 to 1, and classes: (to train, held out). Every fifth image is held out."""
    with open(DIGITS) as file:
        lines = file.read().split()
    labels = torch.tensor([int(line[0]) for line in lines])
    x = torch.tensor([[ord(letter) - ord('a') for letter in line[1:]] for line in lines], dtype=torch.float64) / 16
    held = torch.arange(len(lines)) % 5 == 4
    x = x.reshape(-1, 1, 8, 8)
    return (x[~held], labels[~held]), (x[held], labels[held])


class Random:
    """The generator of training.cpp."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return self.state >> 8


def initial_weights(scale=1.0):
    """OIHW, exact in float32."""
    random, made = Random(SEED), []
    for shape in WEIGHTS:
        kh, kw, c, k = shape
        bound = scale * math.sqrt(6 / (kh * kw * c))
        values = [(2 * random.next() / 2**24 - 1) * bound for _ in range(kh * kw * c * k)]
        made.append(torch.tensor(np.float32(values).astype(np.float64)).reshape(shape).permute(3, 2, 0, 1).contiguous())
    return made


def order_of(epoch, count):
    random, order = Random(SEED + 1 + epoch), list(range(count))
    for i in range(count, 1, -1):
        j = (random.next() * i) >> 24
        order[i - 1], order[j] = order[j], order[i - 1]
    return order


def logits(x, w1, b1, w2, b2, w3, b3):
    x = F.max_pool2d(F.relu(F.conv2d(x, w1, b1, padding=1)), 2)
    x = F.relu(F.conv2d(x, w2, b2, padding=1))
    return F.conv2d(x, w3, b3).flatten(1)


def train(dtype, steps):
    (x, labels), held = read_digits()
    x, held_x = x.to(dtype), held[0].to(dtype)
    parameters = []
    for w in initial_weights():
        parameters += [w.to(dtype).requires_grad_(True), torch.zeros(w.shape[0], dtype=dtype, requires_grad=True)]
    descent = torch.optim.SGD(parameters, lr=RATE, momentum=MOMENTUM)
    batches = len(labels) // BATCH
    losses, norms, accuracies = [], [], []
    for step in range(steps):
        if step % batches == 0:
            order = order_of(step // batches, len(labels))
        chosen = order[step % batches * BATCH:][:BATCH]
        descent.zero_grad()
        loss = F.cross_entropy(logits(x[chosen], *parameters), labels[chosen])
        loss.backward()
        losses.append(loss.item())
        norms.append([w.grad.norm().item() for w in parameters[::2]])
        descent.step()
        if (step + 1) % batches == 0:
            with torch.no_grad():
                accuracies.append((logits(held_x, *parameters).argmax(1) == held[1]).sum().item())
    with torch.no_grad():
        held_loss = F.cross_entropy(logits(held_x, *parameters), held[1]).item()
    return {'losses': losses, 'norms': norms, 'correct': accuracies, 'held_loss': held_loss}, parameters


def receptive_field(parameters):
    """mean(|dx|) over the held-out images, of the loss of each."""
    _, (x, labels) = read_digits()
    x = x.clone().requires_grad_(True)
    F.cross_entropy(logits(x, *parameters), labels, reduction='sum').backward()
    return x.grad.abs().mean(0).flatten().tolist()


if __name__ == '__main__':
    if len(sys.argv) > 1:
        write_digits(sys.argv[1])
    first, parameters = train(torch.float64, 20)
    with torch.no_grad():
        probabilities = torch.softmax(logits(read_digits()[1][0][:1], *parameters), 1).flatten().tolist()
    written = {
        'rate': RATE, 'momentum': MOMENTUM, 'batch': BATCH, 'seed': SEED,
        'losses': first['losses'], 'norms': first['norms'], 'held_loss': first['held_loss'],
        'mean_abs_dx': receptive_field(parameters), 'probabilities': probabilities,
        'all_correct': train(torch.float32, EPOCHS * 44)[0]['correct'],
    }
    with open('digits.json', 'w') as file:
        json.dump(written, file)
        file.write('\n')
