"""Types: one object per type, equal by identity, printed in MLIR's syntax."""

import re

from .context import any_context
from .scanner import Scanner

DYNAMIC = -(1 << 63)  # a size that is only known when the program runs

_interned = {}
_dialect_types = {}  # "!pto.ptr" to the class that reads its body


class Type:
    """A type. Constructing a class of types from a type casts it; ValueError
    if the type is of another class."""

    __slots__ = ("text", "__dict__")

    def __new__(cls, other):
        if not isinstance(other, cls):
            raise ValueError(f"Cannot cast type to {cls.__name__} (from {other!r})")
        return other

    @classmethod
    def make(cls, text, **fields):
        """Returns the one object for a type that prints as text."""
        found = _interned.get(text)
        if found is None:
            found = object.__new__(cls)
            found.text = text
            found.__dict__.update(fields)
            _interned[text] = found
        return found

    @classmethod
    def isinstance(cls, other):
        return isinstance(other, cls)

    @staticmethod
    def parse(text, context=None):
        s = Scanner(text)
        t = read(s)
        if not s.done():
            s.fail("expected the end of the type")
        return t

    @property
    def context(self):
        return any_context()

    def maybe_downcast(self):
        return self

    @property
    def typeid(self):
        return type(self)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"{type(self).__name__}({self.text})"

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def __reduce__(self):
        return Type.parse, (self.text,)


class IndexType(Type):
    @classmethod
    def get(cls, context=None):
        return cls.make("index")


class IntegerType(Type):
    @classmethod
    def _of(cls, prefix, width):
        return cls.make(f"{prefix}{width}", width=width, is_signless=prefix == "i",
                        is_signed=prefix == "si", is_unsigned=prefix == "ui")

    @classmethod
    def get_signless(cls, width, context=None):
        return cls._of("i", width)

    @classmethod
    def get_signed(cls, width, context=None):
        return cls._of("si", width)

    @classmethod
    def get_unsigned(cls, width, context=None):
        return cls._of("ui", width)

    get = get_signless


class FloatType(Type):
    """A floating-point type; each format is a class of its own."""


def _float(name, text, width):
    def get(cls, context=None):
        return cls.make(text, width=width)

    return type(name, (FloatType,), {"get": classmethod(get), "_text": text, "__slots__": ()})


F16Type = _float("F16Type", "f16", 16)
BF16Type = _float("BF16Type", "bf16", 16)
F32Type = _float("F32Type", "f32", 32)
F64Type = _float("F64Type", "f64", 64)
FloatTF32Type = _float("FloatTF32Type", "tf32", 19)
Float8E4M3FNType = _float("Float8E4M3FNType", "f8E4M3FN", 8)
Float8E5M2Type = _float("Float8E5M2Type", "f8E5M2", 8)
Float8E8M0FNUType = _float("Float8E8M0FNUType", "f8E8M0FNU", 8)
Float4E2M1FNType = _float("Float4E2M1FNType", "f4E2M1FN", 4)

_floats = {c._text: c for c in FloatType.__subclasses__()}


class NoneType(Type):
    @classmethod
    def get(cls, context=None):
        return cls.make("none")


class FunctionType(Type):
    @classmethod
    def get(cls, inputs, results, context=None):
        inputs, results = list(inputs), list(results)
        text = f"({join(inputs)}) -> {result_list(results)}"
        return cls.make(text, inputs=inputs, results=results)


class TupleType(Type):
    @classmethod
    def get_tuple(cls, elements, context=None):
        return cls.make(f"tuple<{join(elements)}>", elements=list(elements))


class ShapedType(Type):
    """A type with sizes and elements."""

    @staticmethod
    def get_dynamic_size():
        return DYNAMIC

    @staticmethod
    def get_dynamic_stride_or_offset():
        return DYNAMIC

    @staticmethod
    def is_dynamic_size(size):
        return size == DYNAMIC

    @property
    def rank(self):
        return len(self.shape)

    @property
    def has_rank(self):
        return True

    @property
    def has_static_shape(self):
        return DYNAMIC not in self.shape

    def is_dynamic_dim(self, dim):
        return self.shape[dim] == DYNAMIC

    def get_dim_size(self, dim):
        return self.shape[dim]


