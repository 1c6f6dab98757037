"""The pto dialect: operations and enums by definition, types, and the helpers
that programs use for synchronization and scalars."""

from .. import attributes, builders, enums, types
from ..attributes import EnumAttr, IntegerAttr, of_case
from ..core import Operation, value_of
from ..pto_types import (  # noqa: F401
    AlignType, AsyncEventType, AsyncSessionType, BF16x2Type, F4E1M2x2Type, F4E2M1x2Type, F8E8M0Type, HiF8Type,
    HiF8x2Type, MaskType, PartitionTensorViewType, PrefetchAsyncContextType, PtrType, StructType, TensorViewType,
    TileBufConfigAttr, TileBufType, TileType, VMIMaskType, VMIVRegType, VRegType,
)
from . import lookup

_find = lookup("pto")


def register_dialect(context, load=True):
    """Every context knows the dialect."""


def get_op_result_or_value(x):
    return value_of(x)


class TileConfig:
    """Sizes in bytes and elements of what the cube unit works on."""

    alignedSize = 32
    fixedRowSize = fixedColSize = 16
    fixedMxRowSize, fixedMxColSize = 16, 2
    fractalABSize, fractalCSize, fractalMxSize = 512, 1024, 32


def _enum_attr(mnemonic, value):
    """The attribute for a case, a keyword, or what is an attribute already."""
    if isinstance(value, attributes.Attribute):
        return value
    return of_case(value if isinstance(value, enums.Case) else enums.by_mnemonic("pto." + mnemonic).case(value))


def _i32(value):
    if isinstance(value, attributes.Attribute):
        return value
    return IntegerAttr.get(types.IntegerType.get_signless(32), value)


def _is_static(x):
    return isinstance(x, (int, str, enums.Case, attributes.Attribute))


def record_event(src_op, dst_op, event_id, *, loc=None, ip=None):
    return _event("pto.record_event", src_op, dst_op, event_id, loc, ip)


def wait_event(src_op, dst_op, event_id, *, loc=None, ip=None):
    return _event("pto.wait_event", src_op, dst_op, event_id, loc, ip)


def _event(name, src, dst, event, loc, ip):
    cls = builders.view_class(name)
    return cls(_enum_attr("sync_op_type", src), _enum_attr("sync_op_type", dst), _enum_attr("event", event), loc=loc, ip=ip)


def barrier(op, *, loc=None, ip=None):
    """A barrier of a pipe, or of the pipe of a kind of operation."""
    mnemonic = op.enum_case.enum.mnemonic if isinstance(op, EnumAttr) else getattr(getattr(op, "enum", None), "mnemonic", "")
    if isinstance(op, str) and not op.upper().startswith("PIPE_"):
        mnemonic = "pto.sync_op_type"
    if mnemonic == "pto.sync_op_type":
        return builders.view_class("pto.barrier_sync")(_enum_attr("sync_op_type", op), loc=loc, ip=ip)
    return builders.view_class("pto.barrier")(_enum_attr("pipe", op), loc=loc, ip=ip)


def _flag(name):
    def build(src_pipe, dst_pipe, event_id, *, loc=None, ip=None):
        pipes = _enum_attr("pipe", src_pipe), _enum_attr("pipe", dst_pipe)
        if _is_static(event_id):
            return builders.view_class(f"pto.{name}")(*pipes, _enum_attr("event", event_id), loc=loc, ip=ip)
        return builders.view_class(f"pto.{name}_dyn")(*pipes, value_of(event_id), loc=loc, ip=ip)

    build.__doc__ = f"Builds pto.{name} with an event id that is a constant or a value."
    return build


set_flag, wait_flag = _flag("set_flag"), _flag("wait_flag")
set_flag_dyn, wait_flag_dyn = set_flag, wait_flag


def _cross(name, with_mode):
    def build(pipe, event_id, ffts_mode=2, *, loc=None, ip=None):
        named = {"ffts_mode": _i32(ffts_mode)} if with_mode and ffts_mode not in (None, 2) else {}
        named["event_id" if _is_static(event_id) else "event_id_dyn"] = \
            _i32(event_id) if _is_static(event_id) else value_of(event_id)
        return builders.view_class(name)(pipe=_enum_attr("pipe", pipe), loc=loc, ip=ip, **named)

    build.__doc__ = f"Builds {name} with an event id that is a constant or a value."
    return build


sync_set, sync_wait = _cross("pto.sync.set", True), _cross("pto.sync.wait", True)
sync_set_dyn, sync_wait_dyn = sync_set, sync_wait
set_cross_block, wait_cross_block = _cross("pto.set_cross_block", False), _cross("pto.wait_cross_block", False)
set_intra_block, wait_intra_block = _cross("pto.set_intra_block", False), _cross("pto.wait_intra_block", False)


