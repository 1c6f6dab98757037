from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import testing as testing

__version__: str

class ByteRange:
    space: str
    first: int
    last: int
    argument: int | None
    def __init__(self, space: str, first: int, last: int, argument: int | None = ...) -> None: ...

class Diagnostic:
    severity: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    op: str | None
    check: str | None
    block: int | None
    bytes: ByteRange | None
    origins: tuple[str, ...]
    notes: tuple[Diagnostic, ...]
    rendered: str
    code: str | None
    end_line: int | None
    end_column: int | None
    rank: int | None
    def __init__(
        self,
        severity: str,
        message: str,
        file: str | None = ...,
        line: int | None = ...,
        column: int | None = ...,
        op: str | None = ...,
        check: str | None = ...,
        block: int | None = ...,
        bytes: ByteRange | None = ...,
        origins: tuple[str, ...] = ...,
        notes: tuple[Diagnostic, ...] = ...,
        rendered: str = ...,
        code: str | None = ...,
        end_line: int | None = ...,
        end_column: int | None = ...,
        rank: int | None = ...,
    ) -> None: ...
    @classmethod
    def of(cls, d: Mapping[str, Any]) -> Diagnostic: ...

class Diagnostics(tuple[Diagnostic, ...]): ...

class Error(Exception):
    diagnostics: Diagnostics
    op: str | None
    file: str | None
    line: int | None
    column: int | None
    bytes: ByteRange | None
    origins: tuple[str, ...]
    block: int | None
    rank: int | None
    def __init__(self, diagnostics: Iterable[Diagnostic] = ..., text: str = ...) -> None: ...

class CompileError(Error): ...
class UsageError(Error, ValueError): ...
class Mismatch(Error, AssertionError): ...
class Fault(Error): ...
class CheckFailed(Error, AssertionError): ...
class ServerDied(Error): ...
class KernelWarning(UserWarning): ...

class Param:
    name: str
    type: str
    elem: str | None
    def __init__(self, name: str, type: str, elem: str | None = ...) -> None: ...

class Result:
    stdout: str
    diagnostics: Diagnostics
    timing: dict[str, Any] | None
    def __init__(self, stdout: str, diagnostics: Iterable[Diagnostic], timing: dict[str, Any] | None = ...) -> None: ...

class PerBlock:
    array: NDArray[Any] | str
    def __init__(self, array: NDArray[Any] | str) -> None: ...

class Window:
    arrays: Sequence[NDArray[Any]]
    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None: ...

class Launch:
    kernel: Kernel
    blocks: int
    ranks: int | None
    def __init__(self, kernel: Kernel, blocks: int, ranks: int | None = ...) -> None: ...
    def __call__(
        self,
        *args: NDArray[Any] | PerBlock | float | str | Window | Sequence[NDArray[Any] | PerBlock | float | str],
        engine: str | None = ...,
        check: bool | str | Collection[str] | None = ...,
        trace: str | PathLike[str] | None = ...,
        timing: bool | None = ...,
        scratch_fill: int | None = ...,
        timeout: float | str | None = ...,
        max_memory: str | None = ...,
        expect: Mapping[str | int, ArrayLike | Sequence[ArrayLike]] | None = ...,
        rtol: float = ...,
        atol: float = ...,
        **options: Any,
    ) -> Result: ...

class Kernel:
    name: str
    arch: str
    params: list[Param]
    def __init__(self, request: Mapping[str, Any]) -> None: ...
    def __getitem__(self, launch: int | tuple[int, int]) -> Launch: ...
    def __call__(self, *args: NDArray[Any] | PerBlock | float | str, **options: Any) -> Result: ...
    @property
    def signature(self) -> str: ...

class Buffer:
    name: str
    offset: int
    shape: str | None
    access: Literal["read", "write", "update"] | None
    per_block: bool
    def __init__(self, name: str, offset: int = ..., shape: str | None = ..., access: Literal["read", "write", "update"] | None = ..., per_block: bool = ...) -> None: ...
    def at(self, offset: int, shape: str | None = ..., *, access: Literal["read", "write", "update"] | None = ..., per_block: bool = ...) -> Buffer: ...

class GraphResult(Result):
    arrays: dict[str, list[NDArray[Any]]]
    def __init__(self, stdout: str, diagnostics: Iterable[Diagnostic], arrays: dict[str, list[NDArray[Any]]]) -> None: ...
    def __getitem__(self, name: str) -> list[NDArray[Any]]: ...

