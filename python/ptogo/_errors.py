"""What the tools say, as values and exceptions."""

from __future__ import annotations

import html
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ByteRange:
    """Bytes of a memory space, first and last included."""

    space: str
    first: int
    last: int
    argument: int | None = None  # the number of the argument whose memory it is


@dataclass(frozen=True)
class Diagnostic:
    """One message of a tool; what is not known is None or empty."""

    severity: str  # error, warning, remark or note
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    op: str | None = None
    check: str | None = None  # the checker: race, sync, init, mem, device, output or redundant
    block: int | None = None  # of the launch, for faults
    bytes: ByteRange | None = None
    origins: tuple[str, ...] = ()  # file:line:col in the program that a frontend translated
    notes: tuple["Diagnostic", ...] = ()
    rendered: str = field(default="", repr=False)  # with the source line and a caret
    code: str | None = None  # the kind of diagnostic, such as PTO1004, which explain describes
    end_line: int | None = None  # after the word that it points to
    end_column: int | None = None
    rank: int | None = None  # of the launch, for faults

    @classmethod
    def of(cls, d):
        """Makes a diagnostic of what --diagnostics=json writes."""
        r = d.get("bytes")
        return cls(
            severity=d["severity"],
            message=d["message"],
            file=d.get("file"),
            line=d.get("line"),
            column=d.get("column"),
            op=d.get("op"),
            check=d.get("check"),
            block=d.get("fault", {}).get("block"),
            bytes=ByteRange(r["space"], r["first"], r["last"], r.get("argument")) if r else None,
            origins=tuple(d.get("origins", ())),
            notes=tuple(cls.of(n) for n in d.get("notes", ())),
            rendered=d.get("rendered", ""),
            code=d.get("code"),
            end_line=d.get("endLine"),
            end_column=d.get("endColumn"),
            rank=d["fault"].get("rank", 0) if "fault" in d else None,
        )

    def __str__(self):
        return self.rendered.rstrip("\n") or self.message

    def _repr_html_(self):
        return _html([self])


_COLORS = {"error": "#c0392b", "warning": "#8e44ad", "remark": "#2c5aa0", "note": "#117a8b"}


def _html(diagnostics):
    parts = []
    for d in diagnostics:
        parts.append(f'<span style="color:{_COLORS.get(d.severity, "inherit")}">{html.escape(str(d))}</span>')
    return "<pre>" + "\n".join(parts) + "</pre>"


class Diagnostics(tuple):
    """Several diagnostics; notebooks show them as text in color."""

    def __str__(self):
        return "\n".join(str(d) for d in self)

    def _repr_html_(self):
        return _html(self)


class Error(Exception):
    """A kernel that cannot be used, or a run that failed.

    diagnostics has all that was said. op, file, line, column, bytes, origins, block and
    rank are those of the first error. The text shows source lines with carets.
    """

    def __init__(self, diagnostics=(), text=""):
        self.diagnostics = Diagnostics(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == "error"] or self.diagnostics
        first = errors[0] if errors else Diagnostic("error", text)
        self.op, self.file, self.line, self.column = first.op, first.file, first.line, first.column
        self.bytes, self.origins, self.block = first.bytes, first.origins, first.block
        self.rank = first.rank
        super().__init__(text or str(self.diagnostics))

    def _repr_html_(self):
        return self.diagnostics._repr_html_()


class CompileError(Error):
    """The program is wrong, no kernel can be made of it, or its launch exceeds a limit of memory."""


class UsageError(Error, ValueError):
    """Options or arguments are wrong."""


class Mismatch(Error, AssertionError):
    """A comparison that was asked for (expect=) failed: op and line are those of the
    instruction that wrote the worst element, if it is known."""


class Fault(Error):
    """The kernel faulted while it ran: op and line say where, bytes what it touched."""


class CheckFailed(Error, AssertionError):
    """A checker (check=) found an error or a warning."""


class ServerDied(Error):
    """pto-run ended during a request; the next request starts it again."""


class KernelWarning(UserWarning):
    """What is suspicious about a kernel."""


_BY_EXIT = {1: CompileError, 2: UsageError, 3: Mismatch, 4: Fault, 5: CheckFailed}


def error_of(exit_code, diagnostics, stdout=""):
    """The exception for an exit code."""
    text = str(Diagnostics(diagnostics))
    if exit_code == 3 and stdout:  # which says more about the first difference
        text = stdout.rstrip("\n")
    return _BY_EXIT.get(exit_code, Error)(diagnostics, text)
