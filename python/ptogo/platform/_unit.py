"""Kernels that are written in C++, and not compiled by the frontend.

Such a kernel reads its arguments from memory: the descriptions of tensors, and scalars.
This module writes a C++ function around it that has the arguments as parameters and the
shapes as constants, and pto-opt converts this function.
"""

import re
import subprocess
from pathlib import Path

from .. import _tools
from . import _cache
from ._errors import PlatformError

_TYPES = {
    "FLOAT32": "float", "FLOAT16": "half", "BFLOAT16": "bfloat16_t", "INT64": "int64_t", "INT32": "int32_t", "INT16": "int16_t", "INT8": "int8_t",
    "UINT64": "uint64_t", "UINT32": "uint32_t", "UINT16": "uint16_t", "FP8E4M3FN": "float8_e4m3_t",
}  # fmt: skip
_HEADERS = Path(__file__).with_name("include")
_KINDS = {"aiv": ("vector", "__DAV_VEC__"), "aic": ("cube", "__DAV_CUBE__")}  # the core of a kernel, and the macro of its code


def text(kernel, tensors, pointers):
    """The C++ text of a kernel for tensors (name of the type, shape, strides), and for scalars, of which some are addresses."""
    params, lines = [], []
    for i, (dtype, shape, strides) in enumerate(tensors):
        params.append(f"__gm__ {_TYPES.get(dtype, 'uint8_t')} *t{i}")
        numbers = ["{" + ", ".join(map(str, n)) + "}" for n in (shape, strides)]
        lines.append(f"  ChipTensor x{i}{{{{(uint64_t)t{i}, 0}}, 0, {len(shape)}, 0, {numbers[0]}, {numbers[1]}, true}};")
    lines.append("  LocalContext local{(int32_t)get_block_idx(), (int32_t)get_block_num()};")  # the targets have different names for the fields
    lines.append("  GlobalContext global{(int32_t)get_subblockid()};\n  int64_t args[64];")
    lines += [f"  args[{i}] = (int64_t)&x{i};" for i in range(len(tensors))]
    for i, pointer in enumerate(pointers, len(tensors)):
        params.append(f"__gm__ int64_t *s{i}" if pointer else f"int64_t s{i}")
        lines.append(f"  args[{i}] = (int64_t)s{i};")
    lines.append("  args[SPMD_LOCAL_CONTEXT_INDEX] = (int64_t)&local;\n  args[SPMD_GLOBAL_CONTEXT_INDEX] = (int64_t)&global;\n  kernel_entry(args);")
    head = f'#include "kernel.h"\n#include "{kernel.source}"\n'
    return f'{head}extern "C" __global__ AICORE void {_name(kernel)}({", ".join(params)}) {{\n' + "\n".join(lines) + "\n}\n"


def converted(kernel, text, target, include):
    """The path of the .pto file for a C++ text."""
    tool = _tools.find("pto-opt")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    folders, core = [_HEADERS, *include, *kernel.include], _KINDS.get(kernel.core)

    def make(path):
        unit = path.with_suffix(".cpp")
        unit.write_text(text, encoding="utf-8")
        try:
            line = [tool, str(unit), f"--pto-arch={target}", *(f"-I{p}" for p in folders), *([f"-D{core[1]}"] if core else []), "-o", str(path)]
            done = subprocess.run(line, capture_output=True, text=True)
        finally:
            unit.unlink()
        if done.returncode:
            raise PlatformError(f"cannot read kernel {kernel.name}, which is written in C++:\n{done.stderr.strip()[-4000:]}", "docs/cpp-kernels.md states what pto-opt reads")
        if core:  # one core executes a block
            made = path.read_text(encoding="utf-8")
            path.write_text(re.sub(r"attributes \{pto\.kernel\}", f"attributes {{pto.kernel_kind = #pto.kernel_kind<{core[0]}>}}", made), encoding="utf-8")

    try:
        source = kernel.source.read_text(encoding="utf-8")
        stamp = [f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in sorted(kernel.source.parent.parent.rglob("*")) if p.is_file() and p.suffix in (".h", ".hpp", ".cpp")]
    except OSError as e:
        raise PlatformError(f"the source of kernel {kernel.name} is missing: {e}") from None
    return _cache.made(f"{kernel.name}-{_cache.key(text, source, version, target, kernel.core, *stamp, *map(str, folders))}.pto", make)


def _name(kernel):
    """The name of the function, which is an identifier."""
    return re.sub(r"\W", "_", kernel.name)
