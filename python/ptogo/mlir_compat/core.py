"""Operations, values, blocks and regions."""

from . import attributes, printer, spelling, types
from .context import InsertionPoint, any_context, author_location, current_point
from .errors import MLIRError


class Value:
    """A result of an operation or an argument of a block."""

    def __init__(self, type, owner, number):
        self._type, self._owner, self._number = type, owner, number
        self._name = None

    @property
    def type(self):
        return self._type

    @property
    def owner(self):
        return self._owner

    @property
    def context(self):
        return any_context()

    @property
    def uses(self):
        return [OpOperand(op, i) for op in _top(self)._walk_all() for i, v in enumerate(op._operands) if v is self]

    def replace_all_uses_with(self, value):
        new = value_of(value)
        for use in self.uses:
            use.owner._operands[use.operand_number] = new

    def set_type(self, type):
        self._type = type

    def get_name(self, *_args, **_kwargs):
        return printer.Printer(False).value(self)

    def maybe_downcast(self):
        return self

    @classmethod
    def isinstance(cls, other):
        return isinstance(other, cls)

    def __str__(self):
        return f"Value({self.get_name()} : {self.type})"

    __repr__ = __str__


class OpResult(Value):
    @property
    def result_number(self):
        return self._number


class BlockArgument(Value):
    @property
    def arg_number(self):
        return self._number


class OpOperand:
    """One use of a value."""

    def __init__(self, owner, number):
        self.owner, self.operand_number = owner, number


def _top(value):
    """The outermost operation around a value."""
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.owner.operation
    while op is not None and op._block is not None and op._block.region is not None:
        parent = op._block.region._owner
        if parent is None:
            break
        op = parent
    return op


def value_of(x):
    """The value that x is, holds, or gives as its only result."""
    if isinstance(x, Value):
        return x
    if isinstance(x, (Operation, OpView)):
        results = x.operation._results
        if len(results) != 1:
            raise ValueError(f"{x.operation.name} has {len(results)} results; one value was expected")
        return results[0]
    for name in ("_value", "value", "result"):
        inner = getattr(x, name, None)
        if isinstance(inner, (Value, Operation, OpView)):
            return value_of(inner)
    raise TypeError(f"expected a value, but got {x!r}")


def values_of(xs):
    """The values of a list, or all results of an operation."""
    if isinstance(xs, (Operation, OpView)):
        return list(xs.operation._results)
    return [value_of(x) for x in xs]


class _Sequence(list):
    """A list that takes what MLIR's sequences take."""

    @property
    def types(self):
        return [v.type for v in self]


