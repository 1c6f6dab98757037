"""pto-opt: passes over programs, and the reference."""

import os
import warnings

from . import _server
from ._errors import Diagnostic, KernelWarning, error_of


def _opt(argv, stdin="", source=None):
    request = {"name": "pto-opt", "argv": argv, "stdin": stdin}
    if source:
        request["source"] = source
    answer = _server.server().request("tool", request)
    diagnostics = [Diagnostic.of(d) for d in answer.get("diagnostics", ())]
    if answer["exit"]:
        raise error_of(answer["exit"], diagnostics)
    for d in diagnostics:
        if d.severity == "warning":
            warnings.warn(KernelWarning(str(d)), stacklevel=3)
    return answer.get("stdout", "")


def opt(source, passes=(), *, arch=None, emit=None, options=(), name=None, max_memory=None):
    """Runs passes over a program, the path of a file or a text, and returns the text.

    passes is a list of names, each with its options as in "pto-bufferize{reuse=true}",
    or the text of a pipeline. emit is mlir, pto-as or llvm. options are further
    ones of pto-opt, as on a command line. name stands for the file in diagnostics of
    a text. max_memory, such as "2GiB", is the limit of memory, 1 GiB if it is None; a text
    may have 1/64 of it.
    """
    argv = list(options)
    if isinstance(passes, str):
        argv.append("--pass-pipeline=" + passes)
    else:
        for p in passes:
            flag, _, rest = p.partition("{")
            argv.append(f"--{flag}" + (f"={rest.rstrip('}')}" if rest else ""))
    if arch:
        argv.append(f"--pto-arch={arch}")
    if max_memory is not None:
        argv.append(f"--max-memory={max_memory}")
    if emit:
        argv.append(f"--emit={emit}")
    text = os.fspath(source)
    if "\n" not in text:
        return _opt([*argv, text])
    return _opt([*argv, "-"], text, name)


class Page(str):
    """A page of the reference; notebooks show it."""

    def _repr_markdown_(self):
        return str(self)

    def __repr__(self):
        return str(self)


def explain(name):
    """The reference page of an instruction, such as pto.tdivs, or of a type."""
    return Page(_opt([f"--explain={name}"]))
