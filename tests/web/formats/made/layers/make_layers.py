"""Makes the files beside it: python3 make_layers.py (python3 with PyTorch and NumPy; Debian 12 has 1.13.1 and 1.24.2).

Each file is a layer as a training program saves it. layers.json has the geometry of each, and whether it is unique: no
other one with the same or a smaller dilation gives these shapes. That is of all strides up to 4 and dilations up to 3,
equal on both axes, and all symmetric paddings up to half of the kernel, in the axis orders of PyTorch, TensorFlow and
TensorFlow Lite. (Larger dilations with more padding almost always give the same shapes.) PyTorch says all shapes."""

import itertools
import json
import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

HERE = Path(__file__).parent
torch.manual_seed(29)
layers = {}

PERMUTED = {"NCHW": (0, 1, 2, 3), "NHWC": (0, 2, 3, 1), "OIHW": (0, 1, 2, 3), "HWIO": (2, 3, 1, 0), "OHWI": (0, 2, 3, 1)}
FRAMEWORKS = [("NCHW", "OIHW"), ("NHWC", "HWIO"), ("NHWC", "OHWI")]
NAMES = ["x", "w", "b", "y", "dy", "dx", "dw", "db"]


def run(x, w, b, stride, padding, dilation, groups):
    """padding: top, bottom, left, right."""
    top, bottom, left, right = padding
    return F.conv2d(F.pad(x, (left, right, top, bottom)), w, b, stride, 0, dilation, groups)


