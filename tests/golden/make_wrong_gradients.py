"""Writes wrong_gradients.json: gradients of programs with one wrong line, and right ones in float16, bfloat16 and TF32.

The programs are NumPy and PyTorch (1.13 on a processor). Each wrong gradient comes from one of them with a text
replaced. Run in this folder: python3 make_wrong_gradients.py
"""

import json

import numpy as np
import torch
import torch.nn.functional as F

LOOPS = """
dx, dw, db = np.zeros_like(x), np.zeros_like(w), np.zeros(K, x.dtype)
for n in range(N):
    for i in range(OH):
        for j in range(OW):
            for k in range(K):
                g = k // (K // groups)
                db[k] += dy[n, k, i, j]
                for c in range(GC):
                    for p in range(KH):
                        for q in range(KW):
                            r = i*SH + p*DH - TOP
                            s = j*SW + q*DW - LEFT
                            if r < 0 or r >= H or s < 0 or s >= W:
                                continue
                            dx[n, g*GC + c, r, s] += dy[n, k, i, j] * w[k, c, p, q]
                            dw[k, c, p, q] += dy[n, k, i, j] * x[n, g*GC + c, r, s]
"""

# One group. The remainder (RH, RW) is the number of rows and columns of padded x that no window reads.
FULL = """
x, w, dy = map(torch.from_numpy, (x, w, dy))
up = torch.zeros(N, K, (OH - 1)*SH + 1 + RH, (OW - 1)*SW + 1 + RW, dtype=dy.dtype)
up[:, :, :(OH - 1)*SH + 1:SH, :(OW - 1)*SW + 1:SW] = dy
up = F.pad(up, [(KW - 1)*DW, (KW - 1)*DW, (KH - 1)*DH, (KH - 1)*DH])
dx = F.conv2d(up, w.flip(2, 3).transpose(0, 1), dilation=(DH, DW))
dx = dx[:, :, TOP:TOP + H, LEFT:LEFT + W]
dw = torch.nn.grad.conv2d_weight(F.pad(x, [LEFT, RIGHT, TOP, BOTTOM]), w.shape, dy, (SH, SW), 0, (DH, DW), groups)
db = dy.sum((0, 2, 3))
"""

AUTOGRAD = """
x, w, dy = map(torch.from_numpy, (x, w, dy))
x.requires_grad_()
w.requires_grad_()
b = torch.zeros(K, dtype=w.dtype, requires_grad=True)
padded = F.pad(x, [LEFT, RIGHT, TOP, BOTTOM])
y = F.conv2d(padded, w, b, (SH, SW), 0, (DH, DW), groups)
(y * dy).sum().backward()
dx, dw, db = x.grad, w.grad, b.grad
"""

# n, h, w, c, k, kh, kw, stride, dilation, groups, padding (top, bottom, left, right)
PLAIN = dict(n=2, h=6, w=5, c=2, k=3, kh=3, kw=3, padding=[1, 1, 1, 1])
STRIDED = dict(n=1, h=7, w=8, c=2, k=2, kh=3, kw=3, stride=[2, 1], padding=[1, 1, 1, 1])
REMAINDER = dict(n=2, h=6, w=8, c=3, k=2, kh=3, kw=3, stride=[2, 2])
DILATED = dict(n=1, h=8, w=7, c=2, k=2, kh=3, kw=2, dilation=[2, 2], padding=[1, 1, 0, 0])
GROUPED = dict(n=2, h=5, w=5, c=4, k=4, kh=3, kw=3, groups=2, padding=[1, 1, 1, 1])
UNEVEN = dict(n=1, h=6, w=6, c=2, k=2, kh=3, kw=3, stride=[2, 2], padding=[0, 1, 0, 1])
ONE_FILTER = dict(n=1, h=5, w=6, c=2, k=1, kh=3, kw=3, padding=[1, 1, 1, 1])

PADDED = "F.pad(x, [LEFT, RIGHT, TOP, BOTTOM]"
X_READ, W_READ, DY_READ = "F.conv2d(padded, w, b", "F.conv2d(padded, w, b", "(y * dy)"

