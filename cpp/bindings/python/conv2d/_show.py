"""The page of the project with the arrays of a convolution, in a notebook or as a file."""

from __future__ import annotations

import base64
import html
import json
import time
import zlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Optional, Union
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats
from ._geometry import Layout, Padding, PerAxis, WeightsLayout, axes_of_w, description, one_of, whole
from ._layer import backward, forward
from ._library import LAYOUTS, PADDING_MODES, Desc
from .errors import Conv2dError, refuse

#: What the page draws at most, by the field of the description.
LIMITS = {
    **dict.fromkeys(("h", "w"), 4096),
    **dict.fromkeys(("c", "k", "groups"), 256),
    "n": 64,
    **dict.fromkeys(("kh", "kw"), 31),
    **dict.fromkeys(("stride_h", "stride_w", "dilation_h", "dilation_w"), 32),
    **dict.fromkeys(("top", "bottom", "left", "right"), 64),
}
#: Characters of a link that the page opens.
LINK_LIMIT = 2**17
VIEWS = ("board", "geometry", "dx", "dw", "lowering", "matrix", "gradient-check", "learn")

_PADDING = ("top", "bottom", "left", "right")
#: The field of each array in a link, and how its source begins.
_SOURCES = {"x": ("x", "brought"), "w": ("weights", "brought"), "b": ("bias", "brought"), "dy": ("dy", "values")}


@dataclass(frozen=True, eq=False, repr=False)
class Shown:
    """A convolution on the page. A notebook shows it as the value of a cell, or with `display`.

    x, w, b, dy: the inputs, as float32. y, dx, dw, db: the results, computed by this package when `show` was called.
        All have the layouts of the call.
    link: the state of the page, as the text of a link after its "#".
    """

    x: Floats
    w: Floats
    b: Optional[Floats]
    dy: Floats
    y: Floats
    dx: Floats
    dw: Floats
    db: Floats
    link: str
    height: int

    def html(self) -> str:
        """The page with these arrays as one document, which needs no network."""
        # Before the policy of the page, which allows no other script. Later states have a hash of their own.
        start = f"<script>location.hash ||= {json.dumps(self.link)}</script>"
        return _page().replace("<head>", f"<head>{start}", 1)

    def save(self, path: Union[str, Path]) -> None:
        """Writes the page with these arrays as a file, which a browser opens from the disk."""
        Path(path).write_text(self.html(), encoding="utf-8")

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {getattr(self, name).shape}" for name in ("x", "w", "y"))
        return f"<conv2d.Shown: {shapes}; a notebook shows the page, and save(path) writes it>"

    def _repr_html_(self) -> str:
        _slow_down()
        # The sandbox separates the page from the notebook: no origin, so no cookies and no storage.
        return (
            f'<iframe title="Convolution" width="100%" height="{self.height}" style="border: 0; color-scheme: normal"'
            ' sandbox="allow-scripts allow-downloads" allow="clipboard-write; fullscreen"'
            f' srcdoc="{html.escape(self.html())}"></iframe>'
        )


@lru_cache(maxsize=1)
def _page() -> str:
    return Path(__file__).with_name("conv2d.html").read_text(encoding="utf-8")


#: The times of the last outputs.
_shown: deque[float] = deque(maxlen=3)
#: Jupyter's server counts the bytes of outputs over 3 seconds. It drops those above 3 MB, which are three pages.
_WINDOW = 3.2


def _slow_down() -> None:
    if len(_shown) == _shown.maxlen:
        time.sleep(max(0.0, _shown[0] + _WINDOW - time.monotonic()))
    _shown.append(time.monotonic())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _numbers(array: Floats) -> str:
    """The values as a link has them: the narrowest of its types, compressed if that is shorter."""
    largest = np.abs(array).max(initial=0)
    # A whole number has no -0.
    is_whole = (np.trunc(array) == array).all() and not np.signbit(array[array == 0]).any()
    types = (("i8", "i1", 127), ("i16", "<i2", 32767), ("f32", "<f4", np.inf))
    kind, dtype, _ = next(entry for entry in types if entry[0] == "f32" or (is_whole and largest <= entry[2]))
    values: NDArray[np.generic] = array.ravel().astype(dtype)
    plain = values.tobytes()
    # Raw deflate of the first bytes of all values, then of the second bytes.
    planes = values.view(np.uint8).reshape(array.size, values.itemsize).T.tobytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(planes) + packer.flush()
    return f"{kind}z.{_base64(packed)}" if len(packed) < len(plain) else f"{kind}.{_base64(plain)}"


