"""Classes and functions that build operations, made from _definitions.

They take what MLIR's generated builders take: types of results that do not
follow from operands, then operands and required attributes, then the rest by
name. A positional argument goes to the next operand or attribute according to
what it is, so that the order between operands and attributes does not matter.
"""

from . import attributes, enums, types
from ._definitions import OPS
from .core import Operation, OpView, Value, value_of, values_of
from .enums import fold

_ONE, _OPTIONAL, _VARIADIC = "", "?", "*"


class Arg:
    """An operand, result, attribute or region of a definition."""

    def __init__(self, word):
        head, self.follows, self.fixed, self.kind = word, None, None, None
        for mark, field in (("~", "follows"), ("=", "fixed"), (":", "kind")):
            if mark in head and not (mark == ":" and self.fixed):
                head, _, found = head.partition(mark)
                setattr(self, field, found)
        self.arity = head[-1] if head[-1] in "?*" else _ONE
        self.name = head.rstrip("?*")


class Spec:
    """A definition, read from its line."""

    def __init__(self, name):
        self.name = name
        parts = OPS[name].split(" | ") if name in OPS else ["", "", "", ""]
        self.results, self.operands, self.attributes, self.regions = (
            [Arg(w) for w in p.split()] for p in (parts + [""] * 4)[:4])
        groups = self.regions, self.attributes, self.results, self.operands
        self.by_name = {a.name: a for group in groups for a in group}
        self._folded = {fold(n): a for n, a in self.by_name.items()}

    def find(self, name):
        """The argument called name, as Python may write it: print_, precision_type."""
        return self.by_name.get(name) or self._folded.get(fold(name))


class Bound:
    """The arguments of one call, sorted into what they are for."""

    def __init__(self, spec, args, kwargs):
        self.spec = spec
        self.types, self.values, self.attributes = {}, {}, {}
        args = list(args)
        if self._results_lead(args):
            for r in spec.results:
                if r.arity == _OPTIONAL and (not args or _is_operand(args[0])):
                    continue
                if not args:
                    raise TypeError(f"{spec.name}: no type is given for result {r.name}")
                self.types[r.name] = args.pop(0)
        # Who gives a value for each operand gives the optional ones in their places.
        self._all = sum(map(_is_operand, args)) >= sum(a.arity != _VARIADIC for a in spec.operands)
        for x in args:
            self._positional(x)
        for name, x in kwargs.items():
            self._named(name, x)

    def _results_lead(self, args):
        if not self.spec.results or not args:
            return False
        first, result = args[0], self.spec.results[0]
        if isinstance(first, types.Type) or first is None and result.arity == _OPTIONAL:
            return True
        if not isinstance(first, (list, tuple)):
            return False
        return all(isinstance(t, types.Type) for t in first) and (bool(first) or result.arity == _VARIADIC)

    def _positional(self, x):
        operand = _is_operand(x)
        groups = [(self.spec.operands, self.values), (self.spec.attributes, self.attributes)]
        if x is None or isinstance(x, (list, tuple)) and not x:
            order = groups
        else:
            order = groups[:1] if operand else groups[1:]
        several = operand and isinstance(x, (list, tuple))
        for optional in (False, True):
            for group, into in order:
                for a in group:
                    if several and a.arity != _VARIADIC:
                        continue
                    if a.name not in into and ((a.arity == _OPTIONAL) == optional or self._all and into is self.values):
                        if a.arity == _VARIADIC and operand and not isinstance(x, (list, tuple)):
                            x = [x]
                        into[a.name] = x
                        return
        raise TypeError(f"{self.spec.name} takes no further {'operand' if operand else 'attribute'} such as {x!r}")

    def _named(self, name, x):
        a = self.spec.find(name)
        if a is None:
            raise TypeError(f"{self.spec.name} has no argument {name!r}; it has {', '.join(self.spec.by_name)}")
        if any(a is o for o in self.spec.operands):
            self.values[a.name] = x
        elif any(a is r for r in self.spec.results):
            self.types[a.name] = x
        else:
            self.attributes[a.name] = x

    def operation(self, loc, ip):
        operands, sizes = self._operands()
        found, result_sizes = self._result_types()
        named = self._attributes()
        if _variable(self.spec.operands) > 1:
            named["operandSegmentSizes"] = attributes.DenseI32ArrayAttr.get(sizes)
        if _variable(self.spec.results) > 1:
            named["resultSegmentSizes"] = attributes.DenseI32ArrayAttr.get(result_sizes)
        return Operation.create(self.spec.name, found, operands, named, regions=len(self.spec.regions), loc=loc, ip=ip)

    def _operands(self):
        operands, sizes = [], []
        for a in self.spec.operands:
            x = self.values.get(a.name)
            if x is None and a.arity == _ONE:
                raise TypeError(f"{self.spec.name}: operand {a.name} is missing")
            vs = [] if x is None else values_of(x) if a.arity == _VARIADIC else [value_of(x)]
            operands += vs
            sizes.append(len(vs))
        return operands, sizes

    def _result_types(self):
        found, sizes = [], []
        for r in self.spec.results:
            t = self.types.get(r.name)
            if t is None and r.arity == _ONE:
                t = self._infer(r)
            ts = [] if t is None else [t] if isinstance(t, types.Type) else list(t)
            found += ts
            sizes.append(len(ts))
        return found, sizes

    def _infer(self, r):
        if r.fixed:
            return types.Type.parse(r.fixed)
        if r.follows and self.values.get(r.follows) is not None:
            x = self.values[r.follows]
            return (values_of(x)[0] if isinstance(x, (list, tuple)) else value_of(x)).type
        if r.follows and isinstance(self.types.get(r.follows), types.Type):
            return self.types[r.follows]
        raise TypeError(f"{self.spec.name}: the type of result {r.name} must be given")

    def _attributes(self):
        named = {}
        for a in self.spec.attributes:
            x = self.attributes.get(a.name)
            if x is None:
                continue
            built = attributes.build(a.kind, x)
            if built is not None:
                named[a.name] = built
        return named


