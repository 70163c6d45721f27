"""The page with arrays: results, links, limits and the output in a notebook."""

import base64
import html
import re
import time
import zlib

import conv2d
import numpy as np
import pytest
from conv2d import _show

# Case 4 of tests/golden/notebook.json, which has these results.
X, W = np.arange(49.0).reshape(1, 7, 7, 1), np.arange(12.0, 3, -1).reshape(3, 3, 1, 1)
Y = [74, 179, 257, 230, 567, 1020, 1164, 909, 1197, 2028, 2172, 1623, 1382, 2273, 2387, 1738]
DW = [216, 288, 216, 288, 384, 288, 216, 288, 216]


def fields_of(shown):
    return dict(part.split("=", 1) for part in shown.link.split("&"))


def values_of(text):
    """The values in a link, read as docs/links.md says."""
    kind, body = text.split("~")[1].split(".")
    data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    dtype = np.dtype({"i8": "i1", "i16": "<i2", "f32": "<f4"}[kind.rstrip("z")])
    if kind.endswith("z"):
        planes = np.frombuffer(zlib.decompress(data, -15), np.uint8)
        data = planes.reshape(dtype.itemsize, -1).T.tobytes()
    return kind, np.frombuffer(data, dtype)


def test_gives_all_arrays_back():
    shown = conv2d.show(X, W, stride=2, padding=1)
    assert shown.y.ravel().tolist() == Y
    assert shown.dw.ravel().tolist() == DW
    assert shown.db.tolist() == [16]
    assert shown.dx.shape == X.shape and shown.dx[0, 1, 1, 0] == 12 + 10 + 6 + 4
    assert shown.b is None and (shown.dy == 1).all() and np.array_equal(shown.x, X)


def test_writes_the_problem_into_the_link():
    shown = conv2d.show(X, W, stride=(2, 1), padding=((1, 0), (2, 0)), dilation=2, view="dx", fields={"cell": "dx.3"})
    assert values_of(fields_of(shown).pop("x"))[1].tolist() == list(range(49))
    expected = {"h": "7", "w": "7", "kh": "3", "kw": "3", "stride": "2x1", "padding": "1,0,2,0", "dilation": "2x2"}
    assert {**fields_of(shown), **expected, "mode": "dx", "cell": "dx.3"} == fields_of(shown)
    assert fields_of(conv2d.show(X, W, padding="same"))["padding"] == "same"


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("i8", [127, -127, 0]),
        ("i16", [128, 1, 0]),
        ("i16", [32767, -32767, 0]),
        ("f32", [32768, 1, 0]),
        ("f32", [0.5, 1, 2]),
        ("f32", [-0.0, 1, 2]),
        ("f32", [np.inf, 1, 2]),
    ],
)
def test_writes_values_exactly(kind, values):
    dy = np.array(values, np.float32).reshape(1, 1, 3, 1)
    found, read = values_of(fields_of(conv2d.show(np.ones((1, 1, 3, 1)), [[[[1]]]], dy=dy))["dy"])
    assert found.rstrip("z") == kind
    assert read.astype(np.float32).tobytes() == dy.tobytes()


def test_compresses_values():
    x = np.arange(10_000) % 1000
    kind, read = values_of(fields_of(conv2d.show(x.reshape(1, 100, 100, 1), W))["x"])
    assert kind == "i16z" and np.array_equal(read, x)


