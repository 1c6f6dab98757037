"""The stubs say what the code does: names, parameters, and a use that mypy accepts."""

import ast
import inspect
import shutil
import subprocess
from pathlib import Path

import numpy as np
import ptogo
import pytest

PACKAGE = Path(ptogo.__file__).parent


def definitions(module, path):
    """The functions and classes of a stub, with the object of each."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node, getattr(module, node.name)


def names_of(function):
    a = function.args
    names = [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs]
    return names + [x.arg for x in (a.vararg, a.kwarg) if x]


def check_function(where, node, value):
    want = {p.name for p in inspect.signature(value).parameters.values()}
    have = set(names_of(node)) - ({"cls"} if "cls" not in want else set())
    assert have == want, where


@pytest.mark.parametrize("module, stub", [(ptogo, "__init__.pyi"), (ptogo.testing, "testing.pyi")])
def test_stubs_have_the_parameters_of_the_code(module, stub):
    seen = set()
    for name, node, value in definitions(module, PACKAGE / stub):
        seen.add(name)
        if isinstance(node, ast.FunctionDef):
            check_function(name, node, value)
            continue
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not isinstance(inspect.getattr_static(value, member.name), property):
                check_function(f"{name}.{member.name}", member, getattr(value, member.name))
    if module is ptogo:
        assert seen >= set(ptogo.__all__) - {"testing"}


def test_mypy_accepts_a_typed_use():
    mypy = shutil.which("mypy")
    if not mypy:
        pytest.skip("mypy is missing")
    use = Path(__file__).parent / "typed_use.py"
    done = subprocess.run([mypy, "--strict", "--no-incremental", str(use)], cwd=PACKAGE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_rand_has_the_type_and_the_range():
    for dtype, want in [("f32", np.float32), ("f16", np.float16), ("ui8", np.uint8), (np.int32, np.int32), ("i1", np.bool_)]:
        x = ptogo.rand((3, 50), dtype, seed=2)
        assert x.shape == (3, 50) and x.dtype == want
        assert np.array_equal(x, ptogo.rand((3, 50), dtype, seed=2)) and not np.array_equal(x, ptogo.rand((3, 50), dtype, seed=3))
        if x.dtype.kind == "f":
            assert -1 <= x.min() < x.max() <= 1
    assert ptogo.rand(7, "bf16").shape == (7,)
    with pytest.raises(TypeError):
        ptogo.rand(3, "complex64")


KERNEL = """
func.func @twice(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %xs = pto.make_tensor_view %x, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32xf32>
  %ys = pto.make_tensor_view %y, shape = [%c1, %c32], strides = [%c32, %c1] : !pto.tensor_view<1x32xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c1, %c32] : !pto.tensor_view<1x32xf32> -> !pto.partition_tensor_view<1x32xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c32] : !pto.tensor_view<1x32xf32> -> !pto.partition_tensor_view<1x32xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<1x32xf32> -> !pto.tile<1x32xf32>
  %d = pto.tmuls %t, %s : (!pto.tile<1x32xf32>, f32) -> !pto.tile<1x32xf32>
  pto.tstore %d, %yp : (!pto.tile<1x32xf32>, !pto.partition_tensor_view<1x32xf32>) -> ()
  return
}
"""


def test_arguments_by_name():
    kernel = ptogo.load(KERNEL)
    x, y = ptogo.rand((1, 32)), np.zeros((1, 32), np.float32)
    kernel(x, s=2.0, y=y)
    assert np.array_equal(y, 2 * x)
    for args, names, want in [((x,), {"y": y}, "misses the argument %s"), ((x, y), {"y": y, "s": 1.0}, "twice"), ((x, y, 1.0), {"z": 1}, "z")]:
        with pytest.raises((TypeError, ptogo.UsageError), match=want):
            kernel(*args, **names)


def test_wrong_arrays_name_the_way_out():
    kernel = ptogo.load(KERNEL)
    y = np.zeros((1, 32), np.float32)
    with pytest.raises(TypeError, match=r"np.array\(\.\.\., dtype=np.float32\)"):
        kernel([1.0] * 32, y, 1.0)
    with pytest.raises(TypeError, match=r"\.astype\(np.float32\)"):
        kernel(np.zeros((1, 32)), y, 1.0)
    with pytest.raises(ptogo.Fault, match="the buffer has 16 bytes") as fault:
        kernel(np.zeros((1, 4), np.float32), y, 1.0)
    assert fault.value.diagnostics[0].code == "PTO1501" and fault.value.diagnostics[0].end_column
