"""Values from outside the project (tests/golden), and mistakes that the judge must name."""

import json
import os
from pathlib import Path

import conv2d
import numpy as np
import pytest

GOLDEN = Path(os.environ["CONV2D_GOLDEN"])


def golden(name):
    return json.loads((GOLDEN / name).read_text())


def by_rule(rule, shape):
    """"0, 1, 2, ... row-major" counts up, "12, 11, 10, ... row-major" down; "ones" is all ones; or the values."""
    if rule == "ones":
        return np.ones(shape, np.float32)
    if isinstance(rule, list):
        return np.array(rule, np.float32).reshape(shape)
    first, second = (float(number) for number in rule.split(",")[:2])
    return (first + (second - first) * np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)


def sides(top, bottom, left, right):
    return ((top, bottom), (left, right))


@pytest.mark.parametrize("case", golden("notebook.json")["cases"], ids=lambda case: case["name"])
def test_notebook(case):
    x, w = by_rule(case["x"], case["x_shape"]), by_rule(case["w"], case["w_shape"])
    b = None if case["b"] is None else by_rule(case["b"], (w.shape[3],))
    options = {
        "stride": tuple(case["stride"]),
        "padding": sides(*case["padding"]),
        "dilation": tuple(case["dilation"]),
        "groups": case["groups"],
        "accuracy": "strict",
    }
    y = conv2d.forward(x, w, b, **options)
    dy = by_rule(case["dy"], y.shape)
    dx, dw, db = conv2d.backward(x, w, dy, **options)
    layer = conv2d.plan(x.shape, w, b, **options)
    for results in ((y, dx, dw, db), (layer.forward(x), *layer.backward(x, dy))):
        for name, result in zip(("y", "dx", "dw", "db"), results):
            assert result.ravel().tolist() == case[name], name
    del options["accuracy"]
    verdicts = conv2d.check(x=x, w=w, b=b, dy=dy, y=y, dx=dx, dw=dw, db=db, **options)
    assert list(verdicts) == ["y", "dx", "dw", "db"]


AXES = ("window", "stride", "dilation")


def convolutions():
    """Every convolution of the chains, in NCHW and OIHW."""
    for at, chain in enumerate(golden("chains.json")):
        x, shape, dx = chain["x"], chain["shape"], chain["dx"]
        for layer in chain["layers"]:
            n, c, h, w = shape
            (top, bottom, left, right), k = layer.get("padding", [0, 0, 0, 0]), layer.get("k", c)
            sizes = zip((h + top + bottom, w + left + right), *(layer.get(name, [1, 1]) for name in AXES))
            oh, ow = ((cells - dilation * (taps - 1) - 1) // stride + 1 for cells, taps, stride, dilation in sizes)
            if layer["kind"] == "conv_transpose":
                sizes = zip((h, w), (top + bottom, left + right), layer["output_padding"], *(layer[name] for name in AXES))
                oh, ow = (
                    (cells - 1) * stride + dilation * (taps - 1) + 1 - cut + more
                    for cells, cut, more, taps, stride, dilation in sizes
                )
            if layer["kind"] == "conv":
                yield at, chain["exact"], shape, [k, oh, ow], x, dx, layer
            x, shape, dx = layer["y"], [n, k, oh, ow], layer["dy"]


@pytest.mark.parametrize("case", list(convolutions()), ids=lambda case: f"chain-{case[0]}")
def test_chains(case):
    _, exact, shape, (k, oh, ow), x, dx, layer = case
    x = by_rule(x, shape)
    w = by_rule(layer["w"], (k, shape[1] // layer["groups"], *layer["window"]))
    b = by_rule(layer["b"], (k,)) if "b" in layer else None
    dy = by_rule(layer["dy"], (shape[0], k, oh, ow))
    options = {
        "stride": tuple(layer["stride"]),
        "padding": sides(*layer["padding"]),
        "dilation": tuple(layer["dilation"]),
        "groups": layer["groups"],
        "layout": "nchw",
    }
    results = conv2d.forward(x, w, b, **options), *conv2d.backward(x, w, dy, **options)
    expected = layer["y"], dx, layer["dw"], layer.get("db")
    for name, result, right in zip(("y", "dx", "dw", "db"), results, expected):
        if right is not None:
            bound = 0 if exact else 1e-5 * max(1, float(np.abs(right).max(initial=0)))
            assert np.abs(result.ravel() - np.array(right)).max(initial=0) <= bound, name


@pytest.mark.parametrize("case", golden("wrong_gradients.json")["wrong"], ids=lambda case: case["what"])
def test_wrong_gradients(case):
    p = case["problem"]
    groups, (kh, kw) = p.get("groups", 1), (p["kh"], p["kw"])
    x = by_rule(case["x"], (p["n"], p["c"], p["h"], p["w"]))
    w = by_rule(case["w"], (p["k"], p["c"] // groups, kh, kw))
    options = {
        "stride": tuple(p.get("stride", [1, 1])),
        "padding": sides(*p.get("padding", [0, 0, 0, 0])),
        "dilation": tuple(p.get("dilation", [1, 1])),
        "groups": groups,
        "layout": "nchw",
    }
    y_shape = conv2d.plan(x.shape, w, **options).y_shape
    dy, name = by_rule(case["dy"], y_shape), case["gradient"]
    shape = {"dx": x.shape, "dw": w.shape, "db": (p["k"],)}[name]
    conv2d.check(x=x, w=w, dy=dy, **{name: by_rule(case["right"], shape)}, **options)
    with pytest.raises(conv2d.WrongResult) as refused:
        conv2d.check(x=x, w=w, dy=dy, **{name: by_rule(case["wrong"], shape)}, **options)
    assert case["mistake"] in refused.value.verdicts[name].names
    assert case["mistake"] in str(refused.value)
