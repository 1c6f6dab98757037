"""Runs whole models of a PTO frontend on this machine, without a device.

A frontend compiles a model to kernels and to an orchestration, C++ code that submits the
kernels as tasks. This package executes both: it compiles the orchestration together with
a recorder, against the user's checkout of the public runtime, and runs the recorded tasks
with pto-run. docs/platform.md explains how to use it.

    python -m ptogo.platform model.py -p ptogo      runs a model
    python -m ptogo.platform pytest tests/st        runs device tests of the frontend

    from ptogo import platform
    program = platform.load("build/artifact")       the folder that the frontend wrote
    program(x, y, out)                              numpy arrays or CPU tensors; out is written

Start reading at _program.py; _frontend.py connects this package to the frontend.
"""

from ._errors import PlatformError
from ._frontend import install
from ._options import configure, options
from ._program import Program, load

__all__ = ["PlatformError", "Program", "configure", "install", "load", "options"]
