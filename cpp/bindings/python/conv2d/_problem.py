"""Planned passes, and the convolution that they belong to."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Optional

from numpy.typing import ArrayLike

from ._arrays import NO_SPAN, Floats, Span, empty, floats, span, workspace
from ._geometry import Padding, PerAxis, description, one_of, resolved, whole
from ._library import (
    ACCURACIES,
    LIBRARY,
    PASSES,
    TENSORS_SIZE,
    Desc,
    PlanInfo,
    PlanOptions,
    Status,
    Tensors,
    byref,
    must,
    run,
)
from ._library import Floats as Elements
from .errors import refuse


@lru_cache(maxsize=None)
def _pool(threads: int) -> ctypes.c_void_p:
    """Threads that all runs share. They live as long as the process."""
    pool, status = ctypes.c_void_p(), Status()
    must(LIBRARY.conv2d_create_pool(threads, byref(pool), byref(status)), status)
    return pool


class Pass:
    """A planned pass."""

    def __init__(self, desc: Desc, result: str, threads: int, accuracy: str, algorithm: str, packed: bool) -> None:
        self._plan, status, info = ctypes.c_void_p(), Status(), PlanInfo()
        options = PlanOptions(
            algorithm=algorithm.encode() or None,
            macs_per_thread=1 << 20,
            threads=threads,
            accuracy=ACCURACIES[accuracy],
            packed_weights=packed,
            deterministic=1,
        )
        plan = byref(self._plan)
        must(LIBRARY.conv2d_create_plan(byref(desc), PASSES[result], byref(options), plan, byref(status)), status)
        must(LIBRARY.conv2d_get_plan_info(self._plan, byref(info), byref(status)), status)
        self.algorithm: str = info.algorithm.decode()
        self.packed_floats = info.packed_floats
        self._workspace_floats = info.workspace_floats
        self._pool = _pool(threads) if info.threads > 1 else None

    def __del__(self) -> None:
        if LIBRARY is not None:  # None while the interpreter ends
            LIBRARY.conv2d_destroy_plan(self._plan)

    def pack(self, w: Floats) -> Optional[Floats]:
        """w in the order in which this pass reads it; None if it reads w itself."""
        if self.packed_floats == 0:
            return None
        packed, status = empty((self.packed_floats,)), Status()
        source, target = Elements(*span(w)), Elements(*span(packed))
        must(LIBRARY.conv2d_pack_weights(self._plan, source, target, byref(status)), status)
        return packed

    def __call__(
        self,
        out: Floats,
        x: Span = NO_SPAN,
        w: Span = NO_SPAN,
        packed: Span = NO_SPAN,
        b: Span = NO_SPAN,
        dy: Span = NO_SPAN,
    ) -> Floats:
        memory = workspace.at_least(self._workspace_floats)
        tensors, status = Tensors(TENSORS_SIZE, *x, *w, *packed, *b, *dy, *span(out), *memory), Status()
        code = run(self._plan, byref(tensors), self._pool, byref(status))
        if code != 0:
            must(code, status)
        return out


class Problem:
    """A convolution of given shapes. Its passes are planned when they are first needed."""

    def __init__(
        self,
        x_shape: Sequence[int],
        w_shape: Sequence[int],
        stride: PerAxis,
        padding: Padding,
        dilation: PerAxis,
        groups: int,
        layout: str,
        weights_layout: str,
        threads: int,
        accuracy: str,
        algorithm: tuple[tuple[str, str], ...],
        packed: bool,
    ) -> None:
        self._desc = description(x_shape, w_shape, stride, padding, dilation, groups, layout, weights_layout)
        self._threads = whole(threads, "threads")
        if self._threads < 1:
            raise refuse("threads", f"threads is {threads}, but must be at least 1")
        self._accuracy = one_of(accuracy, "accuracy", ACCURACIES)
        self._algorithm = dict(algorithm)
        for name, chosen in self._algorithm.items():
            one_of(name, "algorithm", PASSES)
            if not isinstance(chosen, str):
                raise refuse("algorithm", f"algorithm is {chosen!r}, but must be a name")
        self._packed = packed
        geometry = resolved(self._desc)
        self.shapes: dict[str, tuple[int, ...]] = {
            "x": tuple(geometry.x_shape),
            "w": tuple(geometry.w_shape),
            "y": tuple(geometry.y_shape),
            "b": (self._desc.k,),
        }
        self._passes: dict[str, Pass] = {}
        self._planning = threading.Lock()

    def pass_of(self, result: str) -> Pass:
        found = self._passes.get(result)
        if found is None:
            with self._planning:
                chosen = self._algorithm.get(result, "")
                found = Pass(self._desc, result, self._threads, self._accuracy, chosen, self._packed)
                self._passes[result] = found
        return found

    def checked(self, value: ArrayLike, name: str, like: str) -> Floats:
        """`value` as a tensor with the shape of `like`."""
        array = floats(value, name)
        shape = self.shapes[like]
        if array.shape != shape:
            code = "input_size_mismatch" if name == "dy" else "length_mismatch"
            raise refuse(name, f"{name} has the shape {array.shape}, but must have {shape}", code)
        return array

    def bias(self, b: Optional[ArrayLike]) -> Optional[Floats]:
        return None if b is None else self.checked(b, "b", "b")
