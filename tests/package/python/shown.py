"""Shows some convolutions: writes each as a file and as the output of a notebook, and prints its link and its arrays."""

import json
from pathlib import Path

import conv2d
import numpy as np
from conv2d import _show

rng = np.random.default_rng(7)


def whole(*shape):
    return rng.integers(-9, 10, shape)


PROBLEMS = {
    "defaults": lambda: conv2d.show(whole(1, 6, 5, 1), whole(3, 2, 1, 1)),
    "all-arguments": lambda: conv2d.show(
        np.asfortranarray(whole(2, 4, 6, 5).astype(np.float64)),
        whole(6, 2, 3, 2),
        [1, 2, 3, 4, 5, 6],
        whole(2, 6, 3, 2),
        stride=(2, 1),
        padding=((0, 1), (1, 0)),
        dilation=(1, 2),
        groups=2,
        layout="nchw",
        weights_layout="ohwi",
        fields={"slice": "n1.c1.k2"},
    ),
    "real": lambda: conv2d.show(rng.normal(size=(1, 40, 40, 3)), rng.normal(size=(5, 5, 3, 2)), padding="same"),
}

_show._WINDOW = 0
printed = {}
for name, problem in PROBLEMS.items():
    shown = problem()
    shown.save(f"{name}.html")
    Path(f"{name}-notebook.html").write_text(f"<!doctype html><link rel=icon href=data:,>{shown._repr_html_()}")
    arrays = {each: getattr(shown, each) for each in ("x", "w", "b", "dy", "y", "dx", "dw", "db")}
    printed[name] = {
        "link": shown.link,
        **{each: None if array is None else array.ravel().tolist() for each, array in arrays.items()},
    }
    if name == "all-arguments":
        # What the page shows of it: image 1, channel 1, filter 2, which are of the first group.
        planes = {"y": shown.y[1, 2], "dx": shown.dx[1, 1], "dw": shown.dw[2, :, :, 1], "db": shown.db}
        printed[name]["planes"] = {each: plane.ravel().tolist() for each, plane in planes.items()}
printed["limits"] = {"sizes": _show.LIMITS, "characters": _show.LINK_LIMIT, "views": _show.VIEWS}
print(json.dumps(printed))