def layer(x, w, stride=1, padding=0, dilation=1, groups=1, bias=True, real=False):
    """The tensors of a layer in the order of PyTorch, and its geometry. x: [n, c, h, w], w: [k, kh, kw]."""
    pair = lambda v: list(v) if isinstance(v, (tuple, list)) else [v, v]
    padding = list(padding) if isinstance(padding, tuple) else [padding] * 4
    stride, dilation = pair(stride), pair(dilation)
    n, c, h, wide = x
    k, kh, kw = w
    # Real values are those that bfloat16 has.
    fill = (lambda *s: torch.randn(*s).bfloat16().float()) if real else (lambda *s: torch.randint(-4, 5, s).float())
    x, w = fill(n, c, h, wide).requires_grad_(), fill(k, c // groups, kh, kw).requires_grad_()
    b = fill(k).requires_grad_() if bias else None
    y = run(x, w, b, stride, padding, dilation, groups)
    dy = fill(*y.shape)
    y.backward(dy)
    found = {"x": x, "w": w, "y": y, "dy": dy, "dx": x.grad, "dw": w.grad}
    if bias:
        found.update(b=b, db=b.grad)
    geometry = {
        **{"n": n, "h": h, "w": wide, "c": c, "k": k, "kh": kh, "kw": kw, "groups": groups},
        **{"stride": stride, "dilation": dilation, "padding": padding},
    }
    return {name: found[name].detach() for name in NAMES if name in found}, geometry


def fitting(shapes):
    """All usual geometries with these shapes of x, w and y, as (axis orders, dilation, stride, padding)."""
    for pixels, weights in FRAMEWORKS:
        size = {**dict(zip(pixels, shapes["x"])), **{f"k{a}": s for a, s in zip(weights, shapes["w"])}}
        n, c, h, w, k, i, kh, kw = (size[a] for a in ("N", "C", "H", "W", "kO", "kI", "kH", "kW"))
        if c % i or k % (c // i):
            continue
        out = dict(zip(pixels, shapes["y"]))
        x, weight = torch.zeros(n, c, h, w, device="meta"), torch.zeros(k, i, kh, kw, device="meta")
        for dilation, stride in itertools.product((1,) if kh == kw == 1 else (1, 2, 3), range(1, 5)):
            most = [(dilation * (size - 1) + 1) // 2 for size in (kh, kw)]
            for padding in itertools.product(range(most[0] + 1), range(most[1] + 1)):
                try:
                    y = F.conv2d(x, weight, None, stride, padding, dilation, c // i)
                except RuntimeError:
                    continue
                if list(y.shape) == [out[axis] for axis in "NCHW"]:
                    yield (pixels, weights), dilation, [stride] * 2, [padding[0]] * 2 + [padding[1]] * 2


def arranged(tensors, orders):
    """The tensors in other axis orders. orders: of x, of w, of y."""
    x, w, y = orders
    order = {"x": x, "dx": x, "w": w, "dw": w, "y": y, "dy": y}
    return {k: v.permute(PERMUTED[order[k]]).contiguous() if k in order else v for k, v in tensors.items()}


def say(file, made, orders):
    tensors, geometry = made
    shapes = {k: list(v.shape) for k, v in tensors.items()}
    rows, cols = geometry["dilation"]
    likely = [found[0:1] + found[2:] for found in fitting(shapes) if found[1] <= max(rows, cols)]
    unique = likely == [(orders[:2], geometry["stride"], geometry["padding"])]
    layers[file] = {"orders": orders, **geometry, "unique": unique}


def npz(file, made, orders=("NCHW", "OIHW", "NCHW"), names=NAMES, order=NAMES, extra={}):
    tensors = arranged(made[0], orders)
    say(f"{file}.npz", (tensors, made[1]), orders)
    arrays = [(names[NAMES.index(k)], tensors[k].numpy()) for k in order if k in tensors]
    if names[0]:
        np.savez_compressed(HERE / f"{file}.npz", **dict(arrays), **extra)
    else:
        np.savez_compressed(HERE / f"{file}.npz", *[array for _, array in arrays])


def safetensors(file, made, names, dtype=torch.float32, metadata=None):
    """Written by hand after its specification, since Debian has no package for it."""
    tensors = {k: v.to(dtype) for k, v in made[0].items()}
    say(f"{file}.safetensors", (tensors, made[1]), ("NCHW", "OIHW", "NCHW"))
    kind = {torch.float32: "F32", torch.bfloat16: "BF16"}[dtype]
    view = {torch.float32: torch.int32, torch.bfloat16: torch.int16}[dtype]
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, tensor in tensors.items():
        raw = tensor.view(view).numpy().tobytes()
        ends = [len(data), len(data) + len(raw)]
        header[names[NAMES.index(name)]] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": ends}
        data += raw
    text = json.dumps(header).encode()
    (HERE / f"{file}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


TORCH = ["input", "conv.weight", "conv.bias", "output", "grad_output", "grad_input", "conv.weight.grad", "conv.bias.grad"]
KERAS = ["inputs", "conv2d/kernel:0", "conv2d/bias:0", "outputs", "d_outputs", "d_inputs", "d_kernel", "d_bias"]
NHWC = ("NHWC", "HWIO", "NHWC")

npz("valid", layer((1, 3, 7, 9), (4, 3, 3)))
npz("same", layer((2, 3, 7, 9), (4, 3, 3), padding=1))
npz("stride-groups", layer((2, 4, 6, 7), (6, 3, 3), stride=2, padding=1, groups=2))
npz("depthwise", layer((2, 4, 6, 5), (4, 3, 3), padding=1, groups=4))
npz("depthwise-multiplier", layer((1, 3, 8, 7), (6, 3, 3), stride=2, padding=1, groups=3))
npz("dilated", layer((2, 2, 9, 8), (3, 3, 3), dilation=2, padding=2))
npz("dilated-valid", layer((1, 2, 9, 12), (3, 3, 2), dilation=2))
npz("asymmetric-end", layer((2, 3, 8, 6), (4, 3, 3), stride=2, padding=(0, 1, 0, 1)))
npz("asymmetric-start", layer((1, 2, 6, 8), (3, 3, 3), padding=(1, 0, 1, 0)))
npz("same-of-even-kernel", layer((1, 2, 6, 8), (3, 4, 4), padding=(1, 2, 1, 2)))
npz("stride-two-by-one", layer((1, 2, 9, 8), (3, 3, 3), stride=(2, 1), padding=1))
npz("kernel-5x3", layer((1, 2, 8, 7), (3, 5, 3), padding=(2, 2, 1, 1), bias=False))
npz("pointwise", layer((3, 5, 4, 6), (7, 1, 1)), names=TORCH)
npz("patches", layer((2, 3, 8, 12), (5, 4, 4), stride=4), names=TORCH)
npz("stem", layer((1, 3, 15, 17), (4, 7, 7), stride=2, padding=3, bias=False), names=TORCH)
npz("keras-same", layer((2, 3, 8, 10), (4, 3, 3), stride=2, padding=(0, 1, 0, 1)), NHWC, KERAS)
npz("keras-valid", layer((5, 2, 7, 6), (4, 3, 2)), NHWC, KERAS)
npz("mixed", layer((2, 3, 7, 8), (5, 3, 3), padding=1), ("NCHW", "HWIO", "NHWC"))
npz("lite", layer((1, 4, 9, 7), (6, 3, 3), stride=2), ("NHWC", "OHWI", "NHWC"))
npz("without-names", layer((2, 3, 7, 8), (4, 3, 3), stride=2, padding=1), names=[""] * 8)
safetensors("bfloat16", layer((2, 4, 6, 7), (6, 3, 3), padding=1, groups=2, real=True), TORCH, torch.bfloat16)

# With arguments, nothing has to be solved: no other tensor tells how this padding is divided.
uneven = dict(x=(1, 2, 6, 7), w=(3, 3, 3), stride=(2, 1), padding=(2, 0, 0, 1))
arguments = dict(stride=[2, 1], padding=[2, 0, 0, 1], dilation=[1, 1], groups=[1], nchw=[1])
npz("arguments", layer(**uneven), extra={k: np.array(v) for k, v in arguments.items()})
texts = {"stride": "2,1", "padding": "2,0,0,1", "dilation": "1,1", "groups": "1", "layout": "nchw"}
safetensors("metadata", layer(**uneven), NAMES, metadata=texts)

(HERE / "layers.json").write_text(json.dumps(layers, indent=1) + "\n")
print(sum(one["unique"] for one in layers.values()), "of", len(layers), "are unique")
