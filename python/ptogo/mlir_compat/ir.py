"""What MLIR's bindings call mlir.ir."""

from .attributes import (  # noqa: F401
    ArrayAttr, Attribute, BoolAttr, DenseBoolArrayAttr, DenseElementsAttr, DenseF32ArrayAttr, DenseF64ArrayAttr,
    DenseI8ArrayAttr, DenseI16ArrayAttr, DenseI32ArrayAttr, DenseI64ArrayAttr, DictAttr, FlatSymbolRefAttr, FloatAttr,
    IntegerAttr, NamedAttribute, StridedLayoutAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr,
)
from .context import Context, InsertionPoint, Location  # noqa: F401
from .core import (  # noqa: F401
    Block, BlockArgument, Module, Operation, OpOperand, OpResult, OpView, Region, SymbolTable, Value, WalkOrder,
    WalkResult,
)
from .errors import MLIRError  # noqa: F401
from .types import (  # noqa: F401
    BF16Type, F16Type, F32Type, F64Type, Float4E2M1FNType, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
    FloatTF32Type, FloatType, FunctionType, IndexType, IntegerType, MemRefType, NoneType, OpaqueType,
    RankedTensorType, ShapedType, TupleType, Type, VectorType,
)


class AttrBuilder:
    """The builders of attributes by name that MLIR keeps; ours are in attributes."""

    _builders = {}

    @staticmethod
    def contains(name):
        return name in AttrBuilder._builders

    @staticmethod
    def get(name):
        return AttrBuilder._builders[name]

    @staticmethod
    def insert(name, builder, replace=False):
        AttrBuilder._builders[name] = builder


def register_attribute_builder(name, replace=False):
    def keep(builder):
        AttrBuilder.insert(name, builder, replace)
        return builder

    return keep
