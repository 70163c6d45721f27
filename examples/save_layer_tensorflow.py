"""Saves a convolution of TensorFlow for the conv2d playground: x, w, b, y, their gradients and the arguments."""

import numpy as np
import tensorflow as tf


def save_conv(path, x, w, b=None, strides=(1, 1), padding="VALID", dilations=(1, 1)):
    """Call it in place of the convolution, in a step that runs eagerly. The backward pass writes the file. Returns y.

    For a Keras layer: layer.call = lambda x: layer.activation(save_conv("layer.npz", x, layer.kernel, layer.bias,
    layer.strides, layer.padding.upper(), layer.dilation_rate))
    """
    saved = {}
    pads = [sides(x.shape[axis], w.shape[axis - 1], strides[axis - 1], dilations[axis - 1]) for axis in (1, 2)]
    pads = pads if padding == "SAME" else [(0, 0), (0, 0)]

    def keep(name, value):
        saved[name] = np.asarray(value, dtype=np.float32)
        sizes = {"stride": strides, "padding": np.ravel(pads), "dilation": dilations}
        np.savez(path, **saved, **sizes, groups=[x.shape[3] // w.shape[2]], nchw=[0])

    def tap(name, value):
        """Returns the value, and keeps it and its gradient."""

        @tf.custom_gradient
        def identity(value):
            keep(name, value)

            def backward(gradient):
                keep("d" + name, gradient)
                return gradient

            return tf.identity(value), backward

        return identity(tf.convert_to_tensor(value))

    y = tf.nn.conv2d(tap("x", x), tap("w", w), strides=strides, padding=padding, dilations=dilations)
    return tap("y", y if b is None else y + tap("b", b))


def sides(size, kernel, stride, dilation):
    """The padding of "SAME" on both sides of an axis."""
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2
