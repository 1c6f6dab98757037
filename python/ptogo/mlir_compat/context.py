"""What is current while IR is built: context, location and insertion point."""

import os
import sys
import threading


class _Stacks(threading.local):
    def __init__(self):
        self.contexts, self.locations, self.points = [], [], []


_stacks = _Stacks()


class Context:
    """A with-statement around building. Types and attributes are equal in all
    contexts, so nothing is kept in one."""

    allow_unregistered_dialects = True

    def __enter__(self):
        _stacks.contexts.append(self)
        return self

    def __exit__(self, *_):
        _stacks.contexts.pop()

    class _Current:
        def __get__(self, _obj, _owner):
            return _stacks.contexts[-1] if _stacks.contexts else None

    current = _Current()

    def enable_multithreading(self, _enable=True):
        pass

    def load_all_available_dialects(self):
        pass

    def append_dialect_registry(self, _registry):
        pass

    @property
    def dialects(self):
        return self

    def attach_diagnostic_handler(self, _handler):
        return self


def any_context():
    """The current context, or one that stands for all: nothing is kept in them."""
    return _stacks.contexts[-1] if _stacks.contexts else _shared


_shared = Context()


class Location:
    """Where an operation comes from: a file, line and column, or unknown."""

    def __init__(self, file=None, line=0, column=0, context=None):
        self.filename, self.start_line, self.start_col = file, line, column
        self.context = context or (_stacks.contexts[-1] if _stacks.contexts else None)

    @staticmethod
    def unknown(context=None):
        return Location(context=context)

    @staticmethod
    def file(filename, line, col, context=None):
        return Location(filename, line, col, context)

    @staticmethod
    def name(_name, childLoc=None, context=None):
        return childLoc or Location(context=context)

    @staticmethod
    def fused(locations, _metadata=None, context=None):
        return next((x for x in locations if x.filename), Location(context=context))

    @staticmethod
    def callsite(callee, _frames, context=None):
        return callee

    class _Current:
        def __get__(self, _obj, _owner):
            return _stacks.locations[-1] if _stacks.locations else None

    current = _Current()

    def __enter__(self):
        _stacks.locations.append(self)
        self._entered = self.context is not None and (not _stacks.contexts or _stacks.contexts[-1] is not self.context)
        if self._entered:
            _stacks.contexts.append(self.context)
        return self

    def __exit__(self, *_):
        _stacks.locations.pop()
        if self._entered:
            _stacks.contexts.pop()

    def __eq__(self, other):
        return isinstance(other, Location) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        if not self.filename:
            return "loc(unknown)"
        name = self.filename.replace("\\", "\\\\").replace('"', '\\"')
        return f'loc("{name}":{self.start_line}:{self.start_col})'


_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_frontends = set()  # folders of frontends, whose lines tell an author nothing


def hide_frontend(folder):
    """Lines of Python files below folder are not those of a kernel's author."""
    _frontends.add(os.path.abspath(folder) + os.sep)


def author_location():
    """The location of an operation that is built now: the current one if it
    names a file, else the innermost line of Python outside of frontends."""
    if _stacks.locations and _stacks.locations[-1].filename:
        return _stacks.locations[-1]
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith("<") and not _hidden(name):
            return Location(name, frame.f_lineno, 1)
        frame = frame.f_back
    return Location()


_known = {}


def _hidden(name):
    if name not in _known:
        path = os.path.abspath(name)
        hidden = path.startswith(_HERE) or any(path.startswith(f) for f in _frontends)
        _known[name] = hidden or os.sep + "contextlib.py" in path or os.sep + "functools.py" in path
    return _known[name]


class InsertionPoint:
    """Where the next operation goes: before an operation, or at the end of a block."""

    def __init__(self, before_or_block):
        before = getattr(before_or_block, "operation", None)
        self.ref_operation = before
        self.block = before.block if before is not None else before_or_block

    @staticmethod
    def at_block_begin(block):
        first = next(iter(block.operations), None)
        return InsertionPoint(block if first is None else first)

    @staticmethod
    def at_block_terminator(block):
        operations = list(block.operations)
        if not operations:
            raise ValueError("Block has no terminator")
        return InsertionPoint(operations[-1])

    class _Current:
        def __get__(self, _obj, _owner):
            if not _stacks.points:
                raise ValueError("No current InsertionPoint")
            return _stacks.points[-1]

    current = _Current()

    def insert(self, op):
        op = op.operation
        op.detach()
        operations = self.block._operations
        at = len(operations) if self.ref_operation is None else operations.index(self.ref_operation)
        operations.insert(at, op)
        op._block = self.block

    def __enter__(self):
        _stacks.points.append(self)
        context = _stacks.contexts[-1] if _stacks.contexts else Context()
        _stacks.contexts.append(context)
        return self

    def __exit__(self, *_):
        _stacks.points.pop()
        _stacks.contexts.pop()


def current_point():
    """The current insertion point, or None."""
    return _stacks.points[-1] if _stacks.points else None
