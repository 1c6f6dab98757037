"""The dialects, as MLIR's bindings name their modules."""

import importlib

NAMES = ("arith", "builtin", "cf", "func", "llvm", "math", "memref", "pto", "scf")


def register_all():
    """Loads the modules, which register the classes that build in their own way."""
    for name in NAMES:
        importlib.import_module(f"{__name__}.{name}")


def lookup(dialect):
    """A module's __getattr__: operations, enums and attributes by definition,
    then what mlir.ir has."""
    from .. import builders, ir

    names = builders.Names(dialect)

    def get(name):
        try:
            return names.find(name)
        except AttributeError:
            if not name.startswith("_") and hasattr(ir, name):
                return getattr(ir, name)
            raise

    return get