# What is wrong, the mistake of the library's list ("": none), program, problem, gradient, replaced texts.
EDITS = [
    ("the kernel is not flipped", "opposite_weight", FULL, PLAIN, "dx", [("w.flip(2, 3)", "w")]),
    ("the kernel is flipped in the loops", "opposite_weight", LOOPS, STRIDED, "dx", [("* w[k, c, p, q]", "* w[k, c, KH-1-p, KW-1-q]")]),
    ("the kernel is flipped along its rows only", "one_axis_flipped", FULL, PLAIN, "dx", [("w.flip(2, 3)", "w.flip(2)")]),
    ("channels and filters of w stay in place", "channels_as_filters", FULL, STRIDED, "dx", [(".transpose(0, 1)", "")]),
    ("the remainder is appended at the beginning", "remainder_first", FULL, REMAINDER, "dx", [("[:, :, :(OH - 1)*SH + 1:SH, :(OW - 1)*SW + 1:SW]", "[:, :, RH::SH, RW::SW]")]),
    ("no zeros between the cells of dy", "stride_forgotten", FULL, STRIDED, "dx", [("[:, :, :(OH - 1)*SH + 1:SH, :(OW - 1)*SW + 1:SW]", "[:, :, :OH, :OW]")]),
    ("the padding is cut off at the wrong end", "unpadded_indices", FULL, PLAIN, "dx", [("TOP:TOP + H, LEFT:LEFT + W", ":H, :W")]),
    ("= in place of += for dx", "assigned", LOOPS, ONE_FILTER, "dx", [("r, s] +=", "r, s] =")]),
    ("= in place of += for dw", "assigned", LOOPS, PLAIN, "dw", [("p, q] +=", "p, q] =")]),
    ("stride and dilation exchanged", "stride_as_dilation", LOOPS, DILATED, "dx", [("i*SH + p*DH", "i*DH + p*SH"), ("j*SW + q*DW", "j*DW + q*SW")]),
    ("the strides of rows and columns exchanged", "strides_exchanged", LOOPS, STRIDED, "dw", [("i*SH", "i*SW"), ("j*SW", "j*SH")]),
    ("no dilation", "dilation_forgotten", LOOPS, DILATED, "dw", [("p*DH", "p"), ("q*DW", "q")]),
    ("the padding at the wrong sides", "padding_sides_exchanged", LOOPS, UNEVEN, "dw", [("- TOP", "- BOTTOM"), ("- LEFT", "- RIGHT")]),
    ("the mean over the cells of dy", "averaged", LOOPS, PLAIN, "db", [("db[k] += dy[n, k, i, j]", "db[k] += dy[n, k, i, j] / (N*OH*OW)")]),
    ("divided by the batch", "divided_by_batch", LOOPS, PLAIN, "dw", [("dy[n, k, i, j] * x", "dy[n, k, i, j] / N * x")]),
    ("only the first image", "one_image", LOOPS, GROUPED, "dw", [("range(N)", "range(1)")]),
    ("channels interleaved between the groups", "interleaved_groups", LOOPS, GROUPED, "dw", [("g*GC + c", "c*groups + g")]),
    ("each filter in another group", "other_group", LOOPS, GROUPED, "dx", [("k // (K // groups)", "k % groups")]),
    ("only the first filter", "one_channel", LOOPS, PLAIN, "dx", [("range(K)", "range(1)")]),
    ("mirrored padding", "mirrored_padding", AUTOGRAD, PLAIN, "dx", [(PADDED, PADDED + ", mode='reflect'")]),
    ("padding that repeats the edge", "repeated_padding", AUTOGRAD, STRIDED, "dw", [(PADDED, PADDED + ", mode='replicate'")]),
    ("circular padding", "circular_padding", AUTOGRAD, UNEVEN, "dx", [(PADDED, PADDED + ", mode='circular'")]),
    ("no padding", "padding_forgotten", AUTOGRAD, PLAIN, "dw", [(PADDED + ")", "x"), ("y * dy", "y * dy[:, :, :OH - 2, :OW - 2]")]),
    ("the sum of y in place of the loss", "dy_as_ones", AUTOGRAD, REMAINDER, "dw", [("(y * dy).sum()", "y.sum()")]),
    ("the mean of y in place of the loss", "dy_as_ones", AUTOGRAD, PLAIN, "dx", [("(y * dy).sum()", "y.mean()")]),
    ("the mean of the loss in place of its sum", "mean_or_sum", AUTOGRAD, GROUPED, "dw", [(".sum().b", ".mean().b")]),
    ("NHWC memory of x as NCHW", "x_layout", AUTOGRAD, PLAIN, "dw", [("F.pad(x,", "F.pad(x.permute(0, 2, 3, 1).reshape(x.shape),")]),
    ("HWIO memory of w as OIHW", "w_layout", AUTOGRAD, PLAIN, "dx", [("(padded, w,", "(padded, w.permute(2, 3, 1, 0).reshape(w.shape),")]),
    ("NHWC memory of dy as NCHW", "y_layout", AUTOGRAD, STRIDED, "dw", [("* dy", "* dy.permute(0, 2, 3, 1).reshape(dy.shape)")]),
    ("the last row of windows left out", "range_without_one", LOOPS, PLAIN, "dw", [("range(OH)", "range(OH - 1)")]),
]


