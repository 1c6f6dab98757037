"""The func dialect."""

import inspect

from .. import attributes, builders, types
from ..context import InsertionPoint
from ..core import OpView, value_of, values_of
from . import lookup


@builders.register
class FuncOp(builders.BuiltOp):
    """FuncOp(name, type): type is a FunctionType or (inputs, results)"""

    OPERATION_NAME = "func.func"

    def __init__(self, name, type, *, visibility=None, body_builder=None, loc=None, ip=None):
        function_type = type if isinstance(type, types.FunctionType) else types.FunctionType.get(*type)
        super().__init__(
            sym_name=attributes.StringAttr.get(getattr(name, "value", name)),
            function_type=attributes.TypeAttr.get(function_type),
            sym_visibility=visibility if visibility is None else attributes.StringAttr.get(visibility),
            loc=loc, ip=ip)
        if body_builder:
            with InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def name(self):
        return self.operation.attributes["sym_name"]

    @property
    def visibility(self):
        return self.operation.attributes.get("sym_visibility")

    @property
    def type(self):
        return self.operation.attributes["function_type"].value

    @property
    def is_external(self):
        return not self.operation.regions[0].blocks

    @property
    def body(self):
        return self.operation.regions[0]

    @property
    def entry_block(self):
        if self.is_external:
            raise IndexError("External function does not have a body")
        return self.operation.regions[0].blocks[0]

    def add_entry_block(self, arg_locs=None):
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        return self.body.blocks.append(*self.type.inputs)

    @property
    def arguments(self):
        return self.entry_block.arguments

    @property
    def arg_attrs(self):
        found = self.operation.attributes.get("arg_attrs")
        return found or attributes.ArrayAttr.get([attributes.DictAttr.get() for _ in self.type.inputs])

    @arg_attrs.setter
    def arg_attrs(self, value):
        self.operation.attributes["arg_attrs"] = attributes.ArrayAttr.get(value)

    @classmethod
    def from_py_func(cls, *inputs, results=None, name=None):
        """Makes a function of IR from one of Python, which builds its body."""

        def decorate(f):
            op = cls(name or f.__name__, (inputs, results or []))
            with InsertionPoint(op.add_entry_block()):
                given = {"func_op": op} if "func_op" in inspect.signature(f).parameters else {}
                found = f(*op.arguments, **given)
                if not isinstance(found, ReturnOp):
                    found = [] if found is None else found if isinstance(found, (list, tuple)) else [found]
                    found = ReturnOp(found)
                if results is None:
                    inferred = types.FunctionType.get(inputs, [v.type for v in found.operation.operands])
                    op.operation.attributes["function_type"] = attributes.TypeAttr.get(inferred)

            def call(*args, loc=None, ip=None):
                return builders.result_of(CallOp(op, args, loc=loc, ip=ip))

            call.func_op = op
            return call

        return decorate


func = FuncOp


@builders.register
class ReturnOp(builders.BuiltOp):
    OPERATION_NAME = "func.return"

    def __init__(self, operands=(), *, loc=None, ip=None):
        super().__init__(operands=list(operands), loc=loc, ip=ip)


@builders.register
class CallOp(builders.BuiltOp):
    """CallOp(function, arguments), or CallOp(result types, name, arguments)"""

    OPERATION_NAME = "func.call"

    def __init__(self, callee_or_results, arguments_or_callee, arguments=None, *, loc=None, ip=None):
        if isinstance(callee_or_results, OpView):
            name, results = callee_or_results.name.value, callee_or_results.type.results
            arguments = arguments_or_callee
        elif isinstance(arguments_or_callee, (str, attributes.FlatSymbolRefAttr)):
            name, results = arguments_or_callee, callee_or_results
        else:
            results, name, arguments = arguments_or_callee, callee_or_results, arguments
        name = name.value if isinstance(name, attributes.FlatSymbolRefAttr) else name
        super().__init__(list(results), callee=attributes.FlatSymbolRefAttr.get(name),
                         operands=[value_of(v) for v in arguments or []], loc=loc, ip=ip)


def call(*args, **kwargs):
    return builders.result_of(CallOp(*args, **kwargs))


def return_(operands=(), *, loc=None, ip=None):
    return ReturnOp(values_of(operands), loc=loc, ip=ip)


__getattr__ = lookup("func")
