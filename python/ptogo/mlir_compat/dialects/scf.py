"""The scf dialect."""

from .. import builders
from ..context import InsertionPoint
from ..core import value_of, values_of
from ..types import IndexType
from . import lookup


@builders.register
class ForOp(builders.BuiltOp):
    OPERATION_NAME = "scf.for"

    def __init__(self, lower_bound, upper_bound, step, iter_args=None, *, loc=None, ip=None):
        inits = values_of(iter_args or [])
        super().__init__(results=[v.type for v in inits], lowerBound=lower_bound, upperBound=upper_bound, step=step,
                         initArgs=inits, loc=loc, ip=ip)
        self.operation.regions[0].blocks.append(value_of(lower_bound).type, *[v.type for v in inits])

    @property
    def body(self):
        return self.operation.regions[0].blocks[0]

    @property
    def induction_variable(self):
        return self.body.arguments[0]

    @property
    def inner_iter_args(self):
        return self.body.arguments[1:]

    @property
    def results_(self):
        return self.operation.results


@builders.register
class IfOp(builders.BuiltOp):
    """IfOp(condition[, result types]), or IfOp(result types, condition)"""

    OPERATION_NAME = "scf.if"

    def __init__(self, cond, results_=None, *, hasElse=None, has_else=None, loc=None, ip=None):
        if isinstance(cond, (list, tuple)):
            cond, results_ = results_, cond
        results_ = list(results_ or [])
        super().__init__(results=results_, condition=cond, loc=loc, ip=ip)
        self.operation.regions[0].blocks.append()
        if has_else if has_else is not None else hasElse if hasElse is not None else bool(results_):
            self.operation.regions[1].blocks.append()

    @property
    def then_block(self):
        return self.operation.regions[0].blocks[0]

    @property
    def else_block(self):
        blocks = self.operation.regions[1].blocks
        return blocks[0] if len(blocks) else None


@builders.register
class WhileOp(builders.BuiltOp):
    OPERATION_NAME = "scf.while"


@builders.register
class ConditionOp(builders.BuiltOp):
    OPERATION_NAME = "scf.condition"


@builders.register
class YieldOp(builders.BuiltOp):
    OPERATION_NAME = "scf.yield"

    def __init__(self, results_=(), *, loc=None, ip=None):
        super().__init__(results=values_of(results_), loc=loc, ip=ip)


def yield_(results_=(), *, loc=None, ip=None):
    return YieldOp(results_, loc=loc, ip=ip)


def for_(start, stop=None, step=None, iter_args=None, *, loc=None, ip=None):
    """Yields the induction variable inside a loop, with what the loop carries."""
    from .arith import constant
    if stop is None:
        start, stop = 0, start
    bounds = [constant(IndexType.get(), x) if isinstance(x, int) else x
              for x in (start, stop, 1 if step is None else step)]
    op = ForOp(*bounds, iter_args, loc=loc, ip=ip)
    carried, results = tuple(op.inner_iter_args), op.operation.results
    with InsertionPoint(op.body):
        if len(carried) > 1:
            yield op.induction_variable, carried, results
        elif carried:
            yield op.induction_variable, carried[0], results[0]
        else:
            yield op.induction_variable


__getattr__ = lookup("scf")