class VectorType(ShapedType):
    @classmethod
    def get(cls, shape, element_type, *, scalable=None, loc=None):
        shape = list(shape)
        return cls.make(f"vector<{sizes(shape)}{element_type}>", shape=shape, element_type=element_type)


class RankedTensorType(ShapedType):
    @classmethod
    def get(cls, shape, element_type, encoding=None, loc=None):
        shape = list(shape)
        end = f", {encoding}" if encoding is not None else ""
        return cls.make(f"tensor<{sizes(shape)}{element_type}{end}>", shape=shape,
                        element_type=element_type, encoding=encoding)


class MemRefType(ShapedType):
    @classmethod
    def get(cls, shape, element_type, layout=None, memory_space=None, loc=None):
        shape = list(shape)
        end = "".join(f", {x}" for x in (layout, memory_space) if x is not None)
        return cls.make(f"memref<{sizes(shape)}{element_type}{end}>", shape=shape,
                        element_type=element_type, layout=layout, memory_space=memory_space)


class OpaqueType(Type):
    """A type of a dialect that has no class here."""


def sizes(shape):
    """The sizes of a shape as they stand in front of an element type."""
    return "".join(("?" if d in (DYNAMIC, None) else str(d)) + "x" for d in shape)


def join(types):
    return ", ".join(map(str, types))


def result_list(types):
    """Result types: one without parentheses, unless it is a function."""
    if len(types) == 1 and not isinstance(types[0], FunctionType):
        return str(types[0])
    return f"({join(types)})"


_INTEGER = re.compile(r"(si|ui|i)([1-9]\d*)\b")
_WORD = re.compile(r"[A-Za-z_][\w$]*")
_DIALECT = re.compile(r"!([A-Za-z_][\w$]*)(\.[A-Za-z_][\w$.]*)?")
_DIM = re.compile(r"(\?|\d+)\s*x")


def register(name, reader):
    """reader(scanner) reads what stands between < and > of type name."""
    _dialect_types[name] = reader


def read(s):
    """Reads one type from a scanner."""
    if s.peek("("):
        inputs = read_list(s)
        s.expect("->")
        return FunctionType.get(inputs, read_results(s))
    if s.peek("!"):
        return _read_dialect(s)
    integer = s.match(_INTEGER)
    if integer:
        prefix, width = _INTEGER.match(integer).groups()
        return IntegerType._of(prefix, int(width))
    word = s.take(_WORD, "a type")
    if word in _floats:
        return _floats[word].get()
    if word in ("index", "none"):
        return (IndexType if word == "index" else NoneType).get()
    s.expect("<")
    t = _read_builtin(s, word)
    s.expect(">")
    return t


def _read_builtin(s, word):
    if word == "tuple":
        return TupleType.get_tuple(_separated(s, ">"))
    shape, element = read_shape(s), read(s)
    rest = []
    while s.accept(","):
        rest.append(s.balanced())
    if word == "vector":
        return VectorType.get(shape, element)
    from .attributes import Attribute
    rest = [Attribute.parse(r) for r in rest]
    if word == "tensor":
        return RankedTensorType.get(shape, element, *rest)
    if word == "memref":
        if len(rest) == 1 and not str(rest[0]).startswith(("strided", "affine_map")):
            return MemRefType.get(shape, element, None, rest[0])
        return MemRefType.get(shape, element, *rest)
    s.fail(f"unknown type '{word}'")


def _read_dialect(s):
    name = s.take(_DIALECT, "a type")
    if not s.accept("<"):
        reader = _dialect_types.get(name)
        return reader(None) if reader else OpaqueType.make(name)
    reader = _dialect_types.get(name)
    if reader is None:
        body = s.balanced(">")
        t = OpaqueType.make(f"{name}<{body}>")
    else:
        t = reader(s)
    s.expect(">")
    return t


def read_shape(s):
    """Reads sizes, each with an x behind it."""
    shape = []
    while True:
        dim = s.match(_DIM)
        if dim is None:
            return shape
        dim = dim[:-1].strip()
        shape.append(DYNAMIC if dim == "?" else int(dim))


def read_list(s):
    """Reads types in parentheses."""
    s.expect("(")
    found = _separated(s, ")")
    s.expect(")")
    return found


def _separated(s, end):
    found = []
    while not s.peek(end):
        found.append(read(s))
        if not s.accept(","):
            break
    return found


def read_results(s):
    return read_list(s) if s.peek("(") else [read(s)]
