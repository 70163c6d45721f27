"""Times the Python package: a planned call, the same kernel by the C library alone, and PyTorch, in turn.

python main.py NAMED_SHAPES ROUNDS SHAPE...
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import conv2d
import numpy as np
from conv2d import _arrays as arrays
from conv2d import _library as library

#: A sample repeats a call for at least this many seconds.
SECONDS = 0.02

Call = Callable[[], object]


def filled(*shape: int) -> arrays.Floats:
    """Random values in memory that begins on a cache line, as that of PyTorch."""
    array, _ = arrays.empty(shape)
    array[...] = np.random.default_rng(1).standard_normal(shape, np.float32)
    return array


def kernel_alone(plan: conv2d.Plan, result: str, tensors: dict[str, arrays.Floats]) -> Call:
    """The run of a plan as a program in C makes it: no checks, no conversion, no new arrays."""
    planned = plan._problem.pass_of(result)
    starts = {name: arrays.address(array) for name, array in tensors.items()}
    if result in ("y", "dx"):
        _, starts["w"], starts["packed"] = plan._weights_of(result)
    planned(**starts)
    # It has filled this structure, and keeps it for the next run.
    _, pointer = planned._idle.pop()
    return lambda: library.run(planned._plan, pointer, planned._pool, None)


def torch_calls(
    d: dict[str, int], x: arrays.Floats, w: arrays.Floats, dy: arrays.Floats, padding: int
) -> dict[str, Call]:
    """The passes by PyTorch, on arrays in its own order; {} without PyTorch."""
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    tx, ty = (torch.from_numpy(array).permute(0, 3, 1, 2).contiguous() for array in (x, dy))
    tw = torch.from_numpy(w).permute(3, 2, 0, 1).contiguous()
    stride, pad = [d.get("stride_h", 1), d.get("stride_w", 1)], [padding, padding]
    groups = d.get("groups", 1)

    def backward(dx: bool, dw: bool) -> Call:
        wanted = [dx, dw, False]
        function = torch.ops.aten.convolution_backward
        return lambda: function(ty, tx, tw, None, stride, pad, [1, 1], False, [0, 0], groups, wanted)

    return {
        "y": lambda: torch.nn.functional.conv2d(tx, tw, None, stride, pad, 1, groups),
        "dx": backward(True, False),
        "dw": backward(False, True),
    }


def times(calls: dict[str, Call], rounds: int) -> tuple[dict[str, float], float]:
    """The median processor time of each call in microseconds, sampled in turn, and the median of the first time by the
    second in the same round. Other processes do not count.
    """
    counts: dict[str, int] = {}
    for name, call in calls.items():
        call()
        begin = time.thread_time()
        call()
        counts[name] = max(1, int(SECONDS / max(time.thread_time() - begin, 1e-7)))
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            # The one before has left its own arrays in the caches.
            call()
            begin = time.thread_time()
            for _ in range(counts[name]):
                call()
            samples[name].append((time.thread_time() - begin) / counts[name] * 1e6)
    first, second, *_ = samples.values()
    ratio = statistics.median(a / b for a, b in zip(first, second))
    return {name: statistics.median(each) for name, each in samples.items()}, ratio


def race(shape: dict, rounds: int) -> None:
    d = shape["desc"]
    padding = d.get("padding", {}).get("top", 0)
    x = filled(d["n"], d["h"], d["w"], d["c"])
    w = filled(d["kh"], d["kw"], d["c"] // d.get("groups", 1), d["k"])
    stride = d.get("stride_h", 1), d.get("stride_w", 1)
    plan = conv2d.plan(x.shape, w, stride=stride, padding=padding, groups=d.get("groups", 1))
    y, dy, dx, dw = (filled(*shape) for shape in (plan.y_shape, plan.y_shape, x.shape, w.shape))
    ours: dict[str, Call] = {
        "y": lambda: plan.forward(x, out=y),
        "dx": lambda: plan.backward(None, dy, of="dx", out={"dx": dx}),
        "dw": lambda: plan.backward(x, dy, of="dw", out={"dw": dw}),
    }
    reads = {"y": {"x": x, "out": y}, "dx": {"dy": dy, "out": dx}, "dw": {"x": x, "dy": dy, "out": dw}}
    theirs = torch_calls(d, x, w, dy, padding)
    for result, call in ours.items():
        entrants = {"ours": call, "kernel": kernel_alone(plan, result, reads[result])}
        if result in theirs:
            entrants["torch"] = theirs[result]
        found, ratio = times(entrants, rounds)
        lost = 100 * (ratio - 1)
        peer = f"{found['torch']:10.1f}  {found['torch'] / found['ours']:6.2f}" if "torch" in found else ""
        times_of_ours = f"{found['ours']:10.1f} {found['kernel']:10.1f} {lost:6.1f} %"
        print(f"{shape['name']:5} {result:3} {times_of_ours}  {peer}", flush=True)


def main() -> None:
    file, rounds, *names = sys.argv[1:]
    print("shape      call, us  kernel, us   lost    torch, us  torch / call")
    for shape in json.loads(Path(file).read_text()):
        if shape["name"] in names:
            race(shape, int(rounds))


main()