def sizes_of(problem):
    p = dict(stride=[1, 1], dilation=[1, 1], groups=1, padding=[0, 0, 0, 0]) | problem
    (SH, SW), (DH, DW), (TOP, BOTTOM, LEFT, RIGHT) = p["stride"], p["dilation"], p["padding"]
    N, H, W, C, K, KH, KW, groups = (p[name] for name in ("n", "h", "w", "c", "k", "kh", "kw", "groups"))
    free_h, free_w = H + TOP + BOTTOM - (KH - 1)*DH - 1, W + LEFT + RIGHT - (KW - 1)*DW - 1
    OH, OW, RH, RW, GC = free_h//SH + 1, free_w//SW + 1, free_h % SH, free_w % SW, C//groups
    return {name: value for name, value in locals().items() if name not in ("p", "problem", "free_h", "free_w")}


def run(program, problem, inputs):
    names = {"np": np, "torch": torch, "F": F, **sizes_of(problem), **{name: each.copy() for name, each in inputs.items()}}
    exec(program, names)
    return {name: np.asarray(names[name].detach() if torch.is_tensor(names[name]) else names[name]) for name in ("dx", "dw", "db")}


def inputs_of(problem, draw):
    s = sizes_of(problem)
    shapes = {"x": (s["N"], s["C"], s["H"], s["W"]), "w": (s["K"], s["GC"], s["KH"], s["KW"]), "dy": (s["N"], s["K"], s["OH"], s["OW"])}
    return {name: draw(shape) for name, shape in shapes.items()}


def flat(values):
    return [int(value) if float(value).is_integer() else float(str(np.float32(value))) for value in values.ravel()]


def rounded_to_tf32(values):
    """To 10 bits of mantissa, ties to even."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0xFFF + ((bits >> 13) & 1)) & ~np.uint64(0x1FFF)
    return bits.astype(np.uint32).view(np.float32)


def wrong_gradients(random):
    for what, mistake, program, problem, gradient, texts in EDITS:
        inputs = inputs_of(problem, lambda shape: random.integers(-9, 10, shape).astype(np.float64))
        right = run(AUTOGRAD, problem, inputs)
        own = run(program, problem, inputs)
        edited = program
        for old, new in texts:
            assert old in edited, (what, old)
            edited = edited.replace(old, new)
        wrong = run(edited, problem, inputs)
        assert all(np.array_equal(own[name], right[name]) for name in own), what
        assert wrong[gradient].shape == right[gradient].shape and not np.array_equal(wrong[gradient], right[gradient]), what
        yield {"what": what, "mistake": mistake, "problem": problem, "gradient": gradient,
               **{name: flat(each) for name, each in inputs.items()},
               "right": flat(right[gradient]), "wrong": flat(wrong[gradient])}


def right_gradients(random):
    """`as`: the first tolerance of the library that all cells meet."""
    casts = {
        "after rounding to bfloat16": [lambda t: t.bfloat16().float()]*2,
        "after rounding to float16": [lambda t: t.half().float()]*2,
        "with inputs rounded to TF32 or float16": [lambda t: torch.from_numpy(rounded_to_tf32(t.numpy())), lambda t: t],
        "with inputs rounded to bfloat16": [lambda t: t.bfloat16().float(), lambda t: t],
    }
    for title, (of_input, of_result) in casts.items():
        for problem, gradient in ((PLAIN, "dx"), (GROUPED, "dw"), (STRIDED, "db")):
            if gradient == "db" and "inputs" in title:
                gradient = "dw"
            inputs = inputs_of(problem, lambda shape: random.standard_normal(shape).astype(np.float32))
            cast = {name: of_input(torch.from_numpy(each)).numpy() for name, each in inputs.items()}
            result = of_result(torch.from_numpy(run(AUTOGRAD, problem, cast)[gradient]))
            yield {"as": title, "problem": problem, "gradient": gradient,
                   **{name: flat(each) for name, each in inputs.items()}, "result": flat(result.numpy())}


random = np.random.default_rng(7)
with open("wrong_gradients.json", "w") as file:
    cases = {"wrong": list(wrong_gradients(random)), "right": list(right_gradients(random))}
    lists = [f' "{name}": [\n' + ",\n".join("  " + json.dumps(case) for case in found) + "\n ]" for name, found in cases.items()]
    file.write("{\n" + ",\n".join(lists) + "\n}\n")