def _variable(args):
    return sum(a.arity != _ONE for a in args)


def _is_operand(x):
    if isinstance(x, (Value, Operation, OpView)):
        return True
    if isinstance(x, (list, tuple)):
        return bool(x) and all(_is_operand(v) for v in x)
    if isinstance(x, (attributes.Attribute, enums.Case, types.Type, str, int, float)):
        return False
    return isinstance(getattr(x, "_value", getattr(x, "value", None)), Value)


class BuiltOp(OpView):
    """The base of classes that are made from a definition."""

    SPEC = None

    def __init__(self, *args, loc=None, ip=None, **kwargs):
        OpView.__init__(self, Bound(self.SPEC, args, kwargs).operation(loc, ip))

    def __getattr__(self, name):
        a = None if name.startswith("_") else self.SPEC.find(name)
        if a is not None:
            return self._part(a)
        return OpView.__getattr__(self, name)

    def _part(self, a):
        op, spec = self._operation, self.SPEC
        for group, values, key in ((spec.operands, op._operands, "operandSegmentSizes"),
                                   (spec.results, op._results, "resultSegmentSizes")):
            if any(a is x for x in group):
                return _segment(group, a, values, op._attributes.get(key))
        if any(a is x for x in spec.regions):
            return op._regions[[x.name for x in spec.regions].index(a.name)]
        return op._attributes.get(a.name)

    @classmethod
    def build_generic(cls, results=None, operands=None, attributes=None, successors=None, regions=None, loc=None, ip=None):
        """Makes the operation from operands by argument: a value, a list, or None."""
        bound = Bound(cls.SPEC, (), {})
        bound.values = {a.name: v for a, v in zip(cls.SPEC.operands, operands or [])}
        bound.types = {a.name: t for a, t in zip(cls.SPEC.results, results or [])}
        bound.attributes = dict(attributes or {})
        return bound.operation(loc, ip)


def _segment(group, a, values, sizes):
    if sizes is not None:
        counts = list(sizes)
    else:
        extra = len(values) - len(group)
        counts = [1 + (extra if x.arity != _ONE else 0) for x in group]
    at = [x.name for x in group].index(a.name)
    found = values[sum(counts[:at]):sum(counts[:at + 1])]
    if a.arity == _VARIADIC:
        return list(found)
    return found[0] if found else None


_classes = {}


def view_class(name):
    """The class of operations called name."""
    if name not in _classes:
        if "." in name:
            __import__(f"{__package__}.dialects", fromlist=["register_all"]).register_all()
        if name not in _classes:
            _classes[name] = type(_class_name(name), (BuiltOp,), {"OPERATION_NAME": name, "SPEC": Spec(name)})
    return _classes[name]


def _class_name(name):
    words = name.split(".")[1:] or [name]
    return "".join(w[:1].upper() + w[1:] for part in words for w in part.split("_")) + "Op"


def register(cls):
    """Makes a class that builds in its own way the one of its OPERATION_NAME."""
    cls.SPEC = Spec(cls.OPERATION_NAME)
    _classes[cls.OPERATION_NAME] = cls
    return cls


def result_of(op):
    """What a builder function returns: the only result, all of them, or the operation."""
    results = op.operation._results
    return results[0] if len(results) == 1 else op.operation.results if results else op


class Names:
    """The names that Python has for the operations of a dialect."""

    def __init__(self, dialect):
        self._dialect = dialect
        own = [n for n in OPS if n.startswith(dialect + ".")]
        self._ops = {}
        for n in own:
            words = n.split(".")[1:]
            if len(words) > 1:
                self._ops.setdefault(fold(words[-1]), n)
            self._ops.setdefault(fold(n), n)  # PTOLoadOp
            if words[0] == "vmi" and words[-1].startswith("v"):
                self._ops.setdefault(fold("vmi" + words[-1][1:]), n)
        for n in own:
            self._ops[fold(n.partition(".")[2])] = n

    def find(self, name):
        """The class, function or enum called name; AttributeError if there is none."""
        if name.endswith("Op") and fold(name[:-2]) in self._ops:
            return view_class(self._ops[fold(name[:-2])])
        if name.endswith("Attr"):
            enum = enums.by_name(self._dialect, name[:-4])
            if enum:
                return attributes.enum_class(enum)
        enum = enums.by_name(self._dialect, name) if name[:1].isupper() else None
        if enum:
            return enum
        if name == name.lower() and fold(name) in self._ops:
            return _function(view_class(self._ops[fold(name)]))
        raise AttributeError(f"dialect {self._dialect} has no {name}")

    def __iter__(self):
        for n in self._ops.values():
            yield view_class(n).__name__


def _function(cls):
    def build(*args, **kwargs):
        return result_of(cls(*args, **kwargs))

    build.__name__ = cls.OPERATION_NAME.partition(".")[2].replace(".", "_")
    build.__doc__ = f"Builds {cls.OPERATION_NAME} and returns its results."
    return build
