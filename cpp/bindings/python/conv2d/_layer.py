"""Convolutions that are planned once, and the functions for single calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, address, floats, located, result
from ._geometry import Layout, Padding, PerAxis, WeightsLayout, one_of, whole
from ._library import PASSES
from ._problem import Gradients, Problem
from .errors import refuse


_problem = lru_cache(maxsize=256, typed=True)(Problem)


def _hashable(value: object) -> object:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


_GRADIENTS = ("dx", "dw", "db")


_ONE_GRADIENT = {name: (name,) for name in _GRADIENTS}


def _wanted(of: Sequence[str]) -> Sequence[str]:
    if of is _GRADIENTS:
        return of
    if isinstance(of, str):
        return _ONE_GRADIENT.get(of) or (one_of(of, "of", _GRADIENTS),)
    for name in of:
        one_of(name, "of", _GRADIENTS)
    return of


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
    b, b_start = (None, 0) if b is None else problem.tensor(b, "b")
    y, start = result(out, "out", problem.shapes["y"])
    problem.pass_of("y")(start, x=address(x), w=address(w), b=b_start)
    return y


def backward(
    x: ArrayLike,
    w: ArrayLike,
    dy: ArrayLike,
    *,
    of: Sequence[str] = _GRADIENTS,
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
    dy, dy_start = problem.tensor(dy, "dy")
    return problem.gradients(wanted, dy_start, address(x), address(w))


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
        weights = None if w is None else np.array(self._problem.tensor(w, "w")[0])
        bias = None if b is None else np.array(self._problem.tensor(b, "b")[0])
        if weights is not None:
            self._w = weights
            #: Of each pass that reads weights: the array, its address, and that of packed weights.
            self._weights: dict[str, tuple[Floats, int, int]] = {}
        if bias is not None or not hasattr(self, "_b"):
            self._b = bias
            self._b_start = 0 if bias is None else address(bias)

    def _weights_of(self, result: str) -> tuple[Floats, int, int]:
        found = self._weights.get(result)
        if found is None:
            packed = self._problem.pass_of(result).pack(self._w)
            found = (self._w, address(self._w), 0) if packed is None else (packed[0], 0, packed[1])
            self._weights[result] = found
        return found

    def forward(self, x: ArrayLike, *, out: Optional[Floats] = None) -> Floats:
        """y = conv(x, w) + b, as the function `forward`."""
        problem = self._problem
        shapes = problem.shapes
        x_start = located(x, shapes["x"])
        if x_start is None:
            x, x_start = problem.tensor(x, "x")
        start = located(out, shapes["y"])
        if start is None:
            out, start = result(out, "out", shapes["y"])
        _, w, packed = self._weights.get("y") or self._weights_of("y")
        (problem.passes.get("y") or problem.pass_of("y"))(start, x_start, w, packed, self._b_start)
        return out  # type: ignore[return-value]

    def backward(
        self,
        x: Optional[ArrayLike],
        dy: ArrayLike,
        *,
        of: Sequence[str] = _GRADIENTS,
        out: Optional[dict[str, Floats]] = None,
    ) -> Gradients:
        """The gradients of sum(y * dy), as the function `backward`. x may be None without "dw" in `of`.

        out: arrays for results, by their names, for example {"dx": array}.
        """
        problem = self._problem
        wanted = _wanted(of)
        if out:
            for name in out:
                if name not in wanted:
                    one_of(name, "out", wanted)
        dy_start = located(dy, problem.shapes["y"])
        if dy_start is None:
            dy, dy_start = problem.tensor(dy, "dy")
        x_start = w = packed = 0
        if "dw" in wanted:
            if x is None:
                raise refuse("x", "x is missing; it is needed for dw")
            start = located(x, problem.shapes["x"])
            x, x_start = problem.tensor(x, "x") if start is None else (x, start)
        if "dx" in wanted:
            _, w, packed = self._weights.get("dx") or self._weights_of("dx")
        return problem.gradients(wanted, dy_start, x_start, w, packed, out or {})


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
