"""Trains the network of the page on digits with PyTorch, on one thread: the times of its epochs, as conv2d_digits.

python digits.py GOLDEN EPOCHS, with the folder of make_digits.py.
"""

from __future__ import annotations

import json
import sys
import time

try:
    import torch
except ImportError:
    print(json.dumps({"skipped": "PyTorch is not installed"}))
    sys.exit()

sys.path.insert(0, sys.argv[1])
import make_digits as digits

torch.set_num_threads(1)
(x, labels), (held_x, held_labels) = digits.read_digits()
x, held_x = x.float(), held_x.float()
parameters: list[torch.Tensor] = []
for w in digits.initial_weights():
    parameters += [w.float().requires_grad_(True), torch.zeros(w.shape[0], requires_grad=True)]
descent = torch.optim.SGD(parameters, lr=digits.RATE, momentum=digits.MOMENTUM)
epoch_ms: list[float] = []
for epoch in range(int(sys.argv[2])):
    order = torch.tensor(digits.order_of(epoch, len(labels)))
    begin = time.perf_counter()
    for chosen in order.split(digits.BATCH)[: len(labels) // digits.BATCH]:
        descent.zero_grad()
        torch.nn.functional.cross_entropy(digits.logits(x[chosen], *parameters), labels[chosen]).backward()
        descent.step()
    epoch_ms.append((time.perf_counter() - begin) * 1000)
with torch.no_grad():
    correct = (digits.logits(held_x, *parameters).argmax(1) == held_labels).sum().item()
print(json.dumps({"epoch_ms": epoch_ms, "correct": correct, "images": len(held_labels)}))
