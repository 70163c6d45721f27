"""Finds the kernel behind an image by gradient descent: the library computes y and dw."""

import conv2d
import numpy as np

random = np.random.default_rng(1)
x = random.uniform(-1, 1, (4, 12, 12, 1)).astype(np.float32)

# The kernel to be found: a Sobel filter, which finds vertical edges.
sobel = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32).reshape(3, 3, 1, 1)
target = conv2d.forward(x, sobel, padding="same")

w = np.zeros_like(sobel)
for step in range(101):
    y = conv2d.forward(x, w, padding="same")
    dy = (y - target) / target.size  # the gradient of the loss: mean of (y - target)^2 / 2
    if step % 25 == 0:
        print(f"step {step:3}: loss {np.mean((y - target) ** 2) / 2:.6f}")
    w -= 2 * conv2d.backward(x, w, dy, padding="same", of=["dw"]).dw

print(np.round(w[:, :, 0, 0]).astype(int))

# A mistake on purpose: dw with the mean over the batch, where the gradient is the sum.
try:
    conv2d.check(x=x, dy=dy, dw=conv2d.backward(x, w, dy, padding="same", of=["dw"]).dw / 4, padding="same")
except conv2d.WrongResult as wrong:
    print(wrong)
