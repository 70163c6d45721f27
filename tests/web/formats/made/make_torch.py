"""Makes prints-torch.json: python3 make_torch.py (python3 with PyTorch; 1.13.0 of Debian 12 made what is stored).

What a tensor is printed as has few digits: the numbers expected are those that Python reads from the same text."""

import json
import re
from pathlib import Path

import torch

torch.manual_seed(15)
scaled = (torch.randn(2, 3, requires_grad=True) * 1e4)
small = torch.randn(2, 2, 3)
conv = torch.nn.Conv2d(1, 2, (2, 3), bias=False)
tensors = {
    "plain": torch.randn(2, 3),
    "four axes": torch.randn(2, 1, 2, 3),
    "a gradient's function": scaled,
    "one that needs a gradient": torch.randn(3, requires_grad=True),
    "a parameter": conv.weight,
    "powers of ten": torch.tensor([[1e-9, 2.5], [1e6, -3e-4]]),
    "float64": small.double(),
    "float16": small.half(),
    "bfloat16": small.bfloat16(),
    "int64": torch.arange(-3, 3).reshape(2, 3),
    "uint8": torch.arange(4, dtype=torch.uint8),
    "bool": torch.eye(2).bool(),
    "infinities": torch.tensor([float("nan"), float("inf"), -float("inf"), 1]),
    "one number": torch.tensor(2.5),
    "nothing": torch.zeros(0, 3),
    "a long row": torch.arange(60.0) / 7,
}


def read_back(text):
    text = text.replace("Parameter containing:\n", "")
    text = re.sub(r", (?:grad_fn=<\w+>|dtype=torch\.\w+|requires_grad=True|size=(\([\d, ]*\)))", "", text)
    names = {"tensor": lambda v: torch.tensor(v, dtype=torch.float32), "nan": float("nan"), "inf": float("inf")}
    return eval(text, names)


def said(tensor, text):
    values = read_back(text).reshape(tensor.shape).double()
    flat = [v if abs(v) < float("inf") else str(v) for v in values.flatten().tolist()]
    return {"text": text, "shape": list(tensor.shape), "values": flat}


out = {name: said(tensor, repr(tensor)) for name, tensor in tensors.items()}
torch.set_printoptions(precision=9, sci_mode=True)
out["nine digits"] = said(small, repr(small))
out["a dictionary"] = {**said(small, repr(small)), "text": repr({"x": small})}
out["on another device"] = {**said(small, repr(small)), "text": repr(small)[:-1] + ", device='cuda:0')"}
(Path(__file__).parent / "prints-torch.json").write_text(json.dumps(out, indent=1) + "\n")
