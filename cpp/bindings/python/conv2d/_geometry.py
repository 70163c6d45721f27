"""Arguments of a convolution as a description of the library."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Literal, Union

from ._library import LAYOUTS, LIBRARY, PADDING_MODES, WEIGHTS_LAYOUTS, Desc, Geometry, Status, byref, must
from .errors import refuse

#: One number for both axes, or (vertical, horizontal).
PerAxis = Union[int, tuple[int, int]]
#: "valid" (none), "same" (TensorFlow's), "full", cells of every side, (vertical, horizontal), or
#: ((top, bottom), (left, right)).
Padding = Union[Literal["valid", "same", "full"], int, tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]
Layout = Literal["nhwc", "nchw"]
WeightsLayout = Literal["automatic", "hwio", "oihw", "ohwi"]

_X_AXES = {"nhwc": "n h w c", "nchw": "n c h w"}
_W_AXES = {"hwio": "kh kw i k", "oihw": "k i kh kw", "ohwi": "k kh kw i"}
_Y_AXES = {"nhwc": "n oh ow k", "nchw": "n k oh ow"}


def axes_of_x(layout: str) -> str:
    return _X_AXES[one_of(layout, "layout", LAYOUTS)]


def axes_of_y(layout: str) -> str:
    return _Y_AXES[one_of(layout, "layout", LAYOUTS)]


def axes_of_w(layout: str, weights_layout: str) -> str:
    if one_of(weights_layout, "weights_layout", WEIGHTS_LAYOUTS) == "automatic":
        weights_layout = "hwio" if layout == "nhwc" else "oihw"
    return _W_AXES[weights_layout]


def one_of(value: object, field: str, allowed: Sequence[str] | dict[str, int]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise refuse(field, f"{field} is {value!r}, but must be one of {', '.join(map(repr, allowed))}")


def whole(value: object, field: str) -> int:
    """A whole number, also one of NumPy."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise refuse(field, f"{field} is {value!r}, but must be a whole number") from None


def pair(value: object, field: str) -> tuple[int, int]:
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise refuse(field, f"{field} is {value!r}, but must be a number or (vertical, horizontal)")
        return whole(value[0], field), whole(value[1], field)
    return whole(value, field), whole(value, field)


def named_sizes(shape: Sequence[int], axes: str, field: str) -> dict[str, int]:
    """The size of each axis."""
    names = axes.split()
    if len(shape) != len(names):
        raise refuse(field, f"{field} has {len(shape)} axes, but must have {len(names)}: ({', '.join(names)})")
    return dict(zip(names, map(int, shape)))


def _sides(padding: object) -> dict[str, int]:
    if isinstance(padding, str):
        modes = [name for name in PADDING_MODES if name != "explicit_sides"]
        return {"padding_mode": PADDING_MODES[one_of(padding, "padding", modes)]}
    if isinstance(padding, (tuple, list)) and len(padding) not in (0, 2):
        allowed = "a number, (vertical, horizontal) or ((top, bottom), (left, right))"
        raise refuse("padding", f"padding is {padding!r}, but must be {allowed}")
    per_axis = padding if isinstance(padding, (tuple, list)) else (padding, padding)
    (top, bottom), (left, right) = (pair(cells, "padding") for cells in per_axis)
    return {"top": top, "bottom": bottom, "left": left, "right": right}


def description(
    x_shape: Sequence[int],
    w_shape: Sequence[int],
    stride: PerAxis,
    padding: Padding,
    dilation: PerAxis,
    groups: int,
    layout: str,
    weights_layout: str,
) -> Desc:
    """The description of a convolution of arrays with these shapes."""
    x = named_sizes(x_shape, axes_of_x(layout), "x")
    w = named_sizes(w_shape, axes_of_w(layout, weights_layout), "w")
    stride_h, stride_w = pair(stride, "stride")
    dilation_h, dilation_w = pair(dilation, "dilation")
    desc = Desc(
        **x,
        **{name: w[name] for name in ("k", "kh", "kw")},
        stride_h=stride_h,
        stride_w=stride_w,
        dilation_h=dilation_h,
        dilation_w=dilation_w,
        groups=whole(groups, "groups"),
        layout=LAYOUTS[layout],
        weights_layout=WEIGHTS_LAYOUTS[weights_layout],
        **_sides(padding),
    )
    # The library refuses groups that do not divide c.
    if desc.groups > 0 and desc.c % desc.groups == 0 and w["i"] * desc.groups != desc.c:
        needed = f"c / groups is {desc.c} / {desc.groups}"
        raise refuse("w", f"w has {w['i']} input channels, but {needed}", "channel_mismatch")
    return desc


def resolved(desc: Desc) -> Geometry:
    """All sizes that follow from a description."""
    geometry, status = Geometry(), Status()
    must(LIBRARY.conv2d_get_geometry(byref(desc), byref(geometry), byref(status)), status)
    return geometry
