"""Stand-ins for the functions of TensorFlow and JAX that our scripts call, made of PyTorch's after their documentation.

They say whether a script does the right things if those functions do what is documented, and nothing about TensorFlow or JAX.
"""

import sys
import types

import numpy as np
import torch
import torch.nn.functional as F


class Tensor:
    """Holds a torch tensor; + and slices as arrays have them."""

    def __init__(self, held):
        self.held = held

    shape = property(lambda self: tuple(self.held.shape))

    def __add__(self, other):
        return Tensor(self.held + other.held)

    def __getitem__(self, at):
        return Tensor(self.held[at])

    def __array__(self, dtype=None):
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def numpy(self):
        return self.held.detach().numpy()

    def sum(self, axis):
        return Tensor(self.held.sum(dim=axis))


def doubles(array):
    return Tensor(torch.tensor(np.asarray(array, dtype=np.float64)))


def tensorflow():
    tf = types.ModuleType("tensorflow")
    tf.float64 = "float64"

    def constant(array, dtype):
        assert dtype == tf.float64
        return doubles(array)

    def pad(tensor, paddings):
        assert len(paddings) == tensor.held.dim()
        return Tensor(F.pad(tensor.held, [cells for sides in reversed(paddings) for cells in sides]))

    def conv2d(x, filters, strides, padding):
        # On a CPU: NHWC with HWIO, no groups, no dilation; VALID is no padding.
        assert padding == "VALID" and strides[0] == strides[3] == 1 and x.shape[3] == filters.shape[2]
        y = F.conv2d(x.held.permute(0, 3, 1, 2), filters.held.permute(3, 2, 0, 1).contiguous(), stride=tuple(strides[1:3]))
        return Tensor(y.permute(0, 2, 3, 1))

    class GradientTape:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.done = True

        def watch(self, tensors):
            self.watched = tensors
            for tensor in tensors:
                tensor.held.requires_grad_()

        def gradient(self, target, sources, output_gradients):
            assert self.done and not getattr(self, "asked", False)
            self.asked = True
            several = isinstance(sources, list)
            wanted = sources if several else [sources]
            assert all(any(source is tensor for tensor in self.watched) for source in wanted)
            held = [source.held for source in wanted]
            made = [Tensor(each) for each in torch.autograd.grad(target.held, held, output_gradients.held)]
            return made if several else made[0]

    tf.constant, tf.pad, tf.GradientTape = constant, pad, GradientTape
    tf.transpose = lambda tensor, perm: Tensor(tensor.held.permute(perm))
    tf.reshape = lambda tensor, shape: Tensor(tensor.held.reshape(shape))
    tf.split = lambda tensor, parts, axis: [Tensor(part) for part in torch.tensor_split(tensor.held, parts, dim=axis)]
    tf.concat = lambda tensors, axis: Tensor(torch.cat([tensor.held for tensor in tensors], dim=axis))
    tf.reduce_sum = lambda tensor, axis: tensor.sum(axis)
    tf.nn = types.SimpleNamespace(conv2d=conv2d)
    return {"tensorflow": tf}


def jax():
    jax, lax, jnp = (types.ModuleType(name) for name in ("jax", "jax.lax", "jax.numpy"))
    jnp.float64 = "float64"
    settings = {}

    def asarray(array, dtype):
        assert dtype == jnp.float64 and settings.get("jax_enable_x64")
        return doubles(array)

    def conv_general_dilated(
        lhs, rhs, window_strides, padding, rhs_dilation=(1, 1), dimension_numbers=None, feature_group_count=1
    ):
        of_x, of_w, of_y = dimension_numbers
        x = lhs.held.permute([of_x.index(axis) for axis in "NCHW"])
        w = rhs.held.permute([of_w.index(axis) for axis in "OIHW"]).contiguous()
        (top, bottom), (left, right) = padding
        x = F.pad(x, (left, right, top, bottom))
        y = F.conv2d(x, w, stride=window_strides, dilation=rhs_dilation, groups=feature_group_count)
        return Tensor(y.permute(["NCHW".index(axis) for axis in of_y]))

    def vjp(function, *inputs):
        leaves = [Tensor(tensor.held.clone().requires_grad_()) for tensor in inputs]
        y = function(*leaves)
        held = [leaf.held for leaf in leaves]
        return y, lambda dy: tuple(Tensor(each) for each in torch.autograd.grad(y.held, held, dy.held))

    jax.config = types.SimpleNamespace(update=settings.__setitem__)
    jax.lax, jax.numpy, jax.vjp = lax, jnp, vjp
    jnp.asarray, lax.conv_general_dilated = asarray, conv_general_dilated
    return {"jax": jax, "jax.lax": lax, "jax.numpy": jnp}


sys.modules.update({**tensorflow(), **jax()})
