import conv2d
import numpy as np

x = np.arange(49).reshape(1, 7, 7, 1)
w = np.arange(12, 3, -1).reshape(3, 3, 1, 1)
shown = conv2d.show(x, w, stride=2, padding=1, view="dx", fields={"cell": "dx.24"})
shown.save("convolution.html")
print(shown.dx[0, 3, 3, 0])
shown
