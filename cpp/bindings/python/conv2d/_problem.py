"""Planned passes, and the convolution that they belong to."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Optional

from numpy.typing import ArrayLike

from ._arrays import Floats, address, empty, located, result, tensor, workspace
from ._geometry import Padding, PerAxis, description, one_of, resolved, whole
from ._library import (
    ACCURACIES,
    LIBRARY,
    PASSES,
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


#: The tensors that the pass of a result reads, beside packed weights.
_READ = {"y": ("x", "w", "b"), "dx": ("w", "dy"), "dw": ("x", "dy"), "db": ("dy",)}
#: The tensor with the shape of a result or a gradient.
LIKE = {"dx": "x", "dw": "w", "db": "b", "dy": "y"}


class Pass:
    """A planned pass."""

    def __init__(
        self,
        desc: Desc,
        shapes: dict[str, tuple[int, ...]],
        result: str,
        threads: int,
        accuracy: str,
        algorithm: str,
        packed: bool,
    ) -> None:
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
        self._pool = _pool(threads) if info.threads > 1 else None
        sizes = {name: math.prod(shapes[LIKE.get(name, name)]) for name in ("x", "w", "b", "dy", result)}
        self.packed_floats = info.packed_floats if packed else 0
        read = {f"{name}_count": sizes[name] for name in _READ[result] if name != "b"}
        if self.packed_floats:
            read |= {"w_count": 0, "packed_count": self.packed_floats}
        self._counts = {**read, "out_count": sizes[result]}
        self._bias_count = sizes["b"] if result == "y" else 0
        self._workspace_floats = info.workspace_floats
        #: Structures of earlier runs. A run takes one, so that threads never share one.
        self._idle: list[tuple[Tensors, object]] = []

    def __del__(self) -> None:
        if LIBRARY is not None:  # None while the interpreter ends
            LIBRARY.conv2d_destroy_plan(self._plan)

    def pack(self, w: Floats) -> Optional[tuple[Floats, int]]:
        """w in the order in which this pass reads it, and its address; None if it reads w itself."""
        if self.packed_floats == 0:
            return None
        (packed, start), status = empty((self.packed_floats,)), Status()
        source, target = Elements(address(w), w.size), Elements(start, packed.size)
        must(LIBRARY.conv2d_pack_weights(self._plan, source, target, byref(status)), status)
        return packed, start

    def __call__(self, out: int, x: int = 0, w: int = 0, packed: int = 0, b: int = 0, dy: int = 0) -> None:
        """Runs the pass on tensors at these addresses; 0 for those that it does not read. b may be 0: no bias."""
        try:
            idle = self._idle.pop()
        except IndexError:
            tensors = Tensors(**self._counts)
            idle = tensors, byref(tensors)
        tensors, pointer = idle
        tensors.out = out
        if x:
            tensors.x = x
        if w:
            tensors.w = w
        if packed:
            tensors.packed = packed
        if dy:
            tensors.dy = dy
        if self._bias_count:
            tensors.b = b
            tensors.b_count = b and self._bias_count
        if self._workspace_floats:
            memory = workspace.span
            if memory[1] < self._workspace_floats:
                memory = workspace.grow(self._workspace_floats)
            tensors.workspace, tensors.workspace_count = memory
        if run(self._plan, pointer, self._pool, None) != 0:
            # A run that is refused has written nothing.
            status = Status()
            must(run(self._plan, pointer, self._pool, byref(status)), status)
        self._idle.append(idle)


class Gradients(NamedTuple):
    """The gradients of sum(y * dy). Those that were not asked for are None."""

    dx: Optional[Floats]
    dw: Optional[Floats]
    db: Optional[Floats]


_NOTHING: dict[str, Floats] = {}


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
        self.passes: dict[str, Pass] = {}
        self._planning = threading.Lock()

    def pass_of(self, result: str) -> Pass:
        found = self.passes.get(result)
        if found is None:
            with self._planning:
                chosen = self._algorithm.get(result, "")
                found = Pass(self._desc, self.shapes, result, self._threads, self._accuracy, chosen, self._packed)
                self.passes[result] = found
        return found

    def tensor(self, value: ArrayLike, name: str) -> tuple[Floats, int]:
        """`value` as an array of the shape of x, w, b or dy, and its address."""
        if name == "dy":
            return tensor(value, name, self.shapes["y"], "input_size_mismatch")
        return tensor(value, name, self.shapes[name])

    def gradients(
        self,
        wanted: Sequence[str],
        dy: int,
        x: int = 0,
        w: int = 0,
        packed: int = 0,
        out: Mapping[str, Floats] = _NOTHING,
    ) -> Gradients:
        """The gradients `wanted` of tensors at these addresses, in the arrays `out` or in new ones."""
        shapes, passes = self.shapes, self.passes
        dx = dw = db = None
        if "dx" in wanted:
            dx = out.get("dx")
            start = located(dx, shapes["x"])
            if start is None:
                dx, start = result(dx, "out['dx']", shapes["x"])
            (passes.get("dx") or self.pass_of("dx"))(start, 0, w, packed, 0, dy)
        if "dw" in wanted:
            dw = out.get("dw")
            start = located(dw, shapes["w"])
            if start is None:
                dw, start = result(dw, "out['dw']", shapes["w"])
            (passes.get("dw") or self.pass_of("dw"))(start, x, 0, 0, 0, dy)
        if "db" in wanted:
            db, start = result(out.get("db"), "out['db']", shapes["b"])
            self.pass_of("db")(start, dy=dy)
        return Gradients(dx, dw, db)