class Operation:
    """An operation. Everything else, such as OpView, is a view of one."""

    def __init__(self, name, operands, result_types, attributes, location):
        self.name = name
        self._operands = operands
        self._results = [OpResult(t, self, i) for i, t in enumerate(result_types)]
        self._attributes = attributes
        self._regions, self._block, self.successors = [], None, []
        self.location = location
        self._view = None

    @staticmethod
    def create(name, results=None, operands=None, attributes=None, successors=None, regions=0, loc=None, ip=None,
               infer_type=False):
        """Makes an operation and inserts it at the current insertion point."""
        named = {k: a for k, a in (attributes or {}).items()}
        for key, a in named.items():
            if not isinstance(a, _attributes.Attribute):
                raise TypeError(f"attribute {key} of {name} must be an Attribute, but is {a!r}")
        location = loc if loc is not None and loc.filename else author_location()
        op = Operation(name, [value_of(v) for v in operands or []], list(results or []), named, location)
        op.successors = list(successors or [])
        op._regions = [Region(op) for _ in range(regions)]
        point = ip if ip is not None else current_point()
        if point is not None and ip is not False:
            point.insert(op)
        return op

    @staticmethod
    def parse(source, *, source_name="", context=None):
        from . import reader
        return reader.operation(source)

    @property
    def operation(self):
        return self

    @property
    def opview(self):
        if self._view is None:
            from . import builders
            self._view = builders.view_class(self.name).of(self)
        return self._view

    @property
    def context(self):
        return any_context()

    @property
    def operands(self):
        return _Operands(self)

    @property
    def results(self):
        return _Sequence(self._results)

    @property
    def result(self):
        if len(self._results) != 1:
            raise ValueError(
                f"Cannot call .result on operation {self.name} which has {len(self._results)} results "
                "(it is only valid for operations with a single result)")
        return self._results[0]

    @property
    def attributes(self):
        return Attributes(self._attributes)

    @property
    def regions(self):
        return self._regions

    @property
    def block(self):
        return self._block

    @property
    def parent(self):
        region = self._block.region if self._block is not None else None
        return region._owner if region is not None else None

    @property
    def attached(self):
        return self._block is not None

    def detach(self):
        """Takes the operation out of its block."""
        if self._block is not None:
            self._block._operations.remove(self)
            self._block = None
        return self

    detach_from_parent = detach

    def erase(self):
        self.detach()

    def move_before(self, other):
        InsertionPoint(other).insert(self)

    def move_after(self, other):
        other = other.operation
        self.detach()
        siblings = other._block._operations
        siblings.insert(siblings.index(other) + 1, self)
        self._block = other._block

    def clone(self, ip=None):
        op = self._clone({}, {})
        point = ip if ip is not None else current_point()
        if point is not None:
            point.insert(op)
        return op.opview

    def _clone(self, values, blocks):
        op = Operation(self.name, [values.get(v, v) for v in self._operands], [r.type for r in self._results],
                       dict(self._attributes), self.location)
        op.successors = [blocks.get(b, b) for b in self.successors]
        values.update(zip(self._results, op._results))
        for region in self._regions:
            copy = Region(op)
            op._regions.append(copy)
            for block in region._blocks:
                new = Block(copy)
                copy._blocks.append(new)
                blocks[block] = new
                for a in block._arguments:
                    values[a] = new.add_argument(a.type, op.location)
            for block in region._blocks:
                for inner in block._operations:
                    c = inner._clone(values, blocks)
                    c._block = blocks[block]
                    blocks[block]._operations.append(c)
        return op

    def _walk_all(self):
        yield self
        for region in self._regions:
            for block in region._blocks:
                for op in block._operations:
                    yield from op._walk_all()

    def walk(self, callback, walk_order=None):
        """Calls callback on every operation inside and on this one, last."""
        first = walk_order == WalkOrder.PRE_ORDER
        if first:
            result = callback(self)
            if result in (WalkResult.INTERRUPT, WalkResult.SKIP):
                return result
        for region in self._regions:
            for block in region._blocks:
                for op in list(block._operations):
                    if op.walk(callback, walk_order) == WalkResult.INTERRUPT:
                        return WalkResult.INTERRUPT
        return WalkResult.ADVANCE if first else callback(self)

    def verify(self):
        """Whether the text of the operation is legal; MLIRError says why not."""
        from . import verifier
        return verifier.verify(self)

    def get_asm(self, binary=False, large_elements_limit=None, enable_debug_info=False, pretty_debug_info=False,
                print_generic_op_form=False, use_local_scope=False, assume_verified=False, skip_regions=False, **_):
        text = printer.Printer(enable_debug_info).text(self)
        if self.name != "builtin.module" or enable_debug_info or print_generic_op_form:
            return text
        return spelling.restore(_custom_form(text), self)

    def print(self, file=None, enable_debug_info=False, **_):
        print(self.get_asm(enable_debug_info=enable_debug_info), file=file)

    def __str__(self):
        return self.get_asm()

    def __eq__(self, other):
        return self is getattr(other, "operation", None)

    def __hash__(self):
        return id(self)


def _custom_form(text):
    """A module as its operations are usually written; the generic form if it is
    not legal, or if there is no tool that knows."""
    from . import verifier

    try:
        return verifier.run([], text)
    except (MLIRError, FileNotFoundError):
        return text


class _Operands:
    """The operands of an operation, which may be replaced by assignment."""

    def __init__(self, op):
        self._op = op

    def __getitem__(self, i):
        found = self._op._operands[i]
        return _Sequence(found) if isinstance(i, slice) else found

    def __setitem__(self, i, value):
        self._op._operands[i] = value_of(value)

    def __len__(self):
        return len(self._op._operands)

    def __iter__(self):
        return iter(self._op._operands)

    @property
    def types(self):
        return [v.type for v in self]


class Attributes:
    """The attributes of an operation."""

    def __init__(self, attributes):
        self._attributes = attributes

    def __getitem__(self, key):
        if isinstance(key, int):
            return _attributes.NamedAttribute(*list(self._attributes.items())[key])
        return self._attributes[key]

    def __setitem__(self, key, value):
        if not isinstance(value, _attributes.Attribute):
            raise TypeError(f"attribute {key} must be an Attribute, but is {value!r}")
        self._attributes[key] = value

    def __delitem__(self, key):
        del self._attributes[key]

    def __contains__(self, key):
        return key in self._attributes

    def __iter__(self):
        return (_attributes.NamedAttribute(k, v) for k, v in list(self._attributes.items()))

    def __len__(self):
        return len(self._attributes)

    def get(self, key, default=None):
        return self._attributes.get(key, default)

    def keys(self):
        return self._attributes.keys()

    def values(self):
        return self._attributes.values()

    def items(self):
        return self._attributes.items()


class WalkResult:
    ADVANCE, INTERRUPT, SKIP = "advance", "interrupt", "skip"


class WalkOrder:
    PRE_ORDER, POST_ORDER = "pre", "post"


class Region:
    """A list of blocks."""

    def __init__(self, owner=None):
        self._owner, self._blocks = owner, []

    @property
    def owner(self):
        return self._owner.opview if self._owner is not None else None

    @property
    def blocks(self):
        return Blocks(self)

    def __iter__(self):
        return iter(self._blocks)

    def __len__(self):
        return len(self._blocks)

    def __getitem__(self, i):
        return self._blocks[i]


