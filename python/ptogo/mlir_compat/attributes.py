"""Attributes: equal if they print the same."""

import re
import struct

from . import enums, types
from .context import Context, any_context
from .scanner import Scanner


class Attribute:
    """An attribute that has no class of its own keeps its text only."""

    def __new__(cls, other=None, *_args, **_kwargs):
        if not isinstance(other, cls):
            raise ValueError(f"Cannot cast attribute to {cls.__name__} (from {other!r})")
        return other

    @classmethod
    def make(cls, text, **fields):
        a = object.__new__(cls)
        a.text = text
        a.__dict__.update(fields)
        return a

    @classmethod
    def isinstance(cls, other):
        return isinstance(other, cls)

    @staticmethod
    def parse(text, context=None):
        s = Scanner(text)
        a = read(s)
        if not s.done():
            s.fail("expected the end of the attribute")
        return a

    @property
    def context(self):
        return any_context()

    @property
    def type(self):
        return types.NoneType.get()

    def get_named(self, name):
        return NamedAttribute(name, self)

    def maybe_downcast(self):
        return self

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"{type(self).__name__}({self.text})"

    def __eq__(self, other):
        return isinstance(other, Attribute) and self.text == other.text

    def __hash__(self):
        return hash(self.text)


class NamedAttribute:
    def __init__(self, name, attr):
        self.name, self.attr = name, attr

    def __str__(self):
        return f"{self.name} = {self.attr}"


class UnitAttr(Attribute):
    @classmethod
    def get(cls, context=None):
        return cls.make("unit")


class IntegerAttr(Attribute):
    type = None

    @classmethod
    def get(cls, type, value):
        value = int(value)
        if isinstance(type, types.IntegerType) and type.width == 1 and type.is_signless:
            return BoolAttr.get(value & 1)
        return cls.make(f"{value} : {type}", type=type, value=value)

    def __int__(self):
        return int(self.value)

    def __index__(self):
        return int(self.value)


class BoolAttr(IntegerAttr):
    @classmethod
    def get(cls, value, context=None):
        return cls.make("true" if value else "false", type=types.IntegerType.get_signless(1), value=bool(value))

    def __bool__(self):
        return self.value


_FLOAT_BITS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


class FloatAttr(Attribute):
    type = None

    @classmethod
    def get(cls, type, value, loc=None):
        value = float(value)
        return cls.make(f"{_float_text(type, value)} : {type}", type=type, value=value)

    get_unchecked = get

    @classmethod
    def get_f32(cls, value, context=None):
        return cls.get(types.F32Type.get(), value)

    @classmethod
    def get_f64(cls, value, context=None):
        return cls.get(types.F64Type.get(), value)

    def __float__(self):
        return self.value


def _float_text(type, value):
    if value - value == 0:  # finite
        text = repr(value)
        return text if "." in text else text.replace("e", ".0e")
    if str(type) == "bf16":
        return "0x%04X" % (struct.unpack("<I", struct.pack("<f", value))[0] >> 16)
    float_format, int_format = _FLOAT_BITS.get(str(type), _FLOAT_BITS["f64"])
    size = struct.calcsize(float_format) * 2
    return "0x%0*X" % (size, struct.unpack(int_format, struct.pack(float_format, value))[0])


class StringAttr(Attribute):
    @classmethod
    def get(cls, value, context=None):
        return cls.make(quote(value), value=value)

    @property
    def value_bytes(self):
        return self.value.encode()


def quote(text):
    """text between quotes, as MLIR escapes it."""
    out = "".join(c if " " <= c <= "~" and c not in '"\\' else _escape(c) for c in text)
    return f'"{out}"'


def _escape(c):
    return {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}.get(c) or "".join("\\%02X" % b for b in c.encode())


_ESCAPED = re.compile(rb'\\([0-9A-Fa-f]{2}|[nt"\\])')


def unquote(text):
    def one(m):
        return {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}.get(m[1]) or bytes([int(m[1], 16)])

    return _ESCAPED.sub(one, text.encode()).decode(errors="replace")


class TypeAttr(Attribute):
    @classmethod
    def get(cls, value, context=None):
        return cls.make(str(value), value=value)


class SymbolRefAttr(Attribute):
    @classmethod
    def get(cls, symbols, context=None):
        symbols = [symbols] if isinstance(symbols, str) else list(symbols)
        if len(symbols) == 1:
            return FlatSymbolRefAttr.get(symbols[0])
        return cls.make("::".join(symbol_name(x) for x in symbols), value=symbols)


class FlatSymbolRefAttr(SymbolRefAttr):
    @classmethod
    def get(cls, value, context=None):
        return cls.make(symbol_name(value), value=value)


_PLAIN_SYMBOL = re.compile(r"[A-Za-z_][\w$.]*\Z")


def symbol_name(name):
    return "@" + (name if _PLAIN_SYMBOL.match(name) else quote(name))


