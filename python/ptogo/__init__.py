"""PTO kernels on numpy arrays: checked and executed by pto-run, without an NPU.

    import numpy as np, ptogo

    softmax = ptogo.load("softmax.pto", arch="a5")
    x = np.random.rand(32, 64).astype(np.float32)
    y = np.zeros_like(x)
    softmax[2](x, y, check="all")

load reads and checks a kernel, opt runs passes over it, equivalent decides whether two
compute the same for all data, numerics measures the accuracy, tune searches for fast parameters,
advise makes a kernel faster, explain prints the page of an instruction. What goes wrong is an exception that shows the place in the program. ptogo.testing compares arrays; its pytest plugin comes with the package.
"""

from . import testing
from ._advise import Advice, advise
from ._elements import decode, dtype_of, encode
from ._errors import (
    ByteRange,
    CheckFailed,
    CompileError,
    Diagnostic,
    Diagnostics,
    Error,
    Fault,
    KernelWarning,
    Mismatch,
    ServerDied,
    UsageError,
)
from ._graph import Buffer, Graph, GraphResult, graph
from ._equivalent import Verdict, equivalent
from ._kernel import Kernel, Launch, Param, Result, checked, load
from ._memory import PerBlock, Window
from ._numerics import Numerics, numerics
from ._opt import explain, opt
from ._rand import rand
from ._server import shutdown
from ._tune import Tuned, tune
from ._version import __version__
from .show import show

__all__ = [
    "Advice", "Buffer", "ByteRange", "CheckFailed", "CompileError", "Diagnostic", "Diagnostics", "Error", "Fault", "Graph", "GraphResult", "Kernel", "KernelWarning",
    "Launch", "Mismatch", "Numerics", "Param", "PerBlock", "Result", "ServerDied", "Tuned", "UsageError", "Verdict", "Window", "advise", "checked", "decode", "dtype_of", "encode",
    "equivalent", "explain", "graph", "load", "numerics", "opt", "rand", "show", "shutdown", "testing", "tune",
]  # fmt: skip
