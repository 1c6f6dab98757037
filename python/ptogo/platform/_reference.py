"""Compares tasks with references of the frontend.

The frontend can write a program as PyTorch code, one function for each kernel. With the
option reference, each task runs alone, and the same function of PyTorch computes its
outputs from copies of its inputs. The first task whose outputs differ is reported.
"""

import functools
import importlib
import os

import numpy as np

from . import _values
from ._errors import PlatformError

# The largest difference of an output, relative to its largest value, by the type of the
# tensors of a task with the fewest digits. Integers must be equal.
_TOLERANCE = {"float32": 1e-3, "float16": 5e-3, "bfloat16": 2e-2}
_TORCH = {"FLOAT32": "float32", "FLOAT16": "float16", "BFLOAT16": "bfloat16", "INT64": "int64", "INT32": "int32", "INT16": "int16", "INT8": "int8", "UINT8": "uint8", "BOOL": "bool"}

_programs = {}  # what the frontend compiled, by folder


def install():
    """Keeps each program that the frontend compiles from now on."""
    compiler = importlib.import_module("pypto.ir.compile")
    generate = compiler.generate
    if hasattr(generate, "ptogo"):
        return

    def keep(program, output_dir, *args, **kwargs):
        _programs[os.path.realpath(output_dir)] = program
        return generate(program, output_dir, *args, **kwargs)

    keep.ptogo = True
    compiler.generate = keep


class References:
    """The functions of PyTorch for the kernels in a folder."""

    def __init__(self, folder):
        program, at = None, os.path.realpath(folder)
        while program is None and at != os.path.dirname(at):
            program, at = _programs.get(at), os.path.dirname(at)
        if program is None:
            raise PlatformError(f"{folder} has no reference, because it was not compiled in this process", "--reference needs a model that compiles its program, and not one that loads it")
        codegen = importlib.import_module("pypto.debug.torch_codegen")
        codegen._OP_MAP.update({"tile.get_block_idx": lambda *_: "_ptogo_block()[0]", "tile.get_block_num": lambda *_: "_ptogo_block()[1]"})
        self._block = (0, 1)
        self._names = {"_ptogo_block": lambda: self._block}
        self._functions, self._missing = {f.name: f for f in program.functions.values()}, {}
        for f in self._functions.values():
            try:
                exec(codegen.torch_codegen(f), self._names)  # the frontend's own code
            except Exception as e:  # it has no code for some operations
                self._missing[f.name] = e
        meta = codegen._build_group_meta(program)
        self._names["_GROUP_META"] = meta
        self._groups = {frozenset([m["aic"], m["aiv"]]): name for name, m in meta.items()}
        self._scalar = importlib.import_module("pypto.pypto_core.ir").ScalarType

    def run(self, kernels, blocks, tensors, scalars):
        """Computes a task in place. scalars are the bits of its scalars."""
        names = frozenset(kernels)
        for name in kernels:
            if name in self._missing:
                raise self._missing[name]
        if len(names) == 1:
            function = self._names[kernels[0]]
        elif names in self._groups:
            function = functools.partial(self._names["_run_group_call"], self._groups[names])
        else:
            raise KeyError(f"the reference has no function for {', '.join(kernels)} together")
        rest, numbers, args = iter(tensors), iter(scalars), []
        for p in self._functions[kernels[0]].params:
            if isinstance(p.type, self._scalar):
                args.append(_number(next(numbers), str(p.type.dtype)))
            else:
                args.append(next(rest))
        for block in range(blocks):
            self._block = (block, blocks)
            function(*args)


def _number(bits, dtype):
    """A scalar argument with these bits."""
    kind = {"fp32": "f32", "fp16": "f16", "bfloat16": "bf16", "bool": "i1"}.get(dtype, "index")
    if kind == "i1":
        return bool(bits & 1)
    return (float if kind != "index" else int)(_values.scalar(bits, kind))


def tensors(task, arena, dtypes):
    """The tensors of a task, as tensors of PyTorch in the memory of an arena."""
    import torch

    made = []
    for address, shape, strides, dtype in task.views:
        a, offset = arena.find(address)
        kind = getattr(torch, _TORCH[dtypes[dtype]])
        flat = torch.from_numpy(arena.view(a)[offset:])
        size = torch.empty(0, dtype=kind).element_size()
        made.append(torch.as_strided(flat[: flat.numel() // size * size].view(kind), shape, strides))
    return made


def tolerance(tensors):
    """The relative tolerance for floating-point outputs of a task with these tensors."""
    return max(_TOLERANCE.get(str(t.dtype).removeprefix("torch."), 0) for t in tensors)


def same(x, y):
    """Whether two tensors have the same bits, up to the signs of zeros and the bits of NaN."""
    import torch

    return bool(torch.equal(torch.nan_to_num(x.double()), torch.nan_to_num(y.double())))


def difference(name, actual, expected, limit):
    """A text about the elements that differ, or "" if they are close enough."""
    import torch

    x, y = actual.double(), expected.double()
    limit = (limit if actual.is_floating_point() else 0) * max(float(y[torch.isfinite(y)].abs().max()) if torch.isfinite(y).any() else 0, 1e-30)
    far = ~((x - y).abs() <= limit) & (x != y) & ~(torch.isnan(x) & torch.isnan(y))
    count = int(far.sum())
    if not count:
        return ""
    at = [int(n) for n in np.unravel_index(int(far.flatten().double().argmax()), tuple(far.shape))]
    return f"{name}: {count} of {far.numel()} elements differ, the first at {at}: {float(x[tuple(at)]):.6g} instead of {float(y[tuple(at)]):.6g}"