def set_ffts(ffts, *, loc=None, ip=None):
    return Operation.create("pto.set_ffts", operands=[ffts], loc=loc, ip=ip)


def _buffer(name):
    def build(op_type, buf_id, mode=0, *, loc=None, ip=None):
        if isinstance(op_type, str):
            op_type = _enum_attr("sync_op_type", op_type)
        return builders.view_class(name)(op_type, buf_id=_i32(buf_id), mode=_i32(mode), loc=loc, ip=ip)

    build.__doc__ = f"Builds {name}."
    return build


get_buf, rls_buf = _buffer("pto.get_buf"), _buffer("pto.rls_buf")


def ptrtoint(ptr, *, loc=None, ip=None):
    i64 = types.IntegerType.get_signless(64)
    return Operation.create("pto.ptrtoint", results=[i64], operands=[ptr], loc=loc, ip=ip).result


def inttoptr(result_type, addr, *, loc=None, ip=None):
    return Operation.create("pto.inttoptr", results=[result_type], operands=[addr], loc=loc, ip=ip).result


def load_scalar(result_type, ptr, offset, *, loc=None, ip=None):
    return Operation.create("pto.load_scalar", results=[result_type], operands=[ptr, offset], loc=loc, ip=ip).result


def store_scalar(ptr, offset, value, *, loc=None, ip=None):
    return Operation.create("pto.store_scalar", operands=[ptr, offset, value], loc=loc, ip=ip)


@builders.register
class PartitionViewOp(builders.BuiltOp):
    """PartitionViewOp(result, source, offsets, sizes), or without the result,
    which then has the rank and elements of the source"""

    OPERATION_NAME = "pto.partition_view"

    def __init__(self, *args, loc=None, ip=None, **kwargs):
        source = kwargs.get("source", args[0] if args else None)
        if "result" not in kwargs and not isinstance(source, types.Type):
            t = value_of(source).type
            kwargs["result"] = PartitionTensorViewType.get(t.rank, t.element_type)
        super().__init__(*args, loc=loc, ip=ip, **kwargs)


@builders.register
class SubViewOp(builders.BuiltOp):
    """SubViewOp([result,] source, offsets, sizes=...): without a result, a tile
    of the sizes that is valid as far as constant valid_row and valid_col say"""

    OPERATION_NAME = "pto.subview"

    def __init__(self, *args, sizes=None, valid_row=None, valid_col=None, loc=None, ip=None, **kwargs):
        if sizes is None and args:
            *args, sizes = args
        i64 = types.IntegerType.get_signless(64)
        sizes = [IntegerAttr.get(i64, int(n)) for n in sizes]
        if not isinstance(args[0] if args else None, types.Type) and "result" not in kwargs:
            source = value_of(kwargs.get("source", args[0] if args else None)).type
            shape = [n.value for n in sizes]
            valid = [_valid(v, n) for v, n in zip((valid_row, valid_col), shape)]
            kwargs["result"] = TileBufType.get(shape, source.element_type, source.memory_space, valid, source.config)
        super().__init__(*args, sizes=attributes.ArrayAttr.get(sizes), valid_row=valid_row, valid_col=valid_col,
                         loc=loc, ip=ip, **kwargs)


def _valid(value, size):
    """The valid extent that a value says, if it is a constant, up to size."""
    if value is None:
        return size
    owner = value_of(value).owner
    constant = owner.attributes.get("value") if getattr(owner, "name", None) == "arith.constant" else None
    return None if constant is None else min(constant.value, size)


partition_view = builders._function(PartitionViewOp)
PartitionView = PartitionViewOp


@builders.register
class TScatterOp(builders.BuiltOp):
    """TScatterOp(src, dst, indexes=...), and the older order of the two tiles:
    the one with the type of src is the destination"""

    OPERATION_NAME = "pto.tscatter"

    def __init__(self, src, *args, dst=None, indexes=None, maskPattern=None, axis=None, loc=None, ip=None):
        for x in args:
            if isinstance(x, (enums.Case, EnumAttr)):
                maskPattern = x
        tiles = [x for x in args if not isinstance(x, (enums.Case, EnumAttr))]
        if len(tiles) == 2:
            same = [value_of(t).type == value_of(src).type for t in tiles]
            dst, indexes = tiles if same == [True, False] else tiles[::-1]
        elif tiles:
            dst, indexes = (tiles[0], indexes) if dst is None else (dst, tiles[0])
        given = {k: v for k, v in dict(indexes=indexes, maskPattern=maskPattern, axis=axis).items() if v is not None}
        super().__init__(src, dst, loc=loc, ip=ip, **given)


_CASES = {c.keyword: c for m in ("pto.sync_op_type", "pto.event") for c in enums.by_mnemonic(m).cases}


def __getattr__(name):
    return _CASES[name] if name in _CASES else _find(name)
