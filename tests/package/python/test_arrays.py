"""Arrays, errors, threads and documentation of the package."""

import inspect
import pickle
import threading
import time
import tracemalloc

import conv2d
import numpy as np
import pytest
from conv2d import _problem


def ramp(*shape, dtype=np.float32):
    return (np.arange(np.prod(shape)) % 7).reshape(shape).astype(dtype)


X, W = ramp(2, 6, 5, 4), ramp(3, 3, 4, 8)
Y = conv2d.forward(X, W)


def bytes_allocated_by(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_contiguous_float32_is_not_copied():
    x, w = np.ones((1, 1, 1 << 16, 8), np.float32), np.ones((1, 1, 8, 1), np.float32)
    y = np.empty((1, 1, 1 << 16, 1), np.float32)
    layer = conv2d.plan(x.shape, w)
    layer.forward(x, out=y)
    assert bytes_allocated_by(lambda: layer.forward(x, out=y)) < 1 << 16
    assert bytes_allocated_by(lambda: conv2d.forward(x, w, out=y)) < 1 << 16
    assert bytes_allocated_by(lambda: layer.forward(x.astype(np.float64), out=y)) > x.nbytes


@pytest.mark.parametrize(
    "x",
    [
        X.astype(np.float64),
        X.astype(np.float16),
        X.astype(np.int64),
        X.astype(">f4"),
        np.asfortranarray(X),
        np.repeat(X, 2, axis=2)[:, :, ::2],
        X[::-1][::-1],
        np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32).reshape(X.shape),
        X.tolist(),
        np.ma.masked_array(X),
    ],
    ids=["float64", "float16", "int64", "big-endian", "fortran", "strided", "reversed", "odd", "list", "masked"],
)
def test_other_arrays_are_converted(x):
    assert np.array_equal(conv2d.forward(x, W), Y)


@pytest.mark.parametrize(
    ("field", "code", "call"),
    [
        ("x", "invalid_argument", lambda: conv2d.forward(X.astype(complex), W)),
        ("x", "invalid_argument", lambda: conv2d.forward([["a"]], W)),
        ("x", "invalid_argument", lambda: conv2d.forward(X[0], W)),
        ("w", "invalid_argument", lambda: conv2d.forward(X, W[0])),
        ("w", "channel_mismatch", lambda: conv2d.forward(X, W[:, :, :2])),
        ("w", "kernel_too_large", lambda: conv2d.forward(X, ramp(9, 3, 4, 8))),
        ("b", "length_mismatch", lambda: conv2d.forward(X, W, np.ones(7))),
        ("stride", "invalid_stride", lambda: conv2d.forward(X, W, stride=0)),
        ("stride", "invalid_argument", lambda: conv2d.forward(X, W, stride=1.5)),
        ("stride", "invalid_argument", lambda: conv2d.forward(X, W, stride=(1, 2, 3))),
        ("dilation", "invalid_dilation", lambda: conv2d.forward(X, W, dilation=(1, -1))),
        ("padding", "invalid_padding", lambda: conv2d.forward(X, W, padding=-1)),
        ("padding", "invalid_argument", lambda: conv2d.forward(X, W, padding="SAME")),
        ("padding", "invalid_argument", lambda: conv2d.forward(X, W, padding=(1, 1, 1, 1))),
        ("groups", "invalid_groups", lambda: conv2d.forward(X, W, groups=3)),
        ("layout", "invalid_argument", lambda: conv2d.forward(X, W, layout="NHWC")),
        ("weights_layout", "invalid_argument", lambda: conv2d.forward(X, W, weights_layout="hw")),
        ("threads", "invalid_argument", lambda: conv2d.forward(X, W, threads=0)),
        ("accuracy", "invalid_argument", lambda: conv2d.forward(X, W, accuracy="exact")),
        ("algorithm", "unknown_algorithm", lambda: conv2d.forward(X, W, algorithm="guess")),
        ("out", "invalid_argument", lambda: conv2d.forward(X, W, out=Y.astype(np.float64))),
        ("out", "length_mismatch", lambda: conv2d.forward(X, W, out=np.empty((1, 2), np.float32))),
        ("out", "invalid_argument", lambda: conv2d.forward(X, W, out=np.asfortranarray(Y))),
        ("dy", "input_size_mismatch", lambda: conv2d.backward(X, W, Y[:1])),
        ("of", "invalid_argument", lambda: conv2d.backward(X, W, Y, of=["dz"])),
        ("x", "invalid_argument", lambda: conv2d.plan(X.shape, W).backward(None, Y)),
        ("out['dx']", "length_mismatch", lambda: conv2d.plan(X.shape, W).backward(X, Y, out={"dx": Y})),
        ("w", "length_mismatch", lambda: conv2d.plan(X.shape, W).update(w=W[:1])),
        ("y", "invalid_argument", lambda: conv2d.check(x=X, w=W)),
        ("dy", "length_mismatch", lambda: conv2d.check(x=X, w=W, dy=Y[:1], dw=W)),
        ("w", "invalid_argument", lambda: conv2d.check(x=X, y=Y)),
    ],
)
def test_errors_name_the_argument(field, code, call):
    with pytest.raises(conv2d.Conv2dError) as raised:
        call()
    assert (raised.value.field, raised.value.code) == (field, code)
    assert isinstance(raised.value, ValueError)
    assert len(str(raised.value)) > 15
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.field, again.code, str(again)) == (field, code, str(raised.value))