class Graph:
    ranks: int
    def __init__(self, ranks: int = ...) -> None: ...
    def buffer(self, name: str, value: str | NDArray[Any] | Sequence[NDArray[Any]] | Window, type: str | None = ...) -> Buffer: ...
    def part(self, name: str, of: Buffer, offset: int, shape: str) -> Buffer: ...
    def buffer_of(self, name: str) -> Buffer: ...
    def task(
        self,
        name: str,
        source: str | PathLike[str],
        kernel: str,
        args: Sequence[Buffer | float | str],
        *,
        rank: int = ...,
        blocks: int = ...,
        after: Iterable[str] = ...,
    ) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def run(
        self,
        *,
        read: Iterable[str] | None = ...,
        check: bool | str | Collection[str] | None = ...,
        timing: bool | None = ...,
        timeout: float | str | None = ...,
        max_memory: str | None = ...,
        arch: str | None = ...,
        **options: Any,
    ) -> GraphResult: ...

def graph(path: str | PathLike[str]) -> Graph: ...

class show:
    array: NDArray[Any]
    elem: str
    digits: int
    def __init__(self, array: ArrayLike, elem: str | None = ..., digits: int = ...) -> None: ...

def load(
    source: str | PathLike[str],
    *,
    kernel: str | None = ...,
    arch: str | None = ...,
    soft_lib: bool = ...,
    name: str | None = ...,
    passes: str | Sequence[str] | None = ...,
    max_memory: str | None = ...,
) -> Kernel: ...
def opt(
    source: str | PathLike[str],
    passes: str | Sequence[str] = ...,
    *,
    arch: str | None = ...,
    emit: str | None = ...,
    options: Sequence[str] = ...,
    name: str | None = ...,
    max_memory: str | None = ...,
) -> str: ...
def explain(name: str) -> str: ...

class Verdict:
    outcome: str
    text: str
    def __init__(self, outcome: str, text: str) -> None: ...
    def __bool__(self) -> bool: ...

def equivalent(
    a: str | PathLike[str],
    b: str | PathLike[str],
    *args: ArrayLike | str,
    kernel: str | None = ...,
    arch: str | None = ...,
    blocks: int = ...,
    modulo: str | Sequence[str] = ...,
    assume_inputs: str | Sequence[str] = ...,
) -> Verdict: ...
class Numerics:
    text: str
    arguments: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    tolerances: list[dict[str, Any]]
    def __init__(self, text: str, report: dict[str, Any]) -> None: ...
    def tolerance(self, arg: int | str | None = ...) -> dict[str, float]: ...

def numerics(
    source: str | PathLike[str],
    *args: ArrayLike | str,
    kernel: str | None = ...,
    arch: str | None = ...,
    blocks: int = ...,
    perturb: int = ...,
    seed: int = ...,
) -> Numerics: ...
class Tuned:
    best: dict[str, int] | None
    text: str
    report: dict[str, Any]
    source: str | None
    def __init__(self, text: str, report: dict[str, Any], source: str | None, wrong: bool) -> None: ...
    def __bool__(self) -> bool: ...

def tune(
    kernel: str | PathLike[str] | Callable[..., str],
    params: Mapping[str, Sequence[int]],
    args: Sequence[str],
    *,
    sizes: Sequence[Mapping[str, int]] | None = ...,
    where: Sequence[str] | Callable[..., bool] | None = ...,
    blocks: int | str = ...,
    passes: Sequence[str] = ...,
    baseline: Mapping[str, int] | None = ...,
    name: str | None = ...,
    arch: str | None = ...,
    chip: str | None = ...,
    best: int = ...,
    keep: int = ...,
    samples: int = ...,
    seed: int = ...,
    results: str | PathLike[str] | None = ...,
    jobs: int | None = ...,
) -> Tuned: ...
class Advice:
    text: str
    report: dict[str, Any]
    source: str
    steps: list[str]
    before: float
    after: float
    blocks: int
    kernel: str
    extra: list[str]
    pipeline: str
    def __init__(self, text: str, report: dict[str, Any], source: str) -> None: ...
    def __bool__(self) -> bool: ...

def advise(
    program: str | PathLike[str],
    *args: ArrayLike | str,
    kernel: str | None = ...,
    arch: str | None = ...,
    chip: str | None = ...,
    blocks: int = ...,
    tries: int | None = ...,
    modulo: str | None = ...,
    fixed_blocks: bool = ...,
    timeout: float | None = ...,
) -> Advice: ...
def checked(
    check: str | bool | Sequence[str] = ...,
    *,
    orders: int = ...,
    seed: int | None = ...,
    scratch_fill: int | None = ...,
) -> AbstractContextManager[None]: ...
def rand(shape: int | Sequence[int], dtype: DTypeLike = ..., seed: int = ...) -> NDArray[Any]: ...
def decode(bits: ArrayLike, elem: str) -> NDArray[np.float32]: ...
def encode(numbers: ArrayLike, elem: str) -> NDArray[Any]: ...
def dtype_of(elem: str) -> np.dtype[Any]: ...
def shutdown() -> None: ...
