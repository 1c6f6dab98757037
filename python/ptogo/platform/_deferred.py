"""Deferred completion: a kernel ends and frees its core, but its task is complete when counters have reached values.

The frontend writes a call of a function of the runtime, which registers a counter and the
value to wait for. Here, the kernel itself waits for the counters, after all else that it does.
The task therefore keeps its core, which later tasks on a device can use.
"""

import re

from ._errors import PlatformError

REGISTER = "pypto_register_counter_completion"

# The parameter by which the kernel reaches the runtime. It has no value here.
RAW = "__pypto_deferred_raw_args"

_PARAM = re.compile(rf",?\s*%{RAW}\s*:\s*!pto\.ptr<i64>")
_DECLARED = re.compile(rf"^\s*func\.func\s+private\s+@{REGISTER}\(.*\n", re.MULTILINE)
_CALL = re.compile(rf"\bcall\s+@{REGISTER}\(\s*%{RAW}\s*,\s*%([\w$.-]+)\s*,\s*%([\w$.-]+)\s*,\s*%([\w$.-]+)\s*\)")
_FUNCTION, _RETURN = re.compile(r"\s*func\.func\b"), re.compile(r"\s*(func\.)?return\b")

_WAIT = """\
  %ptogo_{n}_at = arith.index_cast %{offset} : i64 to index
  %ptogo_{n}_one = arith.constant 1 : index
  %ptogo_{n}_zero = arith.constant 0 : index
  %ptogo_{n}_counter = pto.addptr %{counter}, %ptogo_{n}_at : !pto.ptr<i32> -> !pto.ptr<i32>
  %ptogo_{n}_view = pto.make_tensor_view %ptogo_{n}_counter, shape = [%ptogo_{n}_one, %ptogo_{n}_one], strides = [%ptogo_{n}_one, %ptogo_{n}_one] : !pto.tensor_view<1x1xi32>
  %ptogo_{n}_part = pto.partition_view %ptogo_{n}_view, offsets = [%ptogo_{n}_zero, %ptogo_{n}_zero], sizes = [%ptogo_{n}_one, %ptogo_{n}_one] : !pto.tensor_view<1x1xi32> -> !pto.partition_tensor_view<1x1xi32>
  %ptogo_{n}_value = arith.trunci %{value} : i64 to i32
  pto.comm.twait(%ptogo_{n}_part, %ptogo_{n}_value : !pto.partition_tensor_view<1x1xi32>, i32) {{cmp = #pto<wait_cmp ge>}}
"""


def waiting(text, file):
    """The text of a .pto file in which kernels wait for the counters that they register, at their ends."""
    if REGISTER not in text:
        return text
    out, waits, depth, inside, count = [], [], 0, 0, 0
    for line in _DECLARED.sub("", _PARAM.sub("", text)).splitlines(keepends=True):
        if _FUNCTION.match(line):
            waits, inside = [], depth + 1
        call = _CALL.search(line)
        if call:
            if depth != inside:
                raise PlatformError(f"{file} registers a deferred completion in a branch or a loop, which ptogo.platform does not support")
            waits.append(_WAIT.format(n=count, counter=call[1], offset=call[2], value=call[3]))
            count += 1
            continue
        if _RETURN.match(line):
            out += waits
        depth += line.count("{") - line.count("}")
        out.append(line)
    return "".join(out)