@pytest.mark.parametrize("weights_layout", ["hwio", "oihw", "ohwi"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
def test_takes_all_layouts(layout, weights_layout):
    rng = np.random.default_rng(1)
    x, w = rng.integers(-9, 9, (2, 6, 5, 3)), rng.integers(-9, 9, (3, 2, 3, 4))
    right = conv2d.show(x, w, stride=2)
    axes = {"hwio": (0, 1, 2, 3), "oihw": (3, 2, 0, 1), "ohwi": (3, 0, 1, 2)}[weights_layout]
    of = (lambda array: array.transpose(0, 3, 1, 2)) if layout == "nchw" else (lambda array: array)
    shown = conv2d.show(of(x), w.transpose(axes), stride=2, layout=layout, weights_layout=weights_layout)
    for name in ("y", "dx"):
        assert np.array_equal(getattr(shown, name), of(getattr(right, name)))
    assert np.array_equal(shown.dw, right.dw.transpose(axes))
    wanted = w if layout == "nhwc" else w.transpose(3, 2, 0, 1)
    assert np.array_equal(values_of(fields_of(shown)["weights"])[1], wanted.ravel())
    assert np.array_equal(values_of(fields_of(shown)["x"])[1], of(x).ravel())


def test_takes_arrays_in_any_order_of_memory():
    right = conv2d.show(X, W, stride=2, padding=1).link
    for x in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X.astype(">i4"), X.tolist(), X[:, ::-1][:, ::-1]):
        assert conv2d.show(x, W, stride=2, padding=1).link == right


@pytest.mark.parametrize(
    ("field", "words", "arguments"),
    [
        ("x", "c is 257, but the page draws at most 256", {"x": np.ones((1, 1, 1, 257)), "w": np.ones((1, 1, 257, 1))}),
        ("x", "w is 4097, but", {"x": np.ones((1, 1, 4097, 1)), "w": np.ones((1, 1, 1, 1))}),
        ("x", "n is 65, but", {"x": np.ones((65, 1, 1, 1)), "w": np.ones((1, 1, 1, 1))}),
        ("w", "kw is 32, but", {"x": np.ones((1, 1, 40, 1)), "w": np.ones((1, 32, 1, 1))}),
        ("w", "k is 257, but", {"x": np.ones((1, 1, 1, 1)), "w": np.ones((1, 1, 1, 257))}),
        ("padding", "padding.left is 65, but", {"padding": ((0, 0), (65, 0))}),
        ("stride", "stride is 33, but", {"stride": (33, 1)}),
        ("dilation", "dilation is 33, but", {"x": np.ones((1, 99, 99, 1)), "dilation": 33}),
        ("x", "complex128", {"x": X + 1j}),
        ("w", "2 axes, but must have 4", {"w": W[:, :, 0, 0]}),
        ("b", "must have (1,)", {"b": [1, 2]}),
        ("dy", "must have (1, 5, 5, 1)", {"dy": np.ones((1, 4, 4, 1))}),
        ("view", "'board'", {"view": "chart"}),
        ("height", "whole number", {"height": "tall"}),
    ],
)
def test_errors_name_the_argument(field, words, arguments):
    with pytest.raises(conv2d.Conv2dError, match=re.escape(words)) as refused:
        conv2d.show(**{"x": X, "w": W, **arguments})
    assert refused.value.field == field


def test_too_many_values_name_the_longest_array():
    noise = np.random.default_rng(1).normal(size=(1, 200, 200, 1))
    with pytest.raises(conv2d.Conv2dError, match=r"x has 40,000 values, .* the page opens at most 131,072") as refused:
        conv2d.show(noise, W)
    assert (refused.value.field, refused.value.code) == ("x", "beyond_limits")
    with pytest.raises(conv2d.Conv2dError, match="dy has 40,000 values"):
        conv2d.show(np.ones((1, 200, 200, 1)), [[[[1]]]], dy=noise)


def test_an_empty_batch_has_a_link():
    assert values_of(fields_of(conv2d.show(X[:0], W))["x"])[1].size == 0


def test_shows_a_separate_frame_in_a_notebook(monkeypatch):
    monkeypatch.setattr(_show, "_WINDOW", 0)
    shown = conv2d.show(X, W, height=400, fields={"code": '<"&'})
    frame = shown._repr_html_()
    (sandbox,) = re.findall(r'sandbox="([^"]*)"', frame)
    # With the origin of the notebook, the page could run code in it.
    assert "allow-same-origin" not in sandbox.split() and "allow-scripts" in sandbox.split()
    (document,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert html.unescape(document) == shown.html()
    assert 'height="400"' in frame
    assert shown.html().count("<script>location.hash ||= ") == 1
    assert "</script>" not in shown.link and "conv2d.Shown: x (1, 7, 7, 1)" in repr(shown)


def test_does_not_send_more_than_jupyter_passes_on(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr(_show, "_shown", _show.deque(maxlen=3))
    sent = []
    shown = conv2d.show(X, W)
    for _ in range(7):
        size = len(shown._repr_html_())
        sent.append((now[0], size))
    # The limit of its server: 1,000,000 bytes a second, over three seconds.
    for end, _ in sent:
        assert sum(size for at, size in sent if end - 3 <= at <= end) < 3_000_000
    assert sent[2][0] == 100
