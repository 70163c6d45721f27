"""2-D convolution and its gradients, with SIMD kernels, for NumPy.

    y = conv2d.forward(x, w, b, stride=2, padding="same")
    dx, dw, db = conv2d.backward(x, w, dy, stride=2, padding="same")
    conv2d.check(x=x, w=w, dy=dy, dw=my_dw, stride=2, padding="same")  # in a test of your own kernel
    conv2d.show(x, w, b, stride=2, padding="same")  # the page with these arrays, in a notebook

Contiguous float32 arrays are read where they are; other real numbers are converted to float32. The lock of the
interpreter is released while a kernel runs. Errors are Conv2dError, with the argument at fault in `field`.
"""

from ._check import Verdict, WrongResult, check
from ._check_arrays import ArraysVerdict, check_arrays
from ._layer import Gradients, Plan, backward, forward, plan
from ._library import LIBRARY as _LIBRARY
from ._show import Shown, show
from .errors import Conv2dError

__version__: str = _LIBRARY.conv2d_version().decode()
__all__ = [
    "ArraysVerdict",
    "Conv2dError",
    "Gradients",
    "Plan",
    "Shown",
    "Verdict",
    "WrongResult",
    "backward",
    "check",
    "check_arrays",
    "forward",
    "plan",
    "show",
]