class Blocks:
    def __init__(self, region):
        self._region = region

    def append(self, *arg_types, arg_locs=None):
        block = Block(self._region)
        for t in arg_types:
            block.add_argument(t)
        self._region._blocks.append(block)
        return block

    def __iter__(self):
        return iter(self._region._blocks)

    def __len__(self):
        return len(self._region._blocks)

    def __getitem__(self, i):
        return self._region._blocks[i]


class Block:
    """A list of operations, with arguments."""

    def __init__(self, region=None):
        self.region, self._arguments, self._operations = region, [], []

    @staticmethod
    def create_at_start(parent, arg_types=(), arg_locs=None):
        block = parent.blocks.append(*arg_types)
        parent._blocks.insert(0, parent._blocks.pop())
        return block

    def create_after(self, *arg_types, arg_locs=None):
        block = self.region.blocks.append(*arg_types)
        self.region._blocks.insert(self.region._blocks.index(self) + 1, self.region._blocks.pop())
        return block

    def create_before(self, *arg_types, arg_locs=None):
        block = self.region.blocks.append(*arg_types)
        self.region._blocks.insert(self.region._blocks.index(self), self.region._blocks.pop())
        return block

    def add_argument(self, type, loc=None):
        argument = BlockArgument(type, self, len(self._arguments))
        self._arguments.append(argument)
        return argument

    @property
    def arguments(self):
        return _Sequence(self._arguments)

    @property
    def operations(self):
        return _Operations(self)

    @property
    def owner(self):
        return self.region.owner if self.region is not None else None

    def append(self, operation):
        op = operation.operation
        op.detach()
        self._operations.append(op)
        op._block = self

    def append_to(self, region):
        if self.region is not None:
            self.region._blocks.remove(self)
        self.region = region
        region._blocks.append(self)

    def __iter__(self):
        return iter(self.operations)

    def __str__(self):
        return "\n".join(str(op) for op in self._operations)


class _Operations:
    """The operations of a block, as views."""

    def __init__(self, block):
        self._block = block

    def __iter__(self):
        return iter([op.opview for op in self._block._operations])

    def __len__(self):
        return len(self._block._operations)

    def __getitem__(self, i):
        return self._block._operations[i].opview


class OpView:
    """An operation seen through the class of its name."""

    OPERATION_NAME = None

    def __init__(self, operation):
        self._operation = operation.operation
        self._operation._view = self

    @classmethod
    def of(cls, operation):
        """A view of an operation that exists."""
        view = object.__new__(cls)
        view._operation = operation
        return view

    @property
    def operation(self):
        return self._operation

    def __getattr__(self, name):
        if name.startswith("__") or name == "_operation":
            raise AttributeError(name)
        return getattr(self._operation, name)

    def __str__(self):
        return str(self._operation)

    def __eq__(self, other):
        return self._operation is getattr(other, "operation", None)

    def __hash__(self):
        return id(self._operation)


_attributes = attributes


class Module:
    """builtin.module: what everything stands in."""

    def __init__(self, operation):
        self._operation = operation.operation

    @staticmethod
    def create(loc=None):
        op = Operation.create("builtin.module", regions=1, loc=loc, ip=False)
        op._regions[0].blocks.append()
        return Module(op)

    @staticmethod
    def parse(source, context=None):
        from . import reader
        return Module(reader.module(source.decode() if isinstance(source, bytes) else source))

    @staticmethod
    def parseFile(path, context=None):
        with open(path, encoding="utf-8") as f:
            return Module.parse(f.read())

    @property
    def operation(self):
        return self._operation

    @property
    def body(self):
        return self._operation._regions[0]._blocks[0]

    @property
    def context(self):
        return any_context()

    def dump(self):
        print(self)

    def get_asm(self, **options):
        return self._operation.get_asm(**options)

    def __str__(self):
        return str(self._operation)

    def __eq__(self, other):
        return isinstance(other, Module) and other._operation is self._operation

    def __hash__(self):
        return id(self._operation)


class SymbolTable:
    """The symbols of an operation's only block."""

    def __init__(self, operation):
        self._operation = operation.operation

    def _symbols(self):
        block = self._operation._regions[0]._blocks[0]
        return {op._attributes["sym_name"].value: op for op in block._operations if "sym_name" in op._attributes}

    def __getitem__(self, name):
        return self._symbols()[name].opview

    def __contains__(self, name):
        return name in self._symbols()

    def insert(self, operation):
        self._operation._regions[0]._blocks[0].append(operation)
        return operation.operation._attributes["sym_name"]


__all__ = ["MLIRError", "Value", "OpResult", "BlockArgument", "OpOperand", "Operation", "OpView", "Block", "Region",
           "Module", "SymbolTable", "WalkResult", "WalkOrder", "types"]
