"""Kernels as functions of numpy arrays."""

import contextlib
import contextvars
import json
import numbers
import os
import re
import sys
import tempfile
import warnings

import numpy as np

from . import _arguments, _elements, _memory, _server
from ._errors import Diagnostic, Diagnostics, KernelWarning, Mismatch, UsageError, error_of
from ._opt import opt

_UNKNOWN_PROGRAM = -32001


class Param:
    """A parameter of a kernel; elem is set for pointers."""

    def __init__(self, name, type, elem=None):
        self.name, self.type, self.elem = name, type, elem

    def __repr__(self):
        return f"%{self.name}: {self.type}"


class Result:
    """What a run said. Notebooks show it.

    stdout is text, diagnostics are warnings and notes, timing is the prediction that
    timing=True asks for, as --timing-json writes it, else None.
    """

    def __init__(self, stdout, diagnostics, timing=None):
        self.stdout, self.diagnostics, self.timing = stdout, Diagnostics(diagnostics), timing

    def __repr__(self):
        return (self.stdout + str(self.diagnostics)).rstrip("\n") or "<ran, and said nothing>"

    def _repr_html_(self):
        from ._show import pre

        return pre(self.stdout) + (self.diagnostics._repr_html_() if self.diagnostics else "")


# Options of all launches that name no others; the pytest plugin sets them.
defaults = {}

# Options of the launches in a context (checked), which precede defaults.
_context = contextvars.ContextVar("options of launches", default={})


@contextlib.contextmanager
def checked(check="all", *, orders=0, seed=None, scratch_fill=None):
    """A context in which every launch is checked, as with the option check.

        with ptogo.checked(orders=5, seed=1):
            softmax[2](x, y)

    check is the checkers of a launch, see Launch. orders is a number of further runs, each
    with another order of the pipes, drawn with seed. scratch_fill is a byte that local
    memory is full of at the start. A launch raises CheckFailed for a report. Options of a
    launch precede those of the context, and an inner context replaces an outer one.
    """
    if seed is not None and not orders:
        raise UsageError(text="seed is for orders=N: without further runs nothing is drawn")
    schedule = None
    if orders:
        schedule = f"random:{int(orders)}" + ("" if seed is None else f":{int(seed)}")
    token = _context.set({"check": _checks(check), "schedule": schedule, "scratch_fill": scratch_fill})
    try:
        yield
    finally:
        _context.reset(token)


def load(source, *, kernel=None, arch=None, soft_lib=False, name=None, passes=None, max_memory=None):
    """Reads, checks and lowers a kernel.

    source is the path of a file, or the text of a program itself, which has more
    than one line. kernel is needed where the program has several; "A,B" launches
    a cube and a vector kernel together. arch is a2, a3 or a5. soft_lib accepts
    operations that a software library computes. name stands for the file in
    diagnostics of a text. passes are run first, as opt does; diagnostics name lines
    of the source all the same. ["pto-insert-sync"] inserts the flags and barriers
    that checkers of races ask for. max_memory, such as "2GiB", is the limit of memory
    for reading the program, 1 GiB if it is None; a text may have 1/64 of it.

    Raises CompileError, which shows the place in the program.
    """
    text = os.fspath(source)
    if "\n" not in text:
        name = name or text
        with open(text, encoding="utf-8-sig") as file:
            text = file.read()
    arch = arch or defaults.get("arch")
    name = name or "<string>"
    request = {"name": name, "text": text, "arch": arch or "", "kernel": kernel or "", "soft_lib": soft_lib}
    if passes is not None:
        after = opt(text, passes, arch=arch, options=["--mlir-print-debuginfo"], name=name, max_memory=max_memory)
        request |= {"name": f"{name} (after passes)", "text": after, "original": {"name": name, "text": text}}
    if max_memory is not None:
        request["max_memory"] = str(max_memory)
    return Kernel(request)


