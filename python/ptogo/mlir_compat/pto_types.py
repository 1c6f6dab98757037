"""The types of the pto dialect and the configuration of tiles."""

import re

from . import attributes, enums, types
from .context import Context
from .types import DYNAMIC, Type, sizes


class PtrType(Type):
    @classmethod
    def get(cls, element_type, memory_space=None, context=None):
        if isinstance(memory_space, Context):
            memory_space = None
        space = enums.by_mnemonic("pto.address_space").case("gm" if memory_space is None else _case(memory_space))
        end = "" if space.keyword == "gm" else f", {_SPACES.get(space.keyword, space.keyword)}"
        return cls.make(f"!pto.ptr<{element_type}{end}>", element_type=element_type,
                        memory_space=attributes.of_case(space))


# Pointers spell some spaces otherwise than tiles do.
_SPACES = {"vec": "ub"}


def _case(x):
    return x.enum_case if isinstance(x, attributes.EnumAttr) else x


class VRegType(Type):
    @classmethod
    def get(cls, element_count, element_type, context=None):
        return cls.make(f"!pto.vreg<{element_count}x{element_type}>", element_count=element_count, lanes=element_count,
                        element_type=element_type)


class MaskType(Type):
    """A mask for lanes of b8, b16 or b32, as which masks of older programs count,
    which had no granularity."""

    @classmethod
    def get(cls, granularity="b32", context=None):
        return cls.make(f"!pto.mask<{granularity}>", granularity=granularity)


class VMIVRegType(Type):
    @classmethod
    def get(cls, element_count, element_type, layout=None, context=None):
        end = "" if layout is None else f", {layout}"
        return cls.make(f"!pto.vmi.vreg<{element_count}x{element_type}{end}>", element_count=element_count,
                        element_type=element_type, layout=layout)


class VMIMaskType(Type):
    @classmethod
    def get(cls, element_count, granularity, layout=None, context=None):
        end = "" if layout is None else f", {layout}"
        return cls.make(f"!pto.vmi.mask<{element_count}x{granularity}{end}>", element_count=element_count,
                        granularity=granularity, layout=layout)


class StructType(Type):
    @classmethod
    def get(cls, field_types, context=None):
        fields = list(field_types)
        if not fields:
            raise ValueError("StructType.get requires at least one field type")
        return cls.make(f"!pto.struct<{types.join(fields)}>", field_types=fields)


def _handle(name, mnemonic):
    def get(cls, context=None):
        return cls.make("!pto." + mnemonic)

    cls = type(name, (Type,), {"get": classmethod(get)})
    types.register("!pto." + mnemonic, lambda s: cls.get())
    return cls


AlignType = _handle("AlignType", "align")
AsyncSessionType = _handle("AsyncSessionType", "async_session")
AsyncEventType = _handle("AsyncEventType", "async_event")
PrefetchAsyncContextType = _handle("PrefetchAsyncContextType", "prefetch_async_context")
HiF8Type = _handle("HiF8Type", "hif8")
HiF8x2Type = _handle("HiF8x2Type", "hif8x2")
F8E8M0Type = _handle("F8E8M0Type", "f8E8M0")
BF16x2Type = _handle("BF16x2Type", "bf16x2")
F4E1M2x2Type = _handle("F4E1M2x2Type", "f4E1M2x2")
F4E2M1x2Type = _handle("F4E2M1x2Type", "f4E2M1x2")


class _View(Type):
    """A view of global memory: sizes, which may be unknown, and elements."""

    mnemonic = None

    @classmethod
    def get(cls, shape_or_rank, element_type, context=None):
        shape = [DYNAMIC] * shape_or_rank if isinstance(shape_or_rank, int) else \
            [DYNAMIC if d is None or d < 0 else d for d in shape_or_rank]
        return cls.make(f"!pto.{cls.mnemonic}<{sizes(shape)}{element_type}>", shape=shape, rank=len(shape),
                        element_type=element_type)


class TensorViewType(_View):
    mnemonic = "tensor_view"


class PartitionTensorViewType(_View):
    mnemonic = "partition_tensor_view"


class TileType(_View):
    mnemonic = "tile"


class TileBufConfigAttr(attributes.Attribute):
    """How the elements of a tile lie in memory and what is behind its valid region."""

    @classmethod
    def get(cls, blayout, slayout, s_fractal_size, pad, context=None, compact_mode=None):
        fields = dict(blayout=_of("blayout", blayout), slayout=_of("slayout", slayout), fractal=int(s_fractal_size),
                      pad=_of("pad_value", pad), compact=_of("compact_mode", compact_mode or 0))
        text = ", ".join(f"{k}={getattr(v, 'keyword', v)}" for k, v in fields.items())
        return cls.make(f"#pto.tile_buf_config<{text}>", **fields)

    @classmethod
    def get_default(cls, context=None):
        return cls.get(0, 0, 512, 0)


def _of(mnemonic, value):
    return enums.by_mnemonic("pto." + mnemonic).case(_case(value))


