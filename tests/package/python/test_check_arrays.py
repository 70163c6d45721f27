"""Verdicts on arrays of layers that nothing describes."""

import os
from pathlib import Path

import conv2d
import numpy as np
import pytest

# Layers by PyTorch and TensorFlow, with their geometry in layers.json.
LAYERS = Path(os.environ["CONV2D_GOLDEN"]).parent / "web/formats/made/layers"


@pytest.fixture(name="arrays")
def stored_arrays():
    with np.load(LAYERS / "stride-groups.npz") as file:
        return dict(file)


def test_finds_the_layer_and_judges_each_result(arrays):
    verdict = conv2d.check_arrays(arrays)
    assert verdict and verdict.judgement == "right" and list(verdict.verdicts) == ["y", "dx", "dw", "db"]
    (layer,) = verdict.data["layers"]
    found = layer["geometry"]
    assert (found["stride"], found["padding"], found["groups"]) == ([2, 2], [1, 1, 1, 1], 2)
    assert found["order"] == {"x": "NCHW", "w": "OIHW"}
    assert str(verdict).splitlines()[0] == "All 4 results are right."


def test_reads_a_file_that_is_open():
    with np.load(LAYERS / "stride-groups.npz") as file:
        assert conv2d.check_arrays(file)


def test_keeps_the_names_of_the_arrays(arrays):
    renamed = {f"conv1.{name}": array for name, array in arrays.items()}
    assert set(conv2d.check_arrays(renamed).verdicts) == {f"conv1.{name}" for name in ("y", "dx", "dw", "db")}


def test_takes_other_types_and_orders_of_memory(arrays):
    others = {name: np.asfortranarray(array.astype(np.float64)) for name, array in arrays.items()}
    assert conv2d.check_arrays(others)


def test_a_wrong_result_is_an_assertion_with_its_verdict(arrays):
    arrays["db"] = arrays["db"] / 2
    arrays["dx"] = arrays["dx"].copy()
    arrays["dx"][1, 2, 3, 4] += 50
    with pytest.raises(AssertionError, match="2 of 4 results are wrong") as raised:
        conv2d.check_arrays(arrays)
    verdicts = raised.value.verdicts
    assert (verdicts["db"].judgement, verdicts["db"].factor) == ("scaled", 0.5)
    assert (verdicts["dx"].worst, verdicts["dx"].differing) == ((1, 2, 3, 4), 1)
    assert verdicts["y"] and verdicts["dw"]
    assert "db: db is 0.5 times the right one" in str(raised.value)


def test_arguments_choose_among_what_fits():
    x, w = np.array([[[[3.0]]]]), np.array([[[[2.0]]]])
    arrays = {"x": x, "w": w, "y": np.array([[[[6.0]]]])}

    def stride(arguments):
        return conv2d.check_arrays(arrays, arguments).data["layers"][0]["geometry"]["stride"]

    assert stride({"stride": 2}) == [2, 2] and stride({"stride": (1, 3)}) == [1, 3] and stride({}) == [1, 1]


def test_says_that_nothing_can_be_judged(arrays):
    with pytest.raises(conv2d.WrongResult, match="no results"):
        conv2d.check_arrays({"x": arrays["x"], "w": arrays["w"]})


@pytest.mark.parametrize(
    ("field", "arrays", "arguments"),
    [
        ("arrays", {}, None),
        ("label", {"label": np.array(["a"])}, None),
        ("stride", {"y": np.ones(3)}, {"stride": 1.5}),
        ("pads", {"y": np.ones(3)}, {"pads": ((1, 1), (1, 1))}),
    ],
)
def test_errors_name_the_argument(field, arrays, arguments):
    with pytest.raises(conv2d.Conv2dError) as refused:
        conv2d.check_arrays(arrays, arguments)
    assert refused.value.field == field


def test_the_line_of_the_caller_is_shown(arrays):
    arrays["y"] = arrays["y"] * 2
    with pytest.raises(conv2d.WrongResult) as raised:
        conv2d.check_arrays(arrays)
    assert raised.traceback[-1].locals["__tracebackhide__"]
