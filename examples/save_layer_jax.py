"""Saves a convolution of JAX for the conv2d playground: x, w, b, y, their gradients and the arguments."""

import jax
import numpy as np
from jax import lax


def save_conv(path, x, w, b=None, strides=(1, 1), padding="VALID", dilation=(1, 1), groups=1, nchw=False):
    """Call it in place of the convolution, in a step without jit. The backward pass writes the file. Returns y."""
    saved = {}
    axes = (2, 3) if nchw else (1, 2)
    pads = [sides(x.shape[a], w.shape[a if nchw else a - 1], s, d) for a, s, d in zip(axes, strides, dilation)]
    pads = pads if padding == "SAME" else [(0, 0), (0, 0)] if padding == "VALID" else padding

    def keep(name, value):
        saved[name] = np.asarray(value, dtype=np.float32)
        sizes = {"stride": strides, "padding": np.ravel(pads), "dilation": dilation}
        np.savez(path, **saved, **sizes, groups=[groups], nchw=[int(nchw)])

    def tap(name, value):
        """Returns the value, and keeps it and its gradient."""

        @jax.custom_vjp
        def identity(value):
            keep(name, value)
            return value

        def backward(_, gradient):
            keep("d" + name, gradient)
            return (gradient,)

        identity.defvjp(lambda value: (identity(value), None), backward)
        return identity(value)

    numbers = ("NCHW", "OIHW", "NCHW") if nchw else ("NHWC", "HWIO", "NHWC")
    y = lax.conv_general_dilated(
        tap("x", x),
        tap("w", w),
        window_strides=strides,
        padding=pads,
        rhs_dilation=dilation,
        dimension_numbers=numbers,
        feature_group_count=groups,
    )
    if b is not None:
        y = y + (tap("b", b)[:, None, None] if nchw else tap("b", b))
    return tap("y", y)


def sides(size, kernel, stride, dilation):
    """The padding of "SAME" on both sides of an axis."""
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2
