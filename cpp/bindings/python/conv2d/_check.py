"""Verdicts on results of other programs."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import address, floats
from ._geometry import Layout, Padding, PerAxis, WeightsLayout, axes_of_y, description, named_sizes, resolved
from ._library import (
    ELEMENT_TYPES,
    JUDGEMENTS,
    LAYOUTS,
    LIBRARY,
    PASSES,
    Desc,
    Elements,
    Judged,
    Status,
    VerdictInfo,
    byref,
    must,
)
from .errors import refuse


@dataclass(frozen=True)
class Verdict:
    """The verdict on one result.

    judgement: "matches", "scaled" (by `factor`), "mistake" (`names`), "partly_wrong" (`where`), "differs",
        "cannot_tell" or "does_not_fit".
    sentence: the verdict in words, with its numbers.
    names: of common mistakes that give this result: one, two one after the other (`in_sequence`), or several of which
        each gives it.
    worst: the index of the element with the largest error, where `yours` and `right` are its values; None if all match.
    """

    judgement: str
    sentence: str
    format: str = "float32"
    names: tuple[str, ...] = ()
    in_sequence: bool = False
    factor: float = 1
    where: str = ""
    cells: int = 0
    differing: int = 0
    worst: Optional[tuple[int, ...]] = None
    yours: float = 0
    right: float = 0

    def __bool__(self) -> bool:
        return self.judgement == "matches"

    def __str__(self) -> str:
        return self.sentence + (f" [{', '.join(self.names)}]" if self.names else "")


class WrongResult(AssertionError):
    """A result is wrong, or cannot be judged. `verdicts` has those of all results, by their names."""

    __module__ = "conv2d"

    def __init__(self, verdicts: dict[str, Verdict], sentence: str = "") -> None:
        self.verdicts = verdicts
        wrong = [name for name, verdict in verdicts.items() if not verdict]
        lines = [f"{name}: {verdict}" for name, verdict in verdicts.items()]
        super().__init__("\n".join([sentence or f"{', '.join(wrong)} of {', '.join(verdicts)}", *lines]))


def elements(value: Optional[ArrayLike], name: str) -> tuple[Elements, Optional[NDArray[np.generic]]]:
    """The elements of an array, and the array that owns them. 16-bit numbers stay as they are."""
    if value is None:
        return Elements(), None
    array = np.asarray(value)
    kind = array.dtype.name if array.dtype.name in ("float16", "bfloat16") else "float32"
    array = floats(array, name) if kind == "float32" else np.require(array, requirements=["C", "A"])
    return Elements(address(array), array.size, ELEMENT_TYPES[kind]), array


def _judge(desc: Desc, result: str, arrays: dict[str, Optional[ArrayLike]], learning_rate: float) -> Verdict:
    kept = {name: elements(arrays[name], name) for name in ("x", "w", "b", "dy", result)}
    judged = Judged(
        **{name: kept[name][0] for name in ("x", "w", "b", "dy")},
        result=kept[result][0],
        learning_rate=learning_rate,
        count_include_pad=1,
    )
    verdict, status, info = ctypes.c_void_p(), Status(), VerdictInfo()
    must(LIBRARY.conv2d_judge(byref(desc), PASSES[result], byref(judged), byref(verdict), byref(status)), status)
    try:
        must(LIBRARY.conv2d_get_verdict_info(verdict, byref(info), byref(status)), status)
        return Verdict(
            judgement=JUDGEMENTS[info.judgement],
            sentence=info.sentence.decode(),
            format=info.format.decode(),
            names=tuple(info.names[i].decode() for i in range(info.name_count)),
            in_sequence=info.in_sequence != 0,
            factor=info.factor,
            where=info.where.decode(),
            cells=info.cells,
            differing=info.differing,
            worst=index_of(info.worst, np.shape(kept[result][1])),
            yours=info.yours,
            right=info.right,
        )
    finally:
        LIBRARY.conv2d_destroy_verdict(verdict)


def index_of(cell: int, shape: Sequence[int]) -> Optional[tuple[int, ...]]:
    """The index of an element by its flat index; None for -1."""
    return None if cell < 0 else tuple(int(index) for index in np.unravel_index(cell, shape))


def _bias_only(dy: ArrayLike, layout: str) -> Desc:
    """A convolution with this dy: db does not depend on the rest."""
    sizes = named_sizes(np.shape(dy), axes_of_y(layout), "dy")
    ones = dict.fromkeys(("c", "kh", "kw", "stride_h", "stride_w", "dilation_h", "dilation_w", "groups"), 1)
    return Desc(n=sizes["n"], h=sizes["oh"], w=sizes["ow"], k=sizes["k"], layout=LAYOUTS[layout], **ones)


def check(
    *,
    x: Optional[ArrayLike] = None,
    w: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    dy: Optional[ArrayLike] = None,
    y: Optional[ArrayLike] = None,
    dx: Optional[ArrayLike] = None,
    dw: Optional[ArrayLike] = None,
    db: Optional[ArrayLike] = None,
    stride: PerAxis = 1,
    padding: Padding = "valid",
    dilation: PerAxis = 1,
    groups: int = 1,
    layout: Layout = "nhwc",
    weights_layout: WeightsLayout = "automatic",
    learning_rate: float = 0,
) -> dict[str, Verdict]:
    """Judges results of another program: y, dx, dw and db, those that are given.

        def test_my_layer():
            conv2d.check(x=x, w=w, dy=dy, dw=my_dw, db=my_db, stride=2, padding=1)

    x, w, b, dy: the tensors that the results follow from: x, w and b for y; w and dy for dx; x and dy for dw; dy
        for db.
    y, dx, dw, db: the results. float16 and bfloat16 (ml_dtypes) are judged as such, others as float32.
    stride, padding, dilation, groups, layout, weights_layout: those of `forward`.
    learning_rate: a further factor that has a reason, unless 0.

    Returns the verdict on each result, by its name. Right values are computed in double. Allowed are the errors of
    float32 sums in any order, and of 16-bit formats.
    Raises WrongResult, an AssertionError with the verdicts in words, unless every result is right: a factor, a common
    mistake by its name, or where it is wrong. Raises Conv2dError if an argument does not fit.
    """
    __tracebackhide__ = True  # pytest shows the line of the caller
    arrays = {"x": x, "w": w, "b": b, "dy": dy, "y": y, "dx": dx, "dw": dw, "db": db}
    results = [name for name in PASSES if arrays[name] is not None]
    if not results:
        raise refuse("y", "there is no result: check needs y, dx, dw or db")
    like_x, like_w = (x if x is not None else dx), (w if w is not None else dw)
    if like_x is not None and like_w is not None:
        shapes = np.shape(like_x), np.shape(like_w)
        desc = description(*shapes, stride, padding, dilation, groups, layout, weights_layout)
    elif results == ["db"] and dy is not None:
        desc = _bias_only(dy, layout)
    else:
        name = "x" if like_x is None else "w"
        raise refuse(name, f"{name} is missing: its shape is needed")
    misfits = {} if results == ["db"] else _misfits(desc, arrays)
    fitting = {name: _judge(desc, name, arrays, learning_rate) for name in results if name not in misfits}
    verdicts = {name: (misfits if name in misfits else fitting)[name] for name in results}
    if not all(verdicts.values()):
        raise WrongResult(verdicts)
    return verdicts


def _misfits(desc: Desc, arrays: dict[str, Optional[ArrayLike]]) -> dict[str, Verdict]:
    """Verdicts on results of another shape. An operand of another shape is an error."""
    geometry = resolved(desc)
    x, w, y = (tuple(shape) for shape in (geometry.x_shape, geometry.w_shape, geometry.y_shape))
    needed = {"x": x, "w": w, "b": (desc.k,), "dy": y, "y": y, "dx": x, "dw": w, "db": (desc.k,)}
    found: dict[str, Verdict] = {}
    for name, shape in needed.items():
        value = arrays[name]
        if value is None or np.shape(value) == shape:
            continue
        words = f"its shape is {np.shape(value)}, but must be {shape}"
        if name not in PASSES:
            raise refuse(name, f"{name} does not fit: {words}", "length_mismatch")
        found[name] = Verdict("does_not_fit", f"{name} does not fit: {words}.")
    return found
