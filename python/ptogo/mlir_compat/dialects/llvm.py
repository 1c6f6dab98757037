"""The llvm dialect, as far as programs of PTO use it."""

from .. import builders, types
from . import lookup


class PointerType(types.Type):
    @classmethod
    def get(cls, address_space=None, context=None):
        return cls.make("!llvm.ptr" + (f"<{address_space}>" if address_space else ""), address_space=address_space or 0)


def _read_pointer(s):
    return PointerType.get(int(s.balanced(">")) if s is not None else None)


types.register("!llvm.ptr", _read_pointer)


@builders.register
class GEPOp(builders.BuiltOp):
    OPERATION_NAME = "llvm.getelementptr"


_NAMES = {"UndefOp": "llvm.mlir.undef", "ConstantOp": "llvm.mlir.constant", "ZeroOp": "llvm.mlir.zero",
          "PoisonOp": "llvm.mlir.poison"}
_find = lookup("llvm")


def __getattr__(name):
    return builders.view_class(_NAMES[name]) if name in _NAMES else _find(name)
