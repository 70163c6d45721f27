"""Writes chains.json: 500 random chains of layers with all outputs and gradients, in float64 by PyTorch (see README.md).

Needs NumPy 1.26 and PyTorch 1.13. Not run by the tests: the file is the expected value.
"""

import json

import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
random = np.random.default_rng(31)


def between(low, high):
    return int(random.integers(low, high + 1))


KINDS = ["conv", "conv", "relu", "leaky_relu", "max_pool", "average_pool"]


def random_layer(shape, exact, kinds):
    """A layer that fits the input [n, c, h, w]. `exact`: its output has few bits if its input has."""
    kind = kinds[between(0, len(kinds) - 1)]
    if kind == "relu":
        return {"kind": kind}
    if kind == "leaky_relu":
        alpha = between(0, 4)/4 if exact else float(np.round(random.uniform(0, 1), 2))
        return {"kind": kind, "alpha": alpha}
    n, c, h, w = shape
    if kind == "average_pool" and exact:
        kh, kw = [(1, 2), (2, 1), (2, 2), (4, 1)][between(0, 3)]
    else:
        kh, kw = between(1, 3), between(1, 3)
    most = (lambda size: 1) if kind.startswith("conv") else (lambda size: size - 1)
    padding = [between(0, most(kh)), between(0, most(kh)), between(0, most(kw)), between(0, most(kw))]
    layer = {"kind": kind, "window": [kh, kw], "stride": [between(1, 2), between(1, 3)], "padding": padding}
    if kind.startswith("conv"):
        layer |= {"k": 2*between(1, 2) if c % 2 == 0 else between(1, 3), "dilation": [between(1, 2), 1]}
        layer["groups"] = c if c % 2 == 0 and layer["k"] % c == 0 and between(0, 1) else 1
    if kind == "average_pool":
        layer["count_include_pad"] = exact or between(0, 1) == 1
    if kind == "conv_transpose":
        layer["output_padding"] = [between(0, step - 1) for step in layer["stride"]]
        rows, columns = ((size - 1)*step + rate*(kernel - 1) + 1 - cut for size, step, rate, kernel, cut in zip(
            (h, w), layer["stride"], layer["dilation"], (kh, kw), (sum(padding[:2]), sum(padding[2:]))))
        return layer if min(rows, columns) >= 1 and rows*columns <= 8 else random_layer(shape, exact, kinds)
    dilated = (kh - 1)*layer.get("dilation", [1])[0] + 1
    fits = h + padding[0] + padding[1] >= dilated and w + padding[2] + padding[3] >= kw
    return layer if fits else random_layer(shape, exact, kinds)


def apply(layer, x, w, b):
    """The output, and for max_pool the winners as flat indices of x."""
    if layer["kind"] == "relu":
        return F.relu(x), None
    if layer["kind"] == "leaky_relu":
        return F.leaky_relu(x, layer["alpha"]), None
    kh, kw = layer["window"]
    top, bottom, left, right = layer["padding"]
    stride, sides = layer["stride"], [left, right, top, bottom]
    native = top == bottom and left == right and top <= kh // 2 and left <= kw // 2
    if layer["kind"] == "conv":
        return F.conv2d(F.pad(x, sides), w, b, stride, 0, layer["dilation"], layer["groups"]), None
    if layer["kind"] == "conv_transpose":
        rows, columns = layer["output_padding"]
        if top == bottom and left == right:
            sides = (top, left)
            return F.conv_transpose2d(x, w, b, stride, sides, (rows, columns), layer["groups"], layer["dilation"]), None
        whole = F.conv_transpose2d(x, w, b, stride, 0, (rows, columns), layer["groups"], layer["dilation"])
        return whole[:, :, top:whole.shape[2] - bottom, left:whole.shape[3] - right], None
    if layer["kind"] == "average_pool":
        include = layer["count_include_pad"]
        if native:
            return F.avg_pool2d(x, (kh, kw), stride, (top, left), count_include_pad=include), None
        cells = lambda each: F.avg_pool2d(F.pad(each, sides), (kh, kw), stride, divisor_override=1)
        return cells(x)/(kh*kw if include else cells(torch.ones_like(x))), None
    if native:
        y, winners = F.max_pool2d(x, (kh, kw), stride, (top, left), return_indices=True)
    else:
        y, winners = F.max_pool2d(F.pad(x, sides, value=-np.inf), (kh, kw), stride, return_indices=True)
        rows, columns = winners // (x.shape[3] + left + right) - top, winners % (x.shape[3] + left + right) - left
        winners = rows*x.shape[3] + columns
    planes = torch.arange(x.shape[0]*x.shape[1]).reshape(x.shape[0], x.shape[1], 1, 1)
    return y, winners + planes*x.shape[2]*x.shape[3]


