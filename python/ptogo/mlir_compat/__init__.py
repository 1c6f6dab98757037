"""MLIR's Python bindings, as far as frontends of PTO use them, in pure Python.

They build IR and print the generic form, which pto-opt and pto-run read; each
operation carries the line of Python that made it. install() puts them where
frontends look for the real ones: as mlir and as ptoas.mlir.
"""

import importlib
import sys


def install(names=("mlir", "ptoas.mlir")):
    """Makes the modules here those of MLIR's bindings under all names."""
    from . import ir
    from . import dialects

    dialects.register_all()
    this = sys.modules[__name__]
    for name in names:
        sys.modules[name] = this
        sys.modules[name + ".ir"] = ir
        sys.modules[name + ".dialects"] = dialects
        for d in dialects.NAMES:
            sys.modules[f"{name}.dialects.{d}"] = importlib.import_module(f"{dialects.__name__}.{d}")
        outer, _, last = name.rpartition(".")
        if outer and outer in sys.modules:
            setattr(sys.modules[outer], last, this)
