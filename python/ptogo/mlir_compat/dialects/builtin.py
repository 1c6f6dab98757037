"""The builtin dialect."""

from .. import builders
from ..core import Block
from . import lookup


@builders.register
class ModuleOp(builders.BuiltOp):
    OPERATION_NAME = "builtin.module"

    def __init__(self, *, loc=None, ip=None):
        super().__init__(loc=loc, ip=ip)
        self.operation.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        return self.operation.regions[0].blocks[0]


@builders.register
class UnrealizedConversionCastOp(builders.BuiltOp):
    OPERATION_NAME = "builtin.unrealized_conversion_cast"


_find = lookup("builtin")


def __getattr__(name):
    if name == "module":
        return ModuleOp
    return _find(name)