def is_far_from_kinks(layer, x, y):
    """Whether rounding in float32 opens no gate and changes no winner."""
    if layer["kind"] in ["relu", "leaky_relu"]:
        return bool((x.abs() > 1e-3).all())
    if layer["kind"] != "max_pool":
        return True
    top, bottom, left, right = layer["padding"]
    padded = F.pad(x, [left, right, top, bottom], value=-1e3)
    (kh, kw), (sh, sw) = layer["window"], layer["stride"]
    cells = padded.unfold(2, kh, sh).unfold(3, kw, sw).flatten(4).sort(-1, descending=True)[0]
    return cells.shape[-1] == 1 or bool((cells[..., 0] - cells[..., 1] > 1e-3).all())


def flat(values, digits):
    return [int(value) if float(value).is_integer() else float(f"{value:.{digits}g}")
            for value in values.detach().numpy().ravel()]


def distributions(n, k, h, w):
    """Over the channels of each position: a class, or sixteenths."""
    parts = [1, 16][between(0, 1)]
    counts = random.multinomial(parts, [1/k]*k, (n, h, w))
    return torch.from_numpy(np.moveaxis(counts, -1, 1)/parts)


def random_chain(exact, loss=None, kinds=KINDS, most=6):
    """`most`: rows and columns of x; chains of small ones are shorter, too."""
    draw = (lambda *shape: torch.from_numpy(random.integers(-3, 4, shape).astype(np.float64))) if exact else (
        lambda *shape: torch.from_numpy(np.round(random.uniform(-1, 1, shape), 3).astype(np.float32).astype(np.float64)))
    shape = [between(1, 2), between(1, 3 if most > 4 else 2), between(2, most), between(2, most)]
    x = draw(*shape).requires_grad_()
    layers, ys, parameters, all_winners = [], [], [], []
    far = True
    for _ in range(between(1, 4 if most > 4 else 3)):
        before = ys[-1] if ys else x
        layer = random_layer(list(before.shape), exact, kinds)
        w = b = None
        if layer["kind"].startswith("conv"):
            channels = [layer["k"], before.shape[1]]
            out, each = channels if layer["kind"] == "conv" else channels[::-1]
            w = draw(out, each // layer["groups"], *layer["window"]).requires_grad_()
            b = draw(layer["k"]).requires_grad_() if between(0, 2) else None
        y, winners = apply(layer, before, w, b)
        y.retain_grad()
        far = far and (exact or is_far_from_kinks(layer, before, y))
        layers.append(layer), ys.append(y), parameters.append((w, b)), all_winners.append(winners)
    if not far or (kinds is not KINDS and all(layer["kind"] != "conv_transpose" for layer in layers)):
        return random_chain(exact, loss, kinds, most)
    loss = loss or ("linear" if exact else ["linear", "mse", "log_cosh"][between(0, 2)])
    if loss == "cross_entropy" and ys[-1].shape[1] == 1:
        return random_chain(exact, loss, kinds, most)
    other = (distributions if loss == "cross_entropy" else draw)(*ys[-1].shape)
    error = ys[-1] - other
    if loss == "absolute_error" and not bool((error.abs() > 1e-3).all()):
        return random_chain(exact, loss, kinds, most)
    values = {"linear": (ys[-1]*other).sum(), "mse": (error*error).sum()/(2*error.numel()),
              "log_cosh": error.cosh().log().mean(), "absolute_error": F.l1_loss(ys[-1], other),
              "cross_entropy": F.cross_entropy(ys[-1], other)}
    values[loss].backward()
    # Seven digits are more than the tests compare, and the float32 of an input with three decimals.
    digits = 9 if exact else 7
    for layer, y, (w, b), winners in zip(layers, ys, parameters, all_winners):
        layer |= {"y": flat(y, digits), "dy": flat(y.grad, digits)}
        layer |= {} if winners is None else {"winners": flat(winners, digits)}
        layer |= {} if w is None else {"w": flat(w, digits), "dw": flat(w.grad, digits)}
        layer |= {} if b is None else {"b": flat(b, digits), "db": flat(b.grad, digits)}
    return {"exact": exact, "shape": shape, "x": flat(x, digits), "loss": loss, "other": flat(other, digits),
            "value": float(f"{values[loss]:.9g}"), "dx": flat(x.grad, digits), "layers": layers}


chains = [random_chain(exact=i % 5 != 0) for i in range(200)] + [random_chain(False, "absolute_error") for _ in range(20)]
TRANSPOSED = [*KINDS, "conv_transpose", "conv_transpose"]
chains += [random_chain(i % 5 != 0, kinds=TRANSPOSED, most=3) for i in range(220)]
chains += [random_chain(False, "cross_entropy", KINDS if i % 2 else TRANSPOSED, most=3) for i in range(60)]
with open("chains.json", "w") as file:
    lines = ",\n".join(json.dumps(chain, separators=(",", ":")) for chain in chains)
    file.write("[\n" + lines + "\n]\n")
