"""Stand-ins for the functions of TensorFlow that our scripts call, made of PyTorch's after their documentation.

They say whether a script does the right things if those functions do what is documented, and nothing about TensorFlow.
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

    def __sub__(self, other):
        return Tensor(self.held - other.held)

    def __neg__(self):
        return Tensor(-self.held)

    def __mul__(self, other):
        return Tensor(self.held * other.held)

    def __truediv__(self, other):
        return Tensor(self.held / getattr(other, "held", other))

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

    def pad(tensor, paddings, constant_values=0):
        assert len(paddings) == tensor.held.dim()
        sides = [cells for sides in reversed(paddings) for cells in sides]
        return Tensor(F.pad(tensor.held, sides, value=constant_values))

    def pool2d(pool):
        # Channels last; VALID: whole windows.
        def pooled(input, ksize, strides, padding):
            assert padding == "VALID" and len(ksize) == len(strides) == 2
            return Tensor(pool(input.held.permute(0, 3, 1, 2), ksize, strides).permute(0, 2, 3, 1))

        return pooled

    def same(size, kernel, stride, dilation):
        total = max((math.ceil(size / stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
        return total // 2, total - total // 2

    def pair(numbers, data_format):
        # One number, one for rows and columns, or one for each axis.
        assert isinstance(numbers, int) or len(numbers) in (2, 4)
        if isinstance(numbers, int) or len(numbers) == 2:
            return (numbers, numbers) if isinstance(numbers, int) else tuple(numbers)
        at = data_format.index("H")
        assert numbers[0] == numbers[data_format.index("C")] == 1
        return tuple(numbers[at : at + 2])

    def convolved(x, filters, strides, padding, dilations, groups, data_format):
        # Filters are HWIO in both orders. SAME puts the odd row or column at the end.
        at = data_format.index("H")
        if padding == "SAME":
            sides = [same(x.shape[at + i], filters.shape[i], strides[i], dilations[i]) for i in (0, 1)]
        else:
            assert padding == "VALID" or padding[0] == padding[data_format.index("C")] == [0, 0]
            sides = [(0, 0), (0, 0)] if padding == "VALID" else padding[at : at + 2]
        (top, bottom), (left, right) = sides
        image = x.held if data_format == "NCHW" else x.held.permute(0, 3, 1, 2)
        image = F.pad(image, (left, right, top, bottom))
        y = F.conv2d(image, filters.held.permute(3, 2, 0, 1).contiguous(), None, strides, 0, dilations, groups)
        return Tensor(y if data_format == "NCHW" else y.permute(0, 2, 3, 1))

    def conv2d(x, filters, strides, padding, dilations=1, data_format="NHWC"):
        groups = x.shape[data_format.index("C")] // filters.shape[2]
        strides, dilations = pair(strides, data_format), pair(dilations, data_format)
        # On a CPU: NHWC, and gradients without groups and dilation.
        assert not tf.cpu or (data_format == "NHWC" and groups == 1 and dilations == (1, 1))
        assert x.shape[data_format.index("C")] == groups * filters.shape[2]
        return convolved(x, filters, strides, padding, dilations, groups, data_format)

    def conv2d_transpose(input, filters, output_shape, strides, padding):
        # Filters are [rows, columns, channels of y, channels of x]. VALID: a convolution of output_shape has the size of input.
        (height, width), (kh, kw) = input.shape[1:3], filters.shape[:2]
        image, weights = input.held.permute(0, 3, 1, 2), filters.held.permute(3, 2, 0, 1).contiguous()
        y = F.conv_transpose2d(image, weights, None, strides)
        more = [output_shape[1] - y.shape[2], output_shape[2] - y.shape[3]]
        assert padding == "VALID" and all(0 <= each < step for each, step in zip(more, strides))
        assert output_shape[0] == input.shape[0] and output_shape[3] == filters.shape[2] and input.shape[3] == filters.shape[3]
        assert [(output_shape[1] - kh) // strides[0] + 1, (output_shape[2] - kw) // strides[1] + 1] == [height, width]
        return Tensor(F.pad(y, (0, more[1], 0, more[0])).permute(0, 2, 3, 1))

    def depthwise_conv2d(x, filter, strides, padding, data_format="NHWC", dilations=(1, 1)):
        # filter: [rows, columns, channels, filters of each]. One stride for both axes, and none with a dilation.
        kh, kw, channels, several = filter.shape
        assert not tf.cpu and channels == x.shape[data_format.index("C")] and len(strides) == 4
        rows, cols = pair(strides, data_format)
        assert rows == cols and (rows == 1 or tuple(dilations) == (1, 1))
        assert isinstance(padding, str) or tuple(dilations) == (1, 1)
        whole = Tensor(filter.held.reshape(kh, kw, 1, channels * several))
        return convolved(x, whole, (rows, cols), padding, tuple(dilations), channels, data_format)

    def bias_add(y, b, data_format="NHWC"):
        return Tensor(y.held + (b.held[:, None, None] if data_format == "NCHW" else b.held))

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
            self.watched = tensors if isinstance(tensors, list) else [tensors]
            for tensor in self.watched:
                tensor.held.requires_grad_()

        def gradient(self, target, sources, output_gradients=None):
            assert self.done and not getattr(self, "asked", False)
            self.asked = True
            several = isinstance(sources, list)
            wanted = sources if several else [sources]
            # Watched, or computed from such tensors while the tape records.
            assert all(
                any(source is tensor for tensor in self.watched) or source.held.grad_fn is not None for source in wanted
            )
            held = [source.held for source in wanted]
            # Default: ones.
            given = torch.ones_like(target.held) if output_gradients is None else output_gradients.held
            made = [Tensor(each) for each in torch.autograd.grad(target.held, held, given)]
            return made if several else made[0]

    tf.constant, tf.pad, tf.GradientTape = constant, pad, GradientTape
    tf.transpose = lambda tensor, perm: Tensor(tensor.held.permute(perm))
    tf.reshape = lambda tensor, shape: Tensor(tensor.held.reshape(shape))
    tf.split = lambda tensor, parts, axis: [Tensor(part) for part in torch.tensor_split(tensor.held, parts, dim=axis)]
    tf.concat = lambda tensors, axis: Tensor(torch.cat([tensor.held for tensor in tensors], dim=axis))
    tf.reduce_sum = lambda tensor, axis: tensor.sum(axis)
    tf.identity = tf.convert_to_tensor = lambda tensor: tensor
    tf.custom_gradient = custom_gradient
    tf.ones_like = lambda tensor: Tensor(torch.ones_like(tensor.held))
    tf.nn = types.SimpleNamespace(conv2d=conv2d, depthwise_conv2d=depthwise_conv2d, bias_add=bias_add)
    tf.nn.conv2d_transpose = conv2d_transpose
    tf.nn.relu = lambda tensor: Tensor(F.relu(tensor.held))
    tf.nn.leaky_relu = lambda tensor, alpha: Tensor(F.leaky_relu(tensor.held, alpha))
    tf.nn.max_pool2d, tf.nn.avg_pool2d = pool2d(F.max_pool2d), pool2d(F.avg_pool2d)
    tf.nn.log_softmax = lambda logits, axis: Tensor(F.log_softmax(logits.held, dim=axis))
    tf.reduce_mean = lambda tensor: Tensor(tensor.held.mean())

    def mean_of(term):
        # Losses of Keras: the mean over the last axis.
        return lambda y_true, y_pred: Tensor(term(y_pred.held - y_true.held).mean(dim=-1))

    losses = types.SimpleNamespace(mean_squared_error=mean_of(torch.square), mean_absolute_error=mean_of(torch.abs))
    losses.log_cosh = mean_of(lambda error: error + F.softplus(-2 * error, threshold=1e3) - math.log(2))
    tf.keras = types.SimpleNamespace(losses=losses)
    tf.cpu = True
    return {"tensorflow": tf}


sys.modules.update(tensorflow())
