"""NumPy arrays as tensors of the library: dense, row-major float32."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import refuse

Floats = NDArray[np.float32]

_FLOAT32 = np.dtype(np.float32)
#: Kinds of numbers that are converted: floating point, integers, booleans.
_CONVERTED = ("f", "i", "u", "b")
#: Kernels are fastest on tensors that begin on a cache line; NumPy aligns to 16 bytes.
_LINE = 64

addressof, first_byte = ctypes.addressof, ctypes.c_char.from_buffer


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


def address(array: NDArray[Any]) -> int:
    try:
        # Takes half the time of the general way.
        return addressof(first_byte(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        pass  # not writeable, or empty
    start: int = array.__array_interface__["data"][0]
    return start


def empty(shape: tuple[int, ...]) -> tuple[Floats, int]:
    """A new array that begins on a cache line, and its address."""
    memory = np.empty(4 * math.prod(shape) + _LINE, np.uint8)
    start = addressof(first_byte(memory))
    return np.ndarray(shape, _FLOAT32, memory, -start % _LINE), start + -start % _LINE


def located(array: object, shape: tuple[int, ...]) -> Optional[int]:
    """The address of an array that a kernel may use as it is; None of others, and of some that need further checks."""
    if type(array) is not np.ndarray or array.dtype is not _FLOAT32 or array.shape != shape:
        return None
    try:
        # Refuses memory that is not contiguous, not writeable, or empty.
        start = addressof(first_byte(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return None if start % 4 else start


def tensor(value: ArrayLike, name: str, shape: tuple[int, ...], code: str = "length_mismatch") -> tuple[Floats, int]:
    """`value` as an array of this shape, and its address."""
    array = floats(value, name)
    if array.shape != shape:
        raise refuse(name, f"{name} has the shape {array.shape}, but must have {shape}", code)
    return array, address(array)


def result(out: Optional[Floats], name: str, shape: tuple[int, ...]) -> tuple[Floats, int]:
    """A new array, or that of the caller, which must have this shape and be contiguous float32; and its address."""
    if out is None:
        return empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype is not _FLOAT32:
        kind = f"an array of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise refuse(name, f"{name} is {kind}, but must be a NumPy array of float32")
    if out.shape != shape:
        raise refuse(name, f"{name} has the shape {out.shape}, but must have {shape}", "length_mismatch")
    if not out.flags.carray:
        raise refuse(name, f"{name} must be contiguous and writeable")
    return out, address(out)


class _Memory(threading.local):
    """The workspace of a thread, which grows to the largest one that a run of this thread needed."""

    def __init__(self) -> None:
        #: Its address and its number of elements.
        self.span = (0, 0)

    def grow(self, count: int) -> tuple[int, int]:
        self._array, start = empty((count,))
        self.span = start, count
        return self.span


workspace = _Memory()
