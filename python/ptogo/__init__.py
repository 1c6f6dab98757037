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

import importlib

from ._version import __version__

# The modules of the public names. A module is imported when a program first uses one of its names, so
# that the commands pto-run and "python -m ptogo run" start at once, and do not need numpy.
_modules = {
    "_advise": ["Advice", "advise"],
    "_elements": ["decode", "dtype_of", "encode"],
    "_equivalent": ["Verdict", "equivalent"],
    "_errors": [
        "ByteRange", "CheckFailed", "CompileError", "Diagnostic", "Diagnostics", "Error", "Fault", "KernelWarning",
        "Mismatch", "ServerDied", "UsageError",
    ],
    "_graph": ["Buffer", "Graph", "GraphResult", "graph"],
    "_kernel": ["Kernel", "Launch", "Param", "Result", "checked", "load"],
    "_memory": ["PerBlock", "Window"],
    "_numerics": ["Numerics", "numerics"],
    "_opt": ["explain", "opt"],
    "_rand": ["rand"],
    "_server": ["shutdown"],
    "_show": ["show"],
    "_tune": ["Tuned", "tune"],
}  # fmt: skip
_module_of = {name: module for module, names in _modules.items() for name in names}

__all__ = sorted([*_module_of, "testing"])


def __getattr__(name):
    if name == "testing":
        return importlib.import_module(".testing", __name__)
    if name not in _module_of:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module("." + _module_of[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
