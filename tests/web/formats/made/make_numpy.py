"""Makes the files beside it: python3 make_numpy.py (python3 with NumPy; 1.24.2 of Debian 12 made those that are stored).

Numbers of each are in expected.json, as Python says them; NaN and the infinities as words. The .safetensors file is
written by hand after its specification, since Debian has no package for it."""

import json
import struct
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
expected = {}


def listed(values):
    return [v if np.isfinite(v) else str(v) for v in np.asarray(values, dtype=np.float64).ravel().tolist()]


def say(file, **tensors):
    expected[file] = {k: {"shape": list(v.shape), "values": listed(v)} for k, v in tensors.items()}


def npy(name, array):
    np.save(HERE / f"{name}.npy", array)
    say(f"{name}.npy", **{"": array})


rng = np.random.default_rng(15)
real = rng.standard_normal((2, 3, 4))
npy("float64", real)
npy("float32-fortran", np.asfortranarray(real.astype("<f4")))
npy("float32-big", real.astype(">f4"))
npy("float64-big-fortran", np.asfortranarray(real.astype(">f8")))
npy("float16", np.array([0, -0.0, 1, 65504, 6e-8, 6.1e-5, -0.333, np.inf, -np.inf, np.nan], dtype="<f2"))
npy("float16-big", np.arange(-3, 3, 0.5, dtype=np.float32).reshape(3, 4).astype(">f2"))
for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
    info = np.iinfo(kind)
    npy(f"int-{kind}", np.array([info.min, 0, 1, 100, info.max], dtype=f"<{kind}"))
npy("int-big-i8", np.array([[-5, 7], [2**40, 3]], dtype=">i8"))
npy("bool", np.array([[True, False], [False, True]]))
npy("scalar", np.array(2.5, dtype=np.float32))
npy("empty", np.zeros((0, 3), dtype=np.float32))
np.lib.format.write_array(open(HERE / "version-2.npy", "wb"), real.astype("f4"), version=(2, 0))
say("version-2.npy", **{"": real.astype("f4")})
for name, array in {
    "refused-complex": np.array([1 + 2j]),
    "refused-objects": np.array([{}], dtype=object),
    "refused-records": np.zeros(2, dtype=[("a", "f4"), ("b", "i4")]),
    "refused-texts": np.array(["a"]),
}.items():
    np.save(HERE / f"{name}.npy", array, allow_pickle=True)

problem = dict(
    x=rng.integers(-3, 4, (1, 4, 4, 2)).astype("f4"),
    w=rng.standard_normal((3, 3, 2, 3)),
    b=np.array([1, 2, 3], dtype="i8"),
    dy=np.asfortranarray(rng.standard_normal((1, 2, 2, 3)).astype("f4")),
)
np.savez(HERE / "stored.npz", **problem)
np.savez_compressed(HERE / "deflated.npz", **problem)
say("stored.npz", **problem)
say("deflated.npz", **problem)

tensors = {
    "conv1.weight": ("F32", real[:1].astype("<f4")),
    "conv1.bias": ("F64", np.array([0.1, -0.2])),
    "half": ("F16", np.array([[0.5, -2]], dtype="<f2")),
    "brain": ("BF16", np.array([1.0, -2.5, 3.140625], dtype="<f4")),
    "counts": ("I64", np.array([1, -2, 3], dtype="<i8")),
}
header, data = {"__metadata__": {"format": "pt"}}, b""
for name, (dtype, array) in tensors.items():
    raw = (array.view("<u4") >> 16).astype("<u2").tobytes() if dtype == "BF16" else array.tobytes()
    header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
(HERE / "network.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
say("network.safetensors", **{k: v[1] for k, v in tensors.items()})

small = np.array([[1.5, -2, 1e-7], [0.1, 1 / 3, 12345.678]])
exact = rng.standard_normal((2, 2, 3)).astype("f4")
prints = {
    "repr": (repr(small), np.array(eval("np." + repr(small)))),
    "repr-float32": (repr(exact), eval(f"np.{repr(exact)}".replace("float32", "np.float32"))),
    "str": (str(exact), eval(f"np.{repr(exact)}".replace("float32", "np.float32"))),
    "str-integers": (str(np.arange(-6, 6).reshape(3, 4)), np.arange(-6, 6).reshape(3, 4)),
    "list": (str(exact.tolist()), exact),
    "nan": (repr(np.array([np.nan, np.inf, -np.inf, 1])), np.array([np.nan, np.inf, -np.inf, 1])),
    "bool": (repr(np.eye(2, dtype=bool)), np.eye(2)),
    "one-number": (repr(np.array(2.5)), np.array(2.5)),
    "json": (json.dumps(exact.tolist()), exact),
    "dictionary": ("{'x': " + repr(small) + "}", np.array(eval("np." + repr(small)))),
}
with np.printoptions(precision=17):
    prints["repr-17"] = (repr(small), small)
np.savetxt(HERE / "saved.csv", small, delimiter=",", header="of numpy.savetxt", fmt="%.9g")
say("saved.csv", **{"": small.astype("f4")})
np.savetxt(HERE / "saved.tsv", exact.reshape(4, 3), delimiter="\t", fmt="%.9g")
say("saved.tsv", **{"": exact.reshape(4, 3)})
(HERE / "prints.json").write_text(
    json.dumps({k: {"text": t, "shape": list(v.shape), "values": listed(v)} for k, (t, v) in prints.items()}, indent=1)
    + "\n"
)
(HERE / "left-out.txt").write_text(repr(np.arange(5000.0)) + "\n")
(HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
