"""NumPy arrays as tensors of the library: dense, row-major float32."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import refuse

Floats = NDArray[np.float32]

_FLOAT32 = np.dtype(np.float32)
#: Kinds of numbers that are converted: floating point, integers, booleans.
_CONVERTED = ("f", "i", "u", "b")
#: Kernels are fastest on tensors that begin on a cache line; NumPy aligns to 16 bytes.
_LINE = 64


def floats(value: ArrayLike, name: str) -> Floats:
    """`value` itself if it is a contiguous float32 array, else a converted copy."""
    if type(value) is np.ndarray and value.dtype is _FLOAT32:
        flags = value.flags
        if flags.c_contiguous and flags.aligned:
            return value
    array = np.asarray(value)
    if array.dtype.kind not in _CONVERTED:
        raise refuse(name, f"{name} has elements of type {array.dtype}, but must have real numbers")
    return np.require(array, _FLOAT32, ["C", "A"])


def empty(shape: tuple[int, ...]) -> Floats:
    """A new array that begins on a cache line."""
    memory = np.empty(4 * math.prod(shape) + _LINE, np.uint8)
    return np.ndarray(shape, _FLOAT32, memory, -address(memory) % _LINE)


def address(array: NDArray[Any]) -> int:
    try:
        # Takes a tenth of the time of the general way.
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        pass  # not writeable, or empty
    start: int = array.__array_interface__["data"][0]
    return start


def out_array(out: Floats | None, name: str, shape: tuple[int, ...]) -> Floats:
    """A new array for a result, or that of the caller, which must have its shape and be contiguous float32."""
    if out is None:
        return empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype is not _FLOAT32:
        kind = f"an array of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise refuse(name, f"{name} is {kind}, but must be a NumPy array of float32")
    if out.shape != shape:
        raise refuse(name, f"{name} has the shape {out.shape}, but must have {shape}", "length_mismatch")
    if not out.flags.carray:
        raise refuse(name, f"{name} must be contiguous and writeable")
    return out


#: The address and the number of elements of a tensor, as a run needs them.
Span = tuple[int, int]
NO_SPAN: Span = (0, 0)


def span(array: Floats) -> Span:
    return address(array), array.size


class _Memory(threading.local):
    """The workspace of a thread, which grows to the largest one that a run of this thread needed."""

    def __init__(self) -> None:
        self.array = empty((0,))
        self.span = span(self.array)

    def at_least(self, count: int) -> Span:
        if self.span[1] < count:
            self.array = empty((count,))
            self.span = span(self.array)
        return self.span


workspace = _Memory()