def test_a_refused_call_writes_nothing():
    y = np.full_like(Y, 7)
    with pytest.raises(conv2d.Conv2dError):
        conv2d.forward(X, W, np.ones(7), out=y)
    assert (y == 7).all()


def test_out_receives_the_result_and_inputs_stay():
    x, w, y = X.copy(), W.copy(), np.empty_like(Y)
    assert conv2d.forward(x, w, out=y) is y
    assert np.array_equal(y, Y)
    assert np.array_equal(x, X) and np.array_equal(w, W)
    with pytest.raises(conv2d.Conv2dError, match="overlaps"):
        conv2d.forward(x, ramp(1, 1, 4, 4), out=x)


def test_read_only_and_empty_arrays_are_inputs():
    x = X.copy()
    x.flags.writeable = False
    assert np.array_equal(conv2d.forward(x, W), Y)
    assert conv2d.forward(X[:0], W).shape == (0, 4, 3, 8)
    y = np.empty_like(Y)
    y.flags.writeable = False
    with pytest.raises(conv2d.Conv2dError, match="writeable"):
        conv2d.forward(X, W, out=y)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_plans_give_the_same_bits(threads):
    x, w, b = np.random.default_rng(1).standard_normal((2, 40, 40, 16), np.float32), *map(
        np.float32, (np.random.default_rng(2).standard_normal((3, 3, 16, 16)), np.arange(16))
    )
    y = conv2d.forward(x, w, b, padding="same")
    dy = np.ascontiguousarray(y[::-1])
    expected = y, *conv2d.backward(x, w, dy, padding="same")
    layer = conv2d.plan(x.shape, w, b, padding="same", threads=threads)
    same = layer.algorithm("y") == conv2d.plan(x.shape, w, b, padding="same").algorithm("y")
    assert same
    for result, right in zip((layer.forward(x), *layer.backward(x, dy)), expected):
        assert np.allclose(result, right, rtol=1e-4, atol=1e-3)
    first = layer.forward(x)
    assert first.tobytes() == conv2d.plan(x.shape, w, b, padding="same").forward(x).tobytes()
    layer.update(w=2 * w, b=0 * b)
    assert np.allclose(layer.forward(x), 2 * (y - b), rtol=1e-3, atol=1e-2)


def test_updates_replace_packed_weights():
    layer = conv2d.plan(X.shape, W)
    layer.forward(X)
    assert np.array_equal(layer.backward(None, Y, of="dx").dx, conv2d.backward(X, W, Y).dx)
    layer.update(w=W + 1)
    assert np.array_equal(layer.forward(X), conv2d.forward(X, W + 1))
    assert np.array_equal(layer.backward(None, Y, of="dx").dx, conv2d.backward(X, W + 1, Y).dx)
    assert layer.backward(None, Y, of="dx").dw is None


def test_layouts_agree():
    for layout, weights, order in (("hwio", W, (0, 1, 2, 3)), ("oihw", W, (3, 2, 0, 1)), ("ohwi", W, (3, 0, 1, 2))):
        assert np.array_equal(conv2d.forward(X, weights.transpose(order), weights_layout=layout), Y)
    y = conv2d.forward(X.transpose(0, 3, 1, 2), W.transpose(3, 2, 0, 1), layout="nchw")
    assert np.array_equal(y.transpose(0, 2, 3, 1), Y)


