"""The C library (conv2d.h) by ctypes, which releases the lock of the interpreter during each call."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

from .errors import Conv2dError

LAYOUTS = {"nhwc": 0, "nchw": 1}
WEIGHTS_LAYOUTS = {"automatic": 0, "hwio": 1, "oihw": 2, "ohwi": 3}
PADDING_MODES = {"explicit_sides": 0, "valid": 1, "same": 2, "full": 3}
ACCURACIES = {"fast": 0, "standard": 1, "strict": 2}
ELEMENT_TYPES = {"float32": 0, "float16": 1, "bfloat16": 2}
JUDGEMENTS = ("matches", "scaled", "mistake", "partly_wrong", "differs", "cannot_tell", "does_not_fit")
#: The pass that computes each result.
PASSES = {"y": 0, "dx": 1, "dw": 2, "db": 3}


byref = ctypes.byref


class _Sized(ctypes.Structure):
    """A structure that begins with its size."""

    def __init__(self, **members: object) -> None:
        super().__init__(size=ctypes.sizeof(self), **members)


class Status(ctypes.Structure):
    _fields_ = [("code", c_int32), ("field", c_char * 60), ("message", c_char * 448)]


class Desc(_Sized):
    _fields_ = [
        ("size", c_size_t),
        *((name, c_int64) for name in ("n", "h", "w", "c", "k", "kh", "kw")),
        *((name, c_int64) for name in ("stride_h", "stride_w", "dilation_h", "dilation_w", "groups")),
        *((name, c_int64) for name in ("top", "bottom", "left", "right")),
        *((name, c_int32) for name in ("layout", "weights_layout", "padding_mode", "reserved")),
    ]


class Geometry(_Sized):
    _fields_ = [
        ("size", c_size_t),
        *((name, c_int64) for name in ("oh", "ow", "top", "bottom", "left", "right", "remainder_h", "remainder_w")),
        *((name, c_int64) for name in ("x_size", "w_size", "y_size")),
        *((name, c_int64 * 4) for name in ("x_shape", "w_shape", "y_shape")),
        ("macs", c_int64),
    ]


class PlanOptions(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("algorithm", c_char_p),
        ("instruction_set", c_char_p),
        ("macs_per_thread", c_int64),
        *((name, c_int32) for name in ("threads", "accuracy", "packed_weights", "deterministic", "accumulate")),
        ("reserved", c_int32),
    ]


class PlanInfo(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("algorithm", c_char_p),
        ("instruction_set", c_char_p),
        ("workspace_floats", c_int64),
        ("packed_floats", c_int64),
        ("which", c_int32),
        ("threads", c_int32),
    ]


class Floats(ctypes.Structure):
    """conv2d_input and conv2d_output."""

    _fields_ = [("data", c_void_p), ("count", c_int64)]


class Tensors(_Sized):
    """conv2d_tensors, with the members of its members."""

    _fields_ = [
        ("size", c_size_t),
        *(
            member
            for name in ("x", "w", "packed", "b", "dy", "out", "workspace")
            for member in ((name, c_void_p), (f"{name}_count", c_int64))
        ),
    ]


class Elements(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("count", c_int64), ("type", c_int32), ("reserved", c_int32)]


class Judged(_Sized):
    _fields_ = [
        ("size", c_size_t),
        *((name, Elements) for name in ("x", "w", "b", "dy", "result")),
        ("learning_rate", c_double),
        *((name, c_int32) for name in ("layer", "count_include_pad", "is_text", "reserved")),
    ]


class VerdictInfo(_Sized):
    _fields_ = [
        ("size", c_size_t),
        *((name, c_char_p) for name in ("sentence", "format", "factor_reason", "where", "relation", "reason")),
        ("names", POINTER(c_char_p)),
        ("name_count", c_int64),
        ("factor", c_double),
        *((name, c_int64) for name in ("cells", "differing", "worst")),
        *((name, c_double) for name in ("yours", "right")),
        *((name, c_int32) for name in ("judgement", "in_sequence")),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("shape", POINTER(c_int64)),
        ("axes", c_int64),
        ("values", Elements),
        ("is_text", c_int32),
        ("reserved", c_int32),
    ]


class Argument(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("values", POINTER(c_int64)), ("count", c_int64)]


class JudgedArrays(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("arrays", POINTER(Array)),
        ("array_count", c_int64),
        ("arguments", POINTER(Argument)),
        ("argument_count", c_int64),
        ("learning_rate", c_double),
        ("file", c_char_p),
    ]


class ArraysInfo(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("sentence", c_char_p),
        ("json", c_char_p),
        *((name, c_int32) for name in ("verdict", "reserved")),
    ]


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(Path(__file__).with_name("libconv2d_c.so")))
    of, status = POINTER, POINTER(Status)
    plan, pool, verdict = c_void_p, c_void_p, c_void_p
    for name, result, *arguments in (
        ("version", c_char_p),
        ("code_name", c_char_p, c_int32),
        ("get_geometry", c_int32, of(Desc), of(Geometry), status),
        ("create_plan", c_int32, of(Desc), c_int32, of(PlanOptions), of(plan), status),
        ("get_plan_info", c_int32, plan, of(PlanInfo), status),
        ("destroy_plan", None, plan),
        ("create_pool", c_int32, c_int32, of(pool), status),
        ("pool_threads", c_int32, pool),
        ("destroy_pool", None, pool),
        ("pack_weights", c_int32, plan, Floats, Floats, status),
        ("judge", c_int32, of(Desc), c_int32, of(Judged), of(verdict), status),
        ("get_verdict_info", c_int32, verdict, of(VerdictInfo), status),
        ("destroy_verdict", None, verdict),
        ("judge_arrays", c_int32, of(JudgedArrays), of(verdict), status),
        ("get_arrays_info", c_int32, verdict, of(ArraysInfo), status),
        ("destroy_arrays_verdict", None, verdict),
    ):
        function = getattr(library, f"conv2d_{name}")
        function.restype, function.argtypes = result, arguments
    return library


LIBRARY = _load()
#: conv2d_run, for arguments that are pointers already: it converts none, which saves a fifth of the time of the call.
run = LIBRARY["conv2d_run"]


def must(code: int, status: Status) -> None:
    """Raises Conv2dError unless the call succeeded."""
    if code == 0:
        return
    name = LIBRARY.conv2d_code_name(code).decode()
    raise Conv2dError.of_library(name, status.field.decode(), status.message.decode())
