"""Stand-ins for the functions of TensorFlow and JAX that our scripts call, made of PyTorch's after their documentation.

They say whether a script does the right things if those functions do what is documented, and nothing about TensorFlow or JAX.
"""

import math
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

    def same(size, kernel, stride, dilation):
        total = max((math.ceil(size / stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
        return total // 2, total - total // 2

    def convolved(x, filters, strides, padding, dilations, groups):
        # NHWC with HWIO. SAME puts the odd row or column at the end.
        [(rows, kh), (cols, kw)] = zip(x.shape[1:3], filters.shape[:2])
        if padding == "SAME":
            sides = same(rows, kh, strides[0], dilations[0]), same(cols, kw, strides[1], dilations[1])
        else:
            sides = ((0, 0), (0, 0)) if padding == "VALID" else padding[1:3]
        assert padding in ("SAME", "VALID") or padding[0] == padding[3] == [0, 0]
        (top, bottom), (left, right) = sides
        padded = F.pad(x.held.permute(0, 3, 1, 2), (left, right, top, bottom))
        w = filters.held.permute(3, 2, 0, 1).contiguous()
        return Tensor(F.conv2d(padded, w, None, strides, 0, dilations, groups).permute(0, 2, 3, 1))

    def pair(numbers):
        assert isinstance(numbers, int) or len(numbers) in (2, 4)
        if isinstance(numbers, int):
            return numbers, numbers
        assert len(numbers) == 2 or numbers[0] == numbers[3] == 1
        return tuple(numbers) if len(numbers) == 2 else tuple(numbers[1:3])

    def conv2d(x, filters, strides, padding, dilations=1):
        groups = x.shape[3] // filters.shape[2]
        assert filters.shape[2] * groups == x.shape[3]
        y = convolved(x, filters, pair(strides), padding, pair(dilations), groups)
        # Its gradients on a CPU need one group and no dilation.
        y.portable = groups == 1 and pair(dilations) == (1, 1)
        return y

    def depthwise_conv2d(x, filter, strides, padding, dilations=(1, 1)):
        # filter: [kh, kw, channels, filters of a channel]; strides of 4, equal in rows and columns.
        kh, kw, channels, several = filter.shape
        assert channels == x.shape[3] and len(strides) == 4 and strides[1] == strides[2] and len(dilations) == 2
        whole = Tensor(filter.held.reshape(kh, kw, 1, channels * several))
        y = convolved(x, whole, pair(strides), padding, tuple(dilations), channels)
        y.portable = tuple(dilations) == (1, 1)
        return y

    def custom_gradient(function):
        def called(tensor):
            result, backward = function(tensor)
            held = result.held.clone()
            if held.requires_grad:
                held.register_hook(lambda gradient: backward(Tensor(gradient)).held)
            return Tensor(held)

        return called

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
    tf.identity = tf.convert_to_tensor = lambda tensor: tensor
    tf.custom_gradient = custom_gradient
    tf.nn = types.SimpleNamespace(conv2d=conv2d, depthwise_conv2d=depthwise_conv2d)
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

    class custom_vjp:
        def __init__(self, function):
            self.function = function

        def defvjp(self, forward, backward):
            self.forward, self.backward = forward, backward

        def __call__(self, tensor):
            if not tensor.held.requires_grad:
                return self.function(tensor)
            result, residual = self.forward(Tensor(tensor.held.detach()))
            held = tensor.held.clone()
            held.register_hook(lambda gradient: self.backward(residual, Tensor(gradient))[0].held)
            assert torch.equal(held, result.held)
            return Tensor(held)

    jax.config = types.SimpleNamespace(update=settings.__setitem__)
    jax.lax, jax.numpy, jax.vjp, jax.custom_vjp = lax, jnp, vjp, custom_vjp
    jnp.asarray, lax.conv_general_dilated = asarray, conv_general_dilated
    return {"jax": jax, "jax.lax": lax, "jax.numpy": jnp}


sys.modules.update({**tensorflow(), **jax()})
