"""Convolutions that are planned once, and the functions for single calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import NO_SPAN, Floats, Span, empty, floats, out_array, span
from ._geometry import Layout, Padding, PerAxis, WeightsLayout, one_of, whole
from ._library import PASSES
from ._problem import Problem
from .errors import refuse


class Gradients(NamedTuple):
    """The gradients of sum(y * dy). Those that were not asked for are None."""

    dx: Optional[Floats]
    dw: Optional[Floats]
    db: Optional[Floats]


_problem = lru_cache(maxsize=256, typed=True)(Problem)


def _hashable(value: object) -> object:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _wanted(of: Sequence[str]) -> tuple[str, ...]:
    names = (of,) if isinstance(of, str) else tuple(of)
    for name in names:
        one_of(name, "of", ("dx", "dw", "db"))
    return names


def forward(
    x: ArrayLike,
    w: ArrayLike,
    b: Optional[ArrayLike] = None,
    *,
    stride: PerAxis = 1,
    padding: Padding = "valid",
    dilation: PerAxis = 1,
    groups: int = 1,
    layout: Layout = "nhwc",
    weights_layout: WeightsLayout = "automatic",
    threads: int = 1,
    accuracy: str = "fast",
    algorithm: str = "",
    out: Optional[Floats] = None,
) -> Floats:
    """A 2-D convolution (cross-correlation, as in deep-learning frameworks).

        y[n,i,j,k] = b[k] + sum over p,q,c of
            x[n, i * stride + p * dilation - top, j * stride + q * dilation - left, c] * w[p,q,c,k]

    x: [n,h,w,c], with layout="nchw" [n,c,h,w].
    w: [kh,kw,c/groups,k], with layout="nchw" [k,c/groups,kh,kw]; weights_layout "hwio", "oihw" or "ohwi" names another
        order.
    b: [k], or None for no bias.
    stride, dilation: a number, or (vertical, horizontal). A dilation of 1 means none.
    padding: "valid" (none), "same" (TensorFlow's: odd padding goes to the bottom and right), "full", a number,
        (vertical, horizontal), or ((top, bottom), (left, right)).
    threads: the most threads of the call. They change no bit of the result.
    accuracy: "fast", "standard" or "strict": without Winograd.
    algorithm: a name; "" is the fastest.
    out: an array for y, contiguous float32, that shares no memory with an input.

    Returns y: [n,oh,ow,k], with layout="nchw" [n,k,oh,ow].

    Contiguous float32 arrays are read where they are. Other real numbers are converted to float32 in a copy.
    Raises Conv2dError, with the argument at fault in `field`.
    """
    x, w = floats(x, "x"), floats(w, "w")
    chosen = (("y", algorithm),) if algorithm else ()
    problem = _problem(
        x.shape,
        w.shape,
        _hashable(stride),
        _hashable(padding),
        _hashable(dilation),
        groups,
        layout,
        weights_layout,
        threads,
        accuracy,
        chosen,
        False,
    )
    bias = problem.bias(b)
    y = out_array(out, "out", problem.shapes["y"])
    return problem.pass_of("y")(y, x=span(x), w=span(w), b=NO_SPAN if bias is None else span(bias))


def backward(
    x: ArrayLike,
    w: ArrayLike,
    dy: ArrayLike,
    *,
    of: Sequence[str] = ("dx", "dw", "db"),
    stride: PerAxis = 1,
    padding: Padding = "valid",
    dilation: PerAxis = 1,
    groups: int = 1,
    layout: Layout = "nhwc",
    weights_layout: WeightsLayout = "automatic",
    threads: int = 1,
    accuracy: str = "fast",
) -> Gradients:
    """The gradients of sum(y * dy) for y = forward(x, w, b), summed over the batch (not averaged).

        dx[n,r,s,c] = sum of dy[n,i,j,k] * w[p,q,c,k] over all i,j,k,p,q that read x[n,r,s,c]
        dw[p,q,c,k] = sum over n,i,j of dy[n,i,j,k] * x[n, i * stride + p * dilation - top, ..., c]
        db[k]       = sum over n,i,j of dy[n,i,j,k]

    x, w and the other arguments are those of `forward`. dy has the shape of y.
    of: the gradients to compute.

    Returns (dx, dw, db) with the shapes of x, w and [k]; None for those that are not in `of`.
    Raises Conv2dError, with the argument at fault in `field`.
    """
    x, w = floats(x, "x"), floats(w, "w")
    wanted = _wanted(of)
    problem = _problem(
        x.shape,
        w.shape,
        _hashable(stride),
        _hashable(padding),
        _hashable(dilation),
        groups,
        layout,
        weights_layout,
        threads,
        accuracy,
        (),
        False,
    )
    dy = problem.checked(dy, "dy", "y")
    return Gradients(
        dx=problem.pass_of("dx")(empty(problem.shapes["x"]), w=span(w), dy=span(dy)) if "dx" in wanted else None,
        dw=problem.pass_of("dw")(empty(problem.shapes["w"]), x=span(x), dy=span(dy)) if "dw" in wanted else None,
        db=problem.pass_of("db")(empty(problem.shapes["b"]), dy=span(dy)) if "db" in wanted else None,
    )


class Plan:
    """A convolution that is planned once, with its weights packed, for many calls. Made by `plan`.

    Threads may share a plan. `update` must not run beside other calls.
    """

    def __init__(self, problem: Problem, w: ArrayLike, b: Optional[ArrayLike]) -> None:
        self._problem = problem
        self.update(w=w, b=b)

    @property
    def x_shape(self) -> tuple[int, ...]:
        """The shape of x, in the order of the layout."""
        return self._problem.shapes["x"]

    @property
    def w_shape(self) -> tuple[int, ...]:
        """The shape of w, in the order of the weights."""
        return self._problem.shapes["w"]

    @property
    def y_shape(self) -> tuple[int, ...]:
        """The shape of y, in the order of the layout."""
        return self._problem.shapes["y"]

    def algorithm(self, of: str) -> str:
        """The algorithm that computes "y", "dx", "dw" or "db"."""
        return self._problem.pass_of(one_of(of, "of", PASSES)).algorithm

    def update(self, *, w: Optional[ArrayLike] = None, b: Optional[ArrayLike] = None) -> None:
        """Replaces the weights or the bias. Both are copied."""
        weights = None if w is None else np.array(self._problem.checked(w, "w", "w"))
        bias = None if b is None else np.array(self._problem.bias(b))
        if weights is not None:
            self._w = weights
            # The weights as each pass reads them: the array, and arguments of its run.
            self._weights: dict[str, tuple[Floats, dict[str, Span]]] = {}
        if bias is not None or not hasattr(self, "_b"):
            self._b = bias
            self._b_span = NO_SPAN if bias is None else span(bias)

    def _weights_of(self, result: str) -> dict[str, Span]:
        if result not in self._weights:
            packed = self._problem.pass_of(result).pack(self._w)
            own = self._w if packed is None else packed
            self._weights[result] = own, {"w" if packed is None else "packed": span(own)}
        return self._weights[result][1]

    def forward(self, x: ArrayLike, *, out: Optional[Floats] = None) -> Floats:
        """y = conv(x, w) + b, as the function `forward`."""
        y = out_array(out, "out", self._problem.shapes["y"])
        x = self._problem.checked(x, "x", "x")
        return self._problem.pass_of("y")(y, x=span(x), b=self._b_span, **self._weights_of("y"))

    def backward(
        self,
        x: Optional[ArrayLike],
        dy: ArrayLike,
        *,
        of: Sequence[str] = ("dx", "dw", "db"),
        out: Optional[dict[str, Floats]] = None,
    ) -> Gradients:
        """The gradients of sum(y * dy), as the function `backward`. x may be None without "dw" in `of`.

        out: arrays for results, by their names, for example {"dx": array}.
        """
        wanted, out = _wanted(of), {} if out is None else out
        for name in out:
            one_of(name, "out", wanted)
        problem = self._problem
        dy = problem.checked(dy, "dy", "y")
        made: dict[str, Optional[Floats]] = {"dx": None, "dw": None, "db": None}
        for name, like in (("dx", "x"), ("dw", "w"), ("db", "b")):
            if name not in wanted:
                continue
            array = out_array(out.get(name), f"out[{name!r}]", problem.shapes[like])
            reads: dict[str, Span] = {}
            if name == "dx":
                reads = self._weights_of("dx")
            if name == "dw":
                if x is None:
                    raise refuse("x", "x is missing; it is needed for dw")
                x = problem.checked(x, "x", "x")
                reads = {"x": span(x)}
            made[name] = problem.pass_of(name)(array, dy=span(dy), **reads)
        return Gradients(**made)


def plan(
    x_shape: Sequence[int],
    w: ArrayLike,
    b: Optional[ArrayLike] = None,
    *,
    stride: PerAxis = 1,
    padding: Padding = "valid",
    dilation: PerAxis = 1,
    groups: int = 1,
    layout: Layout = "nhwc",
    weights_layout: WeightsLayout = "automatic",
    threads: int = 1,
    accuracy: str = "fast",
    algorithm: Optional[dict[str, str]] = None,
) -> Plan:
    """Plans a convolution for many calls with the same shapes. Its weights are packed at the first call of each pass.

    x_shape: the shape of x. The other arguments are those of `forward`.
    algorithm: names of algorithms by result, for example {"y": "direct"}; others are the fastest.

    Raises Conv2dError, with the argument at fault in `field`.
    """
    weights = floats(w, "w")
    shape = tuple(whole(size, "x") for size in x_shape)
    chosen = tuple((algorithm or {}).items())
    problem = Problem(
        shape,
        weights.shape,
        stride,
        padding,
        dilation,
        groups,
        layout,
        weights_layout,
        threads,
        accuracy,
        chosen,
        True,
    )
    return Plan(problem, weights, b)