class ArrayAttr(Attribute):
    @classmethod
    def get(cls, attributes, context=None):
        items = [default_attribute(a) for a in attributes]
        return cls.make("[" + ", ".join(map(str, items)) + "]", items=items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class DictAttr(Attribute):
    @classmethod
    def get(cls, value=None, context=None):
        value = dict(value or {})
        return cls.make("{" + entries(value) + "}", items=value)

    def __getitem__(self, i):
        if isinstance(i, int):
            return NamedAttribute(*list(self.items.items())[i])
        return self.items[i]

    def __contains__(self, name):
        return name in self.items

    def __len__(self):
        return len(self.items)


_KEY = re.compile(r"[A-Za-z_][\w$.]*\Z")


def entries(attributes):
    """The entries of a dictionary; those of unit attributes are a name alone."""
    out = []
    for name, a in attributes.items():
        key = name if _KEY.match(name) else quote(name)
        out.append(key if isinstance(a, UnitAttr) else f"{key} = {a}")
    return ", ".join(out)


def _dense_array(name, element):
    def get(cls, values, context=None):
        values = list(values)
        text = ", ".join(map(_number, values))
        return cls.make(f"array<{element}: {text}>" if values else f"array<{element}>", items=values)

    methods = {
        "get": classmethod(get),
        "__iter__": lambda self: iter(self.items),
        "__len__": lambda self: len(self.items),
        "__getitem__": lambda self, i: self.items[i],
    }
    return type(name, (Attribute,), methods)


def _number(v):
    return {True: "true", False: "false"}[v] if isinstance(v, bool) else repr(v)


DenseBoolArrayAttr = _dense_array("DenseBoolArrayAttr", "i1")
DenseI8ArrayAttr = _dense_array("DenseI8ArrayAttr", "i8")
DenseI16ArrayAttr = _dense_array("DenseI16ArrayAttr", "i16")
DenseI32ArrayAttr = _dense_array("DenseI32ArrayAttr", "i32")
DenseI64ArrayAttr = _dense_array("DenseI64ArrayAttr", "i64")
DenseF32ArrayAttr = _dense_array("DenseF32ArrayAttr", "f32")
DenseF64ArrayAttr = _dense_array("DenseF64ArrayAttr", "f64")

_dense_arrays = {"i1": DenseBoolArrayAttr, "i8": DenseI8ArrayAttr, "i16": DenseI16ArrayAttr, "i32": DenseI32ArrayAttr,
                 "i64": DenseI64ArrayAttr, "f32": DenseF32ArrayAttr, "f64": DenseF64ArrayAttr}


class DenseElementsAttr(Attribute):
    @classmethod
    def get_splat(cls, shaped_type, element):
        value = str(element).split(" : ")[0]
        return cls.make(f"dense<{value}> : {shaped_type}", type=shaped_type, is_splat=True)

    type = None


class StridedLayoutAttr(Attribute):
    @classmethod
    def get(cls, offset, strides, context=None):
        strides = list(strides)
        text = f"strided<[{', '.join(map(_size, strides))}]"
        text += f", offset: {_size(offset)}>" if offset else ">"
        return cls.make(text, offset=offset, strides=strides)

    @classmethod
    def get_fully_dynamic(cls, rank, context=None):
        return cls.get(types.DYNAMIC, [types.DYNAMIC] * rank)


def _size(n):
    return "?" if n == types.DYNAMIC else str(n)


class EnumAttr(Attribute):
    """A case of an enum of a dialect. Its classes are made by enums."""

    enum = None  # the enums.Enum, in classes of one enum

    @classmethod
    def get(cls, value, context=None):
        if isinstance(value, Context):  # some callers put the context first
            value = context
        case = cls.enum.case(value)
        return cls.make(case.text, enum_case=case)

    @property
    def value(self):
        return self.enum_case.value

    int_value = value

    @classmethod
    def isinstance(cls, other):
        return isinstance(other, EnumAttr) and (cls.enum is None or other.enum_case.enum is cls.enum)

    def __new__(cls, other):
        if not cls.isinstance(other):
            raise ValueError(f"Cannot cast attribute to {cls.__name__} (from {other!r})")
        return other


def of_case(case):
    """The attribute for a case of an enum."""
    return enum_class(case.enum).make(case.text, enum_case=case)


_enum_classes = {}


def enum_class(enum):
    """The class of the attributes of an enum."""
    if enum not in _enum_classes:
        _enum_classes[enum] = type(enum.name + "Attr", (EnumAttr,), {"enum": enum})
    return _enum_classes[enum]


def default_attribute(value):
    """The attribute for a value of Python, where nothing else says which."""
    if isinstance(value, Attribute):
        return value
    if isinstance(value, enums.Case):
        return of_case(value)
    if isinstance(value, bool):
        return BoolAttr.get(value)
    if isinstance(value, int):
        return IntegerAttr.get(types.IntegerType.get_signless(64), value)
    if isinstance(value, float):
        return FloatAttr.get_f32(value)
    if isinstance(value, str):
        return StringAttr.get(value)
    if isinstance(value, types.Type):
        return TypeAttr.get(value)
    if isinstance(value, dict):
        return DictAttr.get({k: default_attribute(v) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(v, int) and not isinstance(v, bool) for v in value):
            return DenseI64ArrayAttr.get(value)
        return ArrayAttr.get(value)
    raise TypeError(f"{value!r} is no attribute, nor something that one is made of")


def build(kind, value):
    """The attribute of a kind that _definitions names, made from a value of
    Python: an integer for i8 to i64, a list for i32s and i64s, a name for
    symbol, a case, number or keyword for an enum. None if a unit attribute is
    left out by False."""
    if isinstance(value, Attribute):
        return value
    if kind == "unit":
        return UnitAttr.get() if value else None
    if kind == "bool":
        return BoolAttr.get(value)
    if kind in ("i8", "i16", "i32", "i64") and not isinstance(value, enums.Case):
        return IntegerAttr.get(types.IntegerType.get_signless(int(kind[1:])), value)
    if kind == "i32s":
        return DenseI32ArrayAttr.get(value)
    if kind == "i64s":
        return DenseI64ArrayAttr.get(value)
    if kind == "symbol":
        return FlatSymbolRefAttr.get(value.lstrip("@"))
    enum = enums.by_mnemonic(kind)
    return of_case(enum.case(value)) if enum else default_attribute(value)


_NUMBER = re.compile(r"-?(0x[0-9A-Fa-f]+|\d+(\.\d*)?([eE][-+]?\d+)?)")
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)")
_KEYWORD = re.compile(r"(true|false|unit|dense|array|strided|affine_map|affine_set|dense_resource|opaque|loc)\b")
_NAME = re.compile(r"[A-Za-z_][\w$.]*")


def read(s):
    """Reads one attribute from a scanner."""
    if s.peek('"'):
        return StringAttr.get(unquote(s.string()))
    if s.peek("@"):
        return _read_symbol(s)
    if s.accept("["):
        items = []
        while not s.accept("]"):
            items.append(read(s))
            s.accept(",")
        return ArrayAttr.get(items)
    if s.peek("{"):
        return DictAttr.get(read_dictionary(s))
    if s.peek("#"):
        return _read_dialect(s)
    number = s.match(_NUMBER)
    if number:
        return _read_number(s, number)
    word = s.match(_KEYWORD)
    if word is None:
        return TypeAttr.get(types.read(s))
    return _read_keyword(s, word)


def _read_symbol(s):
    names = []
    while True:
        name = s.match(_SYMBOL)
        if name is None:
            s.expect("@")
            name = "@" + unquote(s.string())
        names.append(name[1:])
        if not s.accept("::"):
            return SymbolRefAttr.get(names)


def _read_number(s, number):
    plain = re.fullmatch(r"-?\d+", number)
    if not s.accept(":"):
        t = types.IntegerType.get_signless(64) if plain else types.F64Type.get()
    else:
        t = types.read(s)
    if isinstance(t, types.FloatType):
        if number.startswith("0x"):
            return FloatAttr.make(f"{number} : {t}", type=t, value=float("nan"))
        return FloatAttr.get(t, float(number))
    return IntegerAttr.get(t, int(number, 0))


def _read_keyword(s, word):
    if word in ("true", "false"):
        return BoolAttr.get(word == "true")
    if word == "unit":
        return UnitAttr.get()
    s.expect("<")
    body = s.balanced(">")
    s.expect(">")
    if word == "array":
        element, _, values = body.partition(":")
        values = [v.strip() for v in values.split(",") if v.strip()]
        return _dense_arrays[element.strip()].get([_python_number(v) for v in values])
    if word == "strided":
        strides, _, offset = body.partition("]")
        offset = offset.partition("offset:")[2].strip() or "0"
        return StridedLayoutAttr.get(_stride(offset), [_stride(x) for x in strides.lstrip("[").split(",") if x.strip()])
    text = f"{word}<{body}>"
    if s.accept(":"):
        t = types.read(s)
        return DenseElementsAttr.make(f"{text} : {t}", type=t)
    return Attribute.make(text)


def _python_number(text):
    return {"true": True, "false": False}.get(text) if text in ("true", "false") else \
        float(text) if re.search(r"[.eE]", text) and not text.startswith("0x") else int(text, 0)


def _stride(text):
    return types.DYNAMIC if text.strip() == "?" else int(text)


_DIALECT = re.compile(r"#[A-Za-z_][\w$]*(\.[A-Za-z_][\w$.]*)?")


def _read_dialect(s):
    name = s.take(_DIALECT, "an attribute")
    if not s.accept("<"):
        return Attribute.make(name)
    body = s.balanced(">")
    s.expect(">")
    mnemonic, _, case = body.partition(" ")
    if "." in name:
        mnemonic, case = name.partition(".")[2], body
    enum = enums.by_mnemonic(f"{name[1:].partition('.')[0]}.{mnemonic}")
    found = enum.find(case.strip()) if enum else None
    return of_case(found) if found else Attribute.make(f"{name}<{body}>")


def read_dictionary(s):
    """Reads a dictionary with its braces."""
    s.expect("{")
    found = {}
    while not s.accept("}"):
        key = unquote(s.string()) if s.peek('"') else s.take(_NAME, "a name")
        found[key] = read(s) if s.accept("=") else UnitAttr.get()
        s.accept(",")
    return found