def test_other_threads_run_while_a_kernel_runs():
    # The plain loops of the reference: a tenth of a second.
    x, w = np.ones((1, 96, 96, 32), np.float32), np.ones((3, 3, 32, 64), np.float32)
    spans, stamps, ended = [], [], threading.Event()

    def run():
        while not ended.is_set():
            begin = time.perf_counter()
            conv2d.forward(x, w, algorithm="reference")
            spans.append((begin, time.perf_counter()))

    kernels = threading.Thread(target=run)
    kernels.start()
    in_the_middle, seen = False, 0
    # With the lock held, no stamp is in the middle of any kernel.
    while not in_the_middle and seen < 50:
        stamps.append(time.perf_counter())
        if len(spans) > seen:
            seen = len(spans)
            begin, end = spans[-1]
            third = (end - begin) / 3
            in_the_middle = any(begin + third < stamp < end - third for stamp in stamps)
            stamps.clear()
    ended.set()
    kernels.join()
    assert in_the_middle


def test_threads_share_a_plan():
    layer, results = conv2d.plan(X.shape, W, threads=2), []
    threads = [
        threading.Thread(target=lambda: results.extend(np.array_equal(layer.forward(X), Y) for _ in range(50)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 200


def test_float16_results_are_judged_as_such():
    x, w = ramp(1, 5, 5, 2) / 3, ramp(3, 3, 2, 2) / 5
    y = conv2d.forward(x, w).astype(np.float16)
    assert conv2d.check(x=x, w=w, y=y)["y"].format == "float16"
    with pytest.raises(AssertionError, match="y of y"):
        conv2d.check(x=x, w=w, y=y + np.float16(0.5))


def test_a_result_of_another_shape_is_a_verdict():
    with pytest.raises(conv2d.WrongResult, match=r"y does not fit: its shape is \(2, 6, 5, 8\)"):
        conv2d.check(x=X, w=W, y=conv2d.forward(X, W, padding="same"))


@pytest.mark.parametrize("name", [name for name in conv2d.__all__ if name[0].islower()])
def test_functions_have_types_and_words(name):
    function = getattr(conv2d, name)
    signature = inspect.signature(function)
    assert "Raises" in function.__doc__ and "Conv2dError" in function.__doc__
    assert all(each.annotation is not inspect.Parameter.empty for each in signature.parameters.values())
    assert signature.return_annotation is not inspect.Signature.empty


def test_a_bias_does_not_stay_for_the_next_call():
    x, w = np.ones((1, 3, 3, 1), np.float32), np.ones((3, 3, 1, 1), np.float32)
    sums = [conv2d.forward(x, w, b)[0, 0, 0, 0] for b in (None, [100.0], None, [0.5])]
    assert sums == [9, 109, 9, 9.5]


def test_a_call_during_another_one_has_its_own_tensors(monkeypatch):
    plan = conv2d.plan((1, 3, 3, 1), np.ones((3, 3, 1, 1), np.float32))
    plan.forward(np.zeros((1, 3, 3, 1), np.float32))  # leaves a structure for the next call
    run, during = _problem.run, []

    def interrupted(*arguments):
        if not during:
            during.append(None)
            # As another thread may between the preparation of this call and its run.
            during.append(plan.forward(np.full((1, 3, 3, 1), 2, np.float32)))
        return run(*arguments)

    monkeypatch.setattr(_problem, "run", interrupted)
    assert plan.forward(np.ones((1, 3, 3, 1), np.float32)).ravel() == [9]
    assert during[1].ravel() == [18]


def test_arrays_between_two_addresses_of_floats_are_copied_and_not_written():
    def shifted(*shape):
        memory = np.zeros(4 * np.prod(shape) + 1, np.uint8)
        return memory[1:].view(np.float32).reshape(shape)

    x, w, y = shifted(1, 3, 3, 1), np.ones((3, 3, 1, 1), np.float32), shifted(1, 1, 1, 1)
    x[...] = 1
    assert conv2d.forward(x, w).ravel() == [9]
    with pytest.raises(conv2d.Conv2dError, match="out must be contiguous") as refused:
        conv2d.forward(x, w, out=y)
    assert refused.value.field == "out"
    with pytest.raises(conv2d.Conv2dError, match="out must be contiguous"):
        conv2d.plan(x.shape, w).forward(x, out=y)