class TileBufType(Type):
    @classmethod
    def get(cls, shape, element_type, memory_space, valid_shape=None, config=None, context=None):
        shape = list(shape)
        valid = shape if valid_shape is None else [DYNAMIC if v is None or v < 0 else v for v in valid_shape]
        if len(valid) != len(shape):
            raise RuntimeError("valid_shape rank must match shape rank")
        config = config or TileBufConfigAttr.get_default()
        space = _of("address_space", memory_space)
        text = f"!pto.tile_buf<{space.keyword}, {sizes(shape)}{element_type}"
        if valid != shape:
            text += f", valid={sizes(valid)[:-1]}"
        for key, value, default in (("blayout", config.blayout.keyword, "row_major"),
                                    ("slayout", config.slayout.keyword, "none_box"), ("fractal", config.fractal, 512),
                                    ("pad", config.pad.value, 0), ("compact", config.compact.value, 0)):
            if value != default:
                text += f", {key}={value}"
        return cls.make(text + ">", shape=shape, rank=len(shape), element_type=element_type, valid_shape=valid,
                        config=config, memory_space=attributes.of_case(space))

    @classmethod
    def upcast_type(cls, type):
        return type if isinstance(type, cls) else None

    blayout_attr = property(lambda self: attributes.of_case(self.config.blayout))
    slayout_attr = property(lambda self: attributes.of_case(self.config.slayout))
    blayout_value = property(lambda self: self.config.blayout.value)
    slayout_value = property(lambda self: self.config.slayout.value)
    pad_value = property(lambda self: self.config.pad.value)
    compact_mode = property(lambda self: self.config.compact.value)
    s_fractal_size = property(lambda self: self.config.fractal)


# Reading: what stands between < and >.

_LANES = re.compile(r"(\d+)\s*x")
_WORD = re.compile(r"[A-Za-z_]\w*")
_EXTENT = re.compile(r"[\d?x]+")
_VALUE = re.compile(r"\w+")


def _read_ptr(s):
    element = types.read(s)
    space = None
    if s.accept(","):
        word = s.balanced(">").removeprefix("#pto.address_space<").rstrip(">")
        space = {"ub": "vec"}.get(word, word)
    return PtrType.get(element, space)


def _lanes(s):
    return int(s.take(_LANES, "a number of lanes").rstrip("x ").strip())


def _layout(s):
    return attributes.read(s) if s.accept(",") else None


def _read_vmi_mask(s):
    n = _lanes(s)
    return VMIMaskType.get(n, s.take(_WORD, "a granularity"), _layout(s))


def _read_vmi_vreg(s):
    n = _lanes(s)
    element = types.read(s)
    return VMIVRegType.get(n, element, _layout(s))


def _read_vreg(s):
    n = _lanes(s)
    return VRegType.get(n, types.read(s))


def _read_view(cls):
    def reader(s):
        shape = types.read_shape(s)
        element = types.read(s)
        if s.peek(","):  # a tile with keys of which nobody asks
            return types.OpaqueType.make(f"!pto.{cls.mnemonic}<{sizes(shape)}{element}{s.balanced('>')}>")
        return cls.get(shape, element)
    return reader


def _read_struct(s):
    return StructType.get(types._separated(s, ">"))


def _read_tile_buf(s):
    keys, positional = {}, []
    while not s.peek(">"):
        at = s.at
        word = s.match(_WORD)
        if word is not None and s.accept("="):
            keys[word] = types.read(s) if word == "dtype" else s.take(_EXTENT if word.startswith("v") else _VALUE, "a value")
        else:
            s.at = at
            positional.append(s.balanced())
        s.accept(",")
    space = keys.get("loc") or positional.pop(0)
    if positional:
        inner = types.Scanner(positional[0])
        shape, element = types.read_shape(inner), types.read(inner)
    else:
        shape, element = [int(keys["rows"]), int(keys["cols"])], keys["dtype"]
    valid = shape
    if "valid" in keys:
        valid = [None if v == "?" else int(v) for v in keys["valid"].split("x")]
    elif "v_row" in keys:
        valid = [None if keys[k] == "?" else int(keys[k]) for k in ("v_row", "v_col")]
    config = TileBufConfigAttr.get(keys.get("blayout", "row_major"), keys.get("slayout", "none_box"),
                                   keys.get("fractal", 512), _number(keys.get("pad", 0)),
                                   compact_mode=_number(keys.get("compact", 0)))
    return TileBufType.get(shape, element, space, valid, config)


def _number(text):
    return int(text) if str(text).isdigit() else text


for _name, _reader in (("ptr", _read_ptr), ("vreg", _read_vreg), ("vmi.vreg", _read_vmi_vreg), ("vmi.mask", _read_vmi_mask),
                       ("mask", lambda s: MaskType.get(s.take(_WORD, "a granularity"))), ("struct", _read_struct),
                       ("tensor_view", _read_view(TensorViewType)), ("tile", _read_view(TileType)),
                       ("partition_tensor_view", _read_view(PartitionTensorViewType)), ("tile_buf", _read_tile_buf)):
    types.register("!pto." + _name, _reader)