class Kernel:
    """A kernel that is ready to run: kernel(x, y, 3.0), or kernel[blocks](x, y, 3.0).

    kernel[blocks, ranks](x=[x0, x1], ...) runs it on several ranks; see Launch.

    Arguments are numpy arrays for pointers, which the kernel reads and writes in
    place, and numbers for scalars. Element types must be those of the signature;
    floats that numpy has not got are those of package ml_dtypes, or unsigned
    integers with their bits (see encode and decode). A text such as
    "rand=32x64xf32,seed=1" makes up an array, as --arg of pto-run does.
    """

    def __init__(self, request):
        self._request = request
        self._load()

    def _load(self):
        server = _server.server()
        answer = server.request("load", self._request)
        diagnostics = [Diagnostic.of(d) for d in answer.get("diagnostics", ())]
        if answer["exit"]:
            raise error_of(answer["exit"], diagnostics)
        for d in diagnostics:
            warnings.warn(KernelWarning(str(d)), stacklevel=4)
        self._server, self._program = server, answer["program"]
        self.name, self.arch = answer["kernel"], answer["arch"]
        self.params = [Param(**p) for p in answer.get("params", ())]
        self._declared, self._whole = answer["declared"], None

    def _taking(self, count):
        """The kernel for so many arguments: the one that takes its place in the
        launch from them if they are as many as the text declares."""
        if count == len(self.params) or count != self._declared:
            return self
        if self._whole is None:
            self._whole = Kernel({**self._request, "arguments": count})
        return self._whole

    def __getitem__(self, launch):
        """The kernel with a number of blocks, or with a number of blocks and of ranks."""
        blocks, ranks = launch if isinstance(launch, tuple) and len(launch) == 2 else (launch, None)
        if not isinstance(blocks, numbers.Integral) or blocks < 1:
            raise UsageError(text=f"the number of blocks must be a whole number above 0, not {blocks!r}")
        if ranks is not None and (not isinstance(ranks, numbers.Integral) or ranks < 1):
            raise UsageError(text=f"the number of ranks must be a whole number above 0, not {ranks!r}")
        return Launch(self, int(blocks), None if ranks is None else int(ranks))

    def __call__(self, *args, **options):
        return Launch(self, 1)(*args, **options)

    @property
    def signature(self):
        return f"{self.name}({', '.join(map(repr, self.params))})"

    def __repr__(self):
        return f"<kernel {self.signature} on {self.arch}>"


