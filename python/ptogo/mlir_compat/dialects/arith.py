"""The arith dialect."""

from enum import IntEnum

from .. import attributes, builders, types
from ..core import value_of
from . import lookup

CmpIPredicate = IntEnum("CmpIPredicate", "eq ne slt sle sgt sge ult ule ugt uge", start=0)
CmpFPredicate = IntEnum(
    "CmpFPredicate", "AlwaysFalse OEQ OGT OGE OLT OLE ONE ORD UEQ UGT UGE ULT ULE UNE UNO AlwaysTrue", start=0)


def constant_attribute(type, value):
    """The attribute for a constant of a type."""
    if isinstance(value, attributes.Attribute):
        return value
    if isinstance(type, types.FloatType):
        return attributes.FloatAttr.get(type, value)
    if isinstance(type, types.VectorType):
        return attributes.DenseElementsAttr.get_splat(type, constant_attribute(type.element_type, value))
    return attributes.IntegerAttr.get(type, value)


@builders.register
class ConstantOp(builders.BuiltOp):
    """ConstantOp(type, value), or ConstantOp(attribute)"""

    OPERATION_NAME = "arith.constant"

    def __init__(self, result, value=None, *, loc=None, ip=None):
        if value is None:
            result, value = result.type, result
        super().__init__(result, constant_attribute(result, value), loc=loc, ip=ip)

    @classmethod
    def create_index(cls, value, *, loc=None, ip=None):
        return cls(types.IndexType.get(), value, loc=loc, ip=ip)

    @property
    def type(self):
        return self.operation.results[0].type

    @property
    def literal_value(self):
        return self.operation.attributes["value"].value


def constant(result, value, *, loc=None, ip=None):
    return ConstantOp(result, value, loc=loc, ip=ip).result


class _Compare(builders.BuiltOp):
    """CmpIOp(predicate, lhs, rhs) and CmpFOp: the result is a truth value, or a vector of them"""

    def __init__(self, predicate, lhs, rhs, *, loc=None, ip=None, **kwargs):
        t, bit = value_of(lhs).type, types.IntegerType.get_signless(1)
        result = types.VectorType.get(t.shape, bit) if isinstance(t, types.VectorType) else bit
        super().__init__(result, predicate, lhs, rhs, loc=loc, ip=ip, **kwargs)


@builders.register
class CmpIOp(_Compare):
    OPERATION_NAME = "arith.cmpi"


@builders.register
class CmpFOp(_Compare):
    OPERATION_NAME = "arith.cmpf"


cmpi = builders._function(CmpIOp)
cmpf = builders._function(CmpFOp)

__getattr__ = lookup("arith")
