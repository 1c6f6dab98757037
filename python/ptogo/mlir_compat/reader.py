"""Reads operations in MLIR's generic form. Other forms are pto-opt's to read:
it knows how each operation is written, and prints the generic form."""

import re

from . import attributes, types
from .context import Location
from .core import Block, Operation, OpResult, Region
from .errors import MLIRError
from .scanner import Scanner

_VALUE = re.compile(r"%[\w$.-]+(#\d+)?")
_BLOCK = re.compile(r"\^[\w$.-]+")
_COUNT = re.compile(r"\d+")


def module(source):
    """Reads a module; operations without one around them get it."""
    ops = _operations(_generic(source))
    if len(ops) == 1 and ops[0].name == "builtin.module":
        return ops[0]
    top = Operation("builtin.module", [], [], {}, Location())
    top._regions = [Region(top)]
    body = top._regions[0].blocks.append()
    for op in ops:
        body.append(op)
    return top


def operation(source):
    """Reads one operation."""
    ops = _operations(_generic(source))
    if len(ops) != 1:
        raise MLIRError(f"expected one operation, but the text has {len(ops)}")
    return ops[0].opview


def _generic(source):
    first = Scanner(source)
    if first.peek('"') or first.peek("%"):
        return source
    from . import verifier
    return verifier.run(["--mlir-print-op-generic"], source)


def _operations(text):
    return _Reader(text).top()


class _Values:
    """The values of one region and those around it. Those that are used before
    they are made are filled in at the end."""

    def __init__(self, outer=None):
        self.outer, self.known = outer, {}

    def get(self, name):
        scope = self
        while scope is not None:
            if name in scope.known:
                return scope.known[name]
            scope = scope.outer
        return None


class _Reader:
    def __init__(self, text):
        self.s = Scanner(text)
        self.pending = []

    def top(self):
        ops, values = [], _Values()
        while not self.s.done():
            ops.append(self.operation(values, {}))
        self.resolve()
        return ops

    def resolve(self):
        for op, i, name, values in self.pending:
            found = values.get(name)
            if found is None:
                raise MLIRError(f"use of undeclared value {name}")
            op._operands[i] = found

    def operation(self, values, blocks):
        s = self.s
        names = []
        while s.peek("%"):
            name = s.match(_VALUE)
            count = int(s.take(_COUNT, "a number")) if s.accept(":") else None
            names += [name] if count is None else [f"{name}#{i}" for i in range(count)]
            if not s.accept(","):
                s.expect("=")
        op_name = attributes.unquote(s.string())
        s.expect("(")
        operands = self.list_of(_VALUE, ")")
        successors = self.list_of(_BLOCK, "]") if s.accept("[") else []
        named = attributes.read_dictionary(s) if s.accept("<") else {}
        if named:
            s.expect(">")
        op = Operation(op_name, [None] * len(operands), [], named, Location())
        op.successors = [blocks[b] if b in blocks else blocks.setdefault(b, Block()) for b in successors]
        if s.accept("("):
            while True:
                self.region(op, values)
                if not s.accept(","):
                    break
            s.expect(")")
        if s.peek("{"):
            named.update(attributes.read_dictionary(s))
        s.expect(":")
        types.read_list(s)
        s.expect("->")
        results = types.read_results(s)
        self.location(op)
        op._results = [OpResult(t, op, i) for i, t in enumerate(results)]
        values.known.update(zip(names, op._results))
        if len(op._results) == 1 and names:
            values.known[names[0] + "#0"] = op._results[0]
        for i, name in enumerate(operands):
            found = values.get(name)
            if found is None:
                self.pending.append((op, i, name, values))
            op._operands[i] = found
        return op

    def list_of(self, pattern, end):
        found = []
        while not self.s.accept(end):
            found.append(self.s.take(pattern, "a name"))
            self.s.accept(",")
        return found

    def region(self, op, outer):
        s, values, blocks = self.s, _Values(outer), {}
        region = Region(op)
        op._regions.append(region)
        s.expect("{")
        block = None
        while not s.accept("}"):
            if s.peek("^"):
                label = s.match(_BLOCK)
                block = blocks.setdefault(label, Block())
                block.append_to(region)
                if s.accept("("):
                    self.arguments(block, values)
                s.expect(":")
                continue
            if block is None:
                block = region.blocks.append()
            block.append(self.operation(values, blocks))
        if not region._blocks and op.name == "builtin.module":
            region.blocks.append()

    def arguments(self, block, values):
        s = self.s
        while not s.accept(")"):
            name = s.take(_VALUE, "an argument")
            s.expect(":")
            values.known[name] = block.add_argument(types.read(s))
            self.location(None)
            s.accept(",")

    def location(self, op):
        if not self.s.accept("loc("):
            return
        text = self.s.balanced(")")
        self.s.expect(")")
        m = re.fullmatch(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)', text)
        if op is not None and m:
            op.location = Location(attributes.unquote(m[1]), int(m[2]), int(m[3]))

