"""Verdicts on the arrays of layers, without a description of them."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._check import Verdict, WrongResult, elements, index_of
from ._geometry import whole
from ._library import LIBRARY, Argument, Array, ArraysInfo, JudgedArrays, Status, byref, c_int64, must
from .errors import refuse


@dataclass(frozen=True)
class ArraysVerdict:
    """The verdict on the arrays of layers.

    judgement: "right", "wrong" (a result is, or a gradient changes between two layers) or "cannot_tell".
    sentence: the verdict in words.
    verdicts: on each result, by the name of its array.
    data: all of it, as `conv2d-check --json` prints it: layers with their kind, geometry, evidence and alternatives.
    """

    judgement: str
    sentence: str
    verdicts: dict[str, Verdict]
    data: dict[str, Any]

    def __bool__(self) -> bool:
        return self.judgement == "right"

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"{name}: {verdict}" for name, verdict in self.verdicts.items())])


def _integers(values: Sequence[int]) -> Any:
    return (c_int64 * len(values))(*values)


def _argument(name: str, value: object) -> Argument:
    if isinstance(value, str):
        return Argument(name=name.encode(), text=value.encode())
    listed = value if isinstance(value, (tuple, list, np.ndarray)) else (value,)
    numbers = _integers([whole(number, name) for number in listed])
    return Argument(name=name.encode(), values=numbers, count=len(listed))


def _verdict(data: dict[str, Any], shape: Sequence[int]) -> Verdict:
    worst = data.get("worst", -1)
    known = ("sentence", "format", "in_sequence", "where", "cells", "differing")
    return Verdict(
        judgement=data["verdict"],
        names=tuple(data.get("names", ())),
        worst=index_of(worst, shape),
        **{name: float(data[name]) for name in ("factor", "yours", "right") if name in data},
        **{name: data[name] for name in known if name in data},
    )


def check_arrays(
    arrays: Mapping[str, ArrayLike],
    arguments: Optional[Mapping[str, Union[int, str, Sequence[int]]]] = None,
    *,
    learning_rate: float = 0,
) -> ArraysVerdict:
    """Judges the arrays of one or more layers of another program, of which only the arrays are known.

        conv2d.check_arrays(np.load("layer.npz"))

    Finds which array is which tensor of which layer (convolution, transposed convolution, ReLU, pooling), the order of
    its axes, and stride, padding, dilation and groups, by names, by sizes and by values; then judges every result.

    arrays: by their names, for example "conv1.weight": x, w, b, y, dy, dx, dw, db and their usual names.
    arguments: of the layers, for example {"stride": 2, "conv2.padding": "same"}. They choose among what fits.
    learning_rate: a further factor that has a reason, unless 0.

    Returns the verdict, if every result is right. Takes about as long as some twenty plain runs of the layers.
    Raises WrongResult, an AssertionError with the verdicts in words, if one is wrong or nothing can be judged. Raises
    Conv2dError if an array has no real numbers.
    """
    __tracebackhide__ = True  # pytest shows the line of the caller
    names = list(arrays)
    if not names:
        raise refuse("arrays", "there is no array")
    kept = [elements(arrays[name], name) for name in names]
    shapes = [np.shape(array) for _, array in kept]
    given = (Array * len(names))(
        *(
            Array(name=name.encode(), shape=_integers(shape), axes=len(shape), values=values)
            for name, shape, (values, _) in zip(names, shapes, kept)
        )
    )
    options = [_argument(name, value) for name, value in (arguments or {}).items()]
    judged = JudgedArrays(
        arrays=given,
        array_count=len(names),
        arguments=(Argument * len(options))(*options),
        argument_count=len(options),
        learning_rate=learning_rate,
    )
    pointer, status, info = ctypes.c_void_p(), Status(), ArraysInfo()
    must(LIBRARY.conv2d_judge_arrays(byref(judged), byref(pointer), byref(status)), status)
    try:
        must(LIBRARY.conv2d_get_arrays_info(pointer, byref(info), byref(status)), status)
        data = json.loads(info.json.decode())
    finally:
        LIBRARY.conv2d_destroy_arrays_verdict(pointer)
    shape_of = dict(zip(names, shapes))
    results = [result for layer in data["layers"] for result in layer["tensors"].values()]
    verdicts = {result["array"]: _verdict(result, shape_of[result["array"]]) for result in results}
    verdict = ArraysVerdict(data["verdict"], data["sentence"], verdicts, data)
    if not verdict:
        raise WrongResult(verdicts, verdict.sentence)
    return verdict
