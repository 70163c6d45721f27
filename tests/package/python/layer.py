import conv2d
import numpy as np

# 28 x 28 pixels, 64 channels, 128 filters of 3 x 3. Defaults: stride 1, no padding, NHWC.
x = np.ones((1, 28, 28, 64), np.float32)
w = np.ones((3, 3, 64, 128), np.float32)
y = conv2d.forward(x, w, np.ones(128), padding="same")
dx, dw, db = conv2d.backward(x, w, np.ones_like(y), padding="same")

# In the corner, only 2 x 2 of the 3 x 3 taps are inside x.
print(f"y: {y[0, 0, 0, 0]:g} in the corner, {y[0, 14, 14, 0]:g} in the middle")
print(f"dx: {dx[0, 0, 0, 0]:g} in the corner, {dx[0, 14, 14, 0]:g} in the middle")
print(f"dw: {dw.shape}, db: {db[0]:g}")

# For many calls: planned once, with packed weights, and arrays of your own for the results.
layer = conv2d.plan(x.shape, w, padding="same", threads=2)
layer.forward(x, out=y)
print(f"y without bias: {y[0, 14, 14, 0]:g}")

# Errors name the argument at fault.
try:
    conv2d.forward(x, w, stride=0)
except conv2d.Conv2dError as error:
    print(f"{error.code} of {error.field}: {error}")
