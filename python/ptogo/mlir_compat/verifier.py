"""Asks pto-opt whether IR is legal."""

from .._errors import Error
from .._opt import _opt
from .errors import MLIRError
from .printer import Printer


def verify(op):
    """True, or MLIRError with what is wrong and where in Python."""
    if op.name == "builtin.module":
        run([], Printer(True).text(op))
    return True


def run(options, text):
    """Returns what pto-opt prints for a text; MLIRError with its messages if it fails."""
    try:
        return _opt([*options, "-"], text, "module.mlir")
    except Error as e:
        raise MLIRError(f"Verification failed:\n{e}") from None
