"""Asks pto-opt whether IR is legal."""

import subprocess

from .. import _tools
from .errors import MLIRError
from .printer import Printer


def verify(op):
    """True, or MLIRError with what is wrong and where in Python."""
    if op.name == "builtin.module":
        run("-o", "-", Printer(True).text(op))
    return True


def run(*options_and_text):
    """Returns what pto-opt prints for a text; MLIRError with its messages if it fails."""
    *options, text = options_and_text
    done = subprocess.run([_tools.find("pto-opt"), *options, "-"], input=text, capture_output=True, text=True)
    if done.returncode:
        raise MLIRError("Verification failed:\n" + done.stderr.rstrip())
    return done.stdout
