"""The memref dialect."""

from .. import builders
from ..core import value_of
from . import lookup


@builders.register
class LoadOp(builders.BuiltOp):
    """LoadOp([type,] memref, indices)"""

    OPERATION_NAME = "memref.load"

    def __init__(self, *args, loc=None, ip=None, **kwargs):
        if args and builders._is_operand(args[0]):
            kwargs["result"] = value_of(args[0]).type.element_type
        super().__init__(*args, loc=loc, ip=ip, **kwargs)


__getattr__ = lookup("memref")