class Launch:
    """A kernel with a number of blocks, and of ranks if the launch has several.

    On ranks, a list has one argument for each rank. An array alone is copied to every
    rank, and the kernel must not write it; a number or a text alone is the argument of
    every rank. Window([a0, a1]) is memory that all ranks can access, and so is the text
    "window=8x64xf32". The text "comm" makes the communication context.
    """

    def __init__(self, kernel, blocks, ranks=None):
        self.kernel, self.blocks, self.ranks = kernel, blocks, ranks

    def __repr__(self):
        ranks = "" if self.ranks is None else f" on each of {self.ranks} ranks"
        return f"<kernel {self.kernel.signature} on {self.kernel.arch}, {self.blocks} blocks{ranks}>"

    def __call__(
        self, *args, engine=None, check=None, trace=None, timing=None, scratch_fill=None, timeout=None, max_memory=None,
        expect=None, rtol=0.0, atol=0.0, **options,
    ):  # fmt: skip
        """Runs the kernel and returns a Result.

        engine        go, or llvm, which compiles the kernel
        check         checkers: race, sync, init, mem, device, output, redundant, all; True is all
        trace         a file for what is executed, for Perfetto
        timing        True predicts how long the kernel takes on a chip (chip="950"): the
                      report is the stdout of the Result, and its timing the same as a dict
        scratch_fill  a byte that local memory is full of at the start
        timeout       seconds, or a text such as "5m"
        max_memory    the limit of memory for arguments that texts make up and for what timing
                      and check record, such as "2GiB"
        expect        arrays that arguments must equal, by their names or numbers, within
                      rtol and atol; a Mismatch says which instruction wrote what differs.
                      On ranks, a list has one array for each rank

        Arguments may be named as the parameters: kernel(x, y=out, s=3.0). A parameter with
        the name of an option above can only be given by position.

        Other options are those of pto-run, with _ for -: flush_denormals=True.
        Raises Fault, CheckFailed, UsageError or TypeError; arrays are as they were
        after a fault. Ctrl-C ends the run, and KeyboardInterrupt says where it was.
        """
        args = self._named(args, options)
        flags = flags_of(
            blocks=self.blocks, ranks=self.ranks, trace=trace, timing=timing, check=check, engine=engine, scratch_fill=scratch_fill,
            timeout=timeout, max_memory=max_memory, **options,
        )  # fmt: skip
        run = Launch(self.kernel._taking(len(args)), self.blocks, self.ranks)
        args = _arguments.bind(run.kernel, args, self.ranks)
        if not expect and not timing:
            return run._run(args, flags)
        with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
            if expect:
                flags["expect"] = [e for n, a in expect.items() for e in self._expectations(folder, n, a, rtol, atol)]
            if not timing:
                return run._compared(args, flags, folder)
            path = flags.setdefault("timing-json", os.path.join(folder, "timing.json"))
            result = run._compared(args, flags, folder)
            with open(path, encoding="utf-8") as file:
                result.timing = json.load(file)
            return result

    def _named(self, args, options):
        """The arguments in the order of the parameters. It takes those that are named out
        of options."""
        params = self.kernel.params
        given = {p.name: options.pop(p.name) for p in params if p.name in options}
        if not given:
            return args
        args = list(args)
        for p in params[: len(args)]:
            if p.name in given:
                raise TypeError(f"{self.kernel.signature} got {p!r} twice, by position and by name")
        for p in params[len(args) :]:
            if p.name not in given:
                raise TypeError(f"{self.kernel.signature} misses the argument {p!r}")
            args.append(given[p.name])
        return args

    def _expectations(self, folder, name, arrays, rtol, atol):
        """Saves an array, or one for each rank, for --expect."""
        if self.ranks is None or not isinstance(arrays, (list, tuple)):
            return [_expectation(folder, name, arrays, rtol, atol)]
        if len(arrays) != self.ranks:
            raise TypeError(f"expect has a list of {len(arrays)} for {name!r}, but there are {self.ranks} ranks")
        return [_expectation(folder, f"{name}@{r}", a, rtol, atol) for r, a in enumerate(arrays)]

    def _compared(self, args, flags, folder):
        """Runs with arrays to compare with, which are files in a folder that will be gone:
        a Mismatch names them as the caller does."""
        try:
            return self._run(args, flags)
        except Mismatch as e:
            text = re.sub(re.escape(folder + os.sep) + r"(.*?)\.npy", r"expect['\1']", str(e))
            raise Mismatch(e.diagnostics, text) from None

    def _run(self, args, flags):
        with _memory.Arrays(_arguments.pieces(args)) as shared:
            answer = self._request(args, shared, flags)
            shared.arena.known()
            diagnostics = [Diagnostic.of(d) for d in answer.get("diagnostics", ())]
            stdout, code = answer.get("stdout", ""), answer["exit"]
            if code in (0, 3, 5):
                shared.fetch()
        if code:
            raise error_of(code, diagnostics, stdout)
        for d in diagnostics:
            if d.severity == "warning":
                warnings.warn(KernelWarning(str(d)), stacklevel=4)
        if stdout and not flags.keys() & {"timing", "expect"}:
            sys.stdout.write(stdout)
        return Result(stdout, diagnostics)

    def _request(self, args, shared, flags):
        request = {"args": _arguments.request(args, shared.requests()), "flags": flags}
        k, server = self.kernel, shared.arena.server
        if k._server is not server:
            k._load()
        try:
            return server.request("run", {"program": k._program, **request})
        except _server.RequestError as e:
            if e.code != _UNKNOWN_PROGRAM:
                raise UsageError(text=str(e)) from None
        k._load()
        return server.request("run", {"program": k._program, **request})


def flags_of(*, check=None, timeout=None, **options):
    """Returns the options of pto-run by name, with those of defaults that are not given."""
    flags = {"check": _checks(check), **options}
    for options in (_context.get(), defaults):
        for name, value in options.items():
            if name != "arch" and flags.get(name) is None:
                flags[name] = value
    if isinstance(timeout, numbers.Real):
        timeout = f"{timeout:.9f}s"
    flags["timeout"] = timeout
    return {k.replace("_", "-"): _plain(v) for k, v in flags.items() if v is not None and v is not False}


def command_line(flags):
    """Returns options by name as arguments of a command."""
    return [f"--{k}" if v is True else f"--{k}={v}" for k, w in flags.items() for v in (w if isinstance(w, list) else [w])]


def _expectation(folder, name, array, rtol, atol):
    """Saves an array for --expect."""
    path = os.path.join(folder, f"{name}.npy")
    array = np.ascontiguousarray(array)
    if array.dtype.name in _elements._ML_DTYPES:
        array = array.astype(np.float32)
    np.save(path, array)
    return f"{name}={path},rtol={float(rtol)!r},atol={float(atol)!r}"


def _checks(check):
    if check is True:
        return "all"
    return check if not isinstance(check, (list, tuple, set, frozenset)) else ",".join(check)


def _plain(value):
    """An option as JSON can tell it."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, np.generic):
        return value.item()
    return value
