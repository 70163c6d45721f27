"""Errors of this package."""

from __future__ import annotations

import re

#: The argument of a function of this package for each field of the library.
_ARGUMENTS = {
    **dict.fromkeys(("n", "h", "c", "x"), "x"),
    **dict.fromkeys(("k", "kh", "kw"), "w"),
    **dict.fromkeys(("stride_h", "stride_w"), "stride"),
    **dict.fromkeys(("dilation_h", "dilation_w"), "dilation"),
    **dict.fromkeys(("padding.top", "padding.bottom", "padding.left", "padding.right"), "padding"),
}


class Conv2dError(ValueError):
    """An argument that does not fit.

    code: the kind of error, for example "kernel_too_large", "length_mismatch", "invalid_argument".
    field: the argument at fault, for example "x", "stride", "padding"; "" if there is none.
    The message has the expected and the actual value.
    """

    __module__ = "conv2d"

    def __init__(self, code: str, field: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field

    def __reduce__(self) -> tuple[type[Conv2dError], tuple[str, str, str]]:
        return type(self), (self.code, self.field, str(self))

    @classmethod
    def of_library(cls, code: str, field: str, message: str) -> Conv2dError:
        """An error of the library, with the names of arguments in place of its fields."""
        # The library calls both the width of x and the weights w.
        argument = "x" if field == "w" and code == "invalid_size" else _ARGUMENTS.get(field, field)
        return cls(code, argument, re.sub(r"\b(stride|dilation)_[hw]\b", r"\1", message))


def refuse(field: str, message: str, code: str = "invalid_argument") -> Conv2dError:
    """The error of an argument that the library never sees."""
    return Conv2dError(code, field, message)
