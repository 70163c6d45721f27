import conv2d
import numpy as np

verdict = conv2d.check_arrays(np.load("layer.npz"))
print(verdict.data["layers"][0]["geometry"])
