"""Saves a torch.nn.Conv2d for the conv2d playground: x, w, b, y, their gradients and the arguments."""

import numpy as np


def watch(layer):
    """Call it before a step, with gradients at zero. After backward(), call what it returns: save("layer.npz")."""
    saved = {}

    def before(_, inputs):
        x = inputs[0].clone()  # the gradient of this copy is that of this layer alone
        x = x if x.requires_grad else x.requires_grad_()
        saved.update(x=x.detach().clone(), w=layer.weight.detach().clone())
        saved.update({} if layer.bias is None else {"b": layer.bias.detach().clone()})
        x.register_hook(lambda gradient: saved.update(dx=gradient))
        return (x,)

    def after(_, inputs, y):
        saved.update(y=y.detach().clone())
        y.register_hook(lambda gradient: saved.update(dy=gradient))

    hooks = [layer.register_forward_pre_hook(before), layer.register_forward_hook(after)]

    def save(path):
        saved.update({} if layer.weight.grad is None else {"dw": layer.weight.grad})
        saved.update({} if layer.bias is None or layer.bias.grad is None else {"db": layer.bias.grad})
        left, right, top, bottom = layer._reversed_padding_repeated_twice
        sizes = {"stride": layer.stride, "padding": (top, bottom, left, right), "dilation": layer.dilation}
        arrays = {name: tensor.detach().float().cpu().numpy() for name, tensor in saved.items()}
        np.savez(path, **arrays, **sizes, groups=[layer.groups], nchw=[1])
        for hook in hooks:
            hook.remove()

    return save