def _sizes(desc: Desc) -> dict[str, object]:
    """The description as fields of a link. Refuses sizes that the page does not draw."""
    sides = PADDING_MODES["explicit_sides"]
    for name, most in LIMITS.items():
        value = getattr(desc, name)
        if value > most and not (name in _PADDING and desc.padding_mode != sides):
            known = f"padding.{name}" if name in _PADDING else name
            message = f"{known} is {value}, but the page draws at most {most}"
            # Both x and w have a size w.
            raise Conv2dError.of_library("beyond_limits", "x" if name == "w" else known, message)
    modes = {number: name for name, number in PADDING_MODES.items()}
    explicit = ",".join(str(getattr(desc, side)) for side in _PADDING)
    return {
        **{name: getattr(desc, name) for name in ("h", "w", "kh", "kw")},
        "stride": f"{desc.stride_h}x{desc.stride_w}",
        "padding": explicit if desc.padding_mode == sides else modes[desc.padding_mode],
        "dilation": f"{desc.dilation_h}x{desc.dilation_w}",
        **{name: getattr(desc, name) for name in ("n", "c", "k", "groups")},
        "layout": next(name for name, number in LAYOUTS.items() if number == desc.layout),
    }


def _link(desc: Desc, arrays: dict[str, Floats], fields: Mapping[str, object]) -> str:
    texts = {name: _numbers(array) for name, array in arrays.items()}
    sources = {_SOURCES[name][0]: f"{_SOURCES[name][1]}~{text}" for name, text in texts.items()}
    parts = {"v": 2, **_sizes(desc), **sources, **fields}
    link = "&".join(f"{name}={quote(str(value), safe='~,.:')}" for name, value in parts.items())
    if len(link) > LINK_LIMIT:
        longest = max(texts, key=lambda name: len(texts[name]))
        raise refuse(
            longest,
            f"{longest} has {arrays[longest].size:,} values, which take {len(texts[longest]):,} characters of a link of "
            f"{len(link):,}; the page opens at most {LINK_LIMIT:,}",
            "beyond_limits",
        )
    return link


def _as_page(w: Floats, layout: str, weights_layout: str) -> Floats:
    """The weights in the order of the page: HWIO beside NHWC, OIHW beside NCHW."""
    own, wanted = (axes_of_w(layout, name).split() for name in (weights_layout, "automatic"))
    return np.ascontiguousarray(w.transpose([own.index(axis) for axis in wanted]))


def show(
    x: ArrayLike,
    w: ArrayLike,
    b: Optional[ArrayLike] = None,
    dy: Optional[ArrayLike] = None,
    *,
    stride: PerAxis = 1,
    padding: Padding = "valid",
    dilation: PerAxis = 1,
    groups: int = 1,
    layout: Layout = "nhwc",
    weights_layout: WeightsLayout = "automatic",
    view: str = "board",
    fields: Optional[Mapping[str, object]] = None,
    height: int = 720,
) -> Shown:
    """Computes all passes, and shows the page with these arrays in a notebook, without a network.

        shown = conv2d.show(x, w, stride=2)
        shown      # the page
        shown.dx   # an array

    x, w, b and the other arguments are those of `forward`. dy: the upstream gradient, ones by default.
    view: "board", "geometry", "dx", "dw", "lowering", "matrix", "gradient-check" or "learn".
    fields: further fields of a link (docs/links.md), for example {"cell": "dx.12", "dx.way": "scatter"}.
    height: of the frame, in pixels.

    Returns the inputs and the results as arrays. The page computes the same results by itself, and edits in it do not
    change these arrays.
    Raises Conv2dError, with the argument at fault in `field`, also for what is too large for the page.
    """
    x, w = floats(x, "x"), floats(w, "w")
    one_of(view, "view", VIEWS)
    options = {
        **{"stride": stride, "padding": padding, "dilation": dilation},
        **{"groups": groups, "layout": layout, "weights_layout": weights_layout},
    }
    desc = description(x.shape, w.shape, stride, padding, dilation, groups, layout, weights_layout)
    y = forward(x, w, b, **options)
    given = np.ones_like(y) if dy is None else floats(dy, "dy")
    dx, dw, db = backward(x, w, given, **options)
    bias = None if b is None else floats(b, "b")
    arrays = {"x": x, "w": _as_page(w, layout, weights_layout)}
    if bias is not None:
        arrays["b"] = bias
    if dy is not None:
        arrays["dy"] = given
    link = _link(desc, arrays, {"mode": view, **(fields or {})})
    return Shown(x, w, bias, given, y, dx, dw, db, link, whole(height, "height"))
