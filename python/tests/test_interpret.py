"""Frontends that want MLIR, torch and an NPU, on stand-ins: each test is a
process of its own, because the stand-ins take the names of modules."""

import os
import subprocess
import sys
import textwrap

import pytest

# A frontend as small as one can be: it has the parts that launches are taken from.
FRONTEND = {
    "ptodsl/__init__.py": "",
    "ptodsl/_runtime/__init__.py": "",
    "ptodsl/_runtime/launch.py": """
        import ctypes

        class DeviceParameterSpec: pass
        class ScalarParameterSpec: pass

        def _marshal_launch_args(signature, args):
            return [ctypes.c_void_p(getattr(a, "data_ptr", lambda: a)()) if isinstance(p, DeviceParameterSpec)
                    else ctypes.c_int32(a) for p, a in zip(signature.positional_parameters, args)]

        class LaunchHandle:
            def __init__(self, compiled, grid):
                self._compiled, self._grid = compiled, grid

            def __call__(self, *args):
                raise RuntimeError("there is no NPU")
    """,
}

SCRIPT = """
    import types
    import torch
    import torch_npu
    from ptoas.mlir.dialects import arith, func, pto
    from ptoas.mlir.ir import *
    from ptodsl._runtime import launch

    def build():
        i32 = IntegerType.get_signless(32)
        module = Module.create()
        with InsertionPoint(module.body):
            f = func.FuncOp("add", ([pto.PtrType.get(i32), i32], []))
            f.attributes["pto.entry"] = UnitAttr.get()
        with InsertionPoint(f.add_entry_block()):
            x, n = f.arguments
            at = arith.ConstantOp(IndexType.get(), AT).result
            y = pto.load_scalar(i32, x, at)
            pto.store_scalar(x, at, arith.AddIOp(y, n).result)
            func.ReturnOp([])
        return module

    with Context(), Location.unknown():
        module = build()
    compiled = types.SimpleNamespace(build=lambda: module, ir_function_name="add", _kernel_signature=types.SimpleNamespace(
        positional_parameters=[launch.DeviceParameterSpec(), launch.ScalarParameterSpec()]))
    torch.npu.set_device("npu:0")
    x = torch.arange(4, dtype=torch.int32).to("npu:0")
"""


def run(folder, script, *command):
    for name, text in FRONTEND.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    path = folder / "test_author.py"
    path.write_text(textwrap.dedent(script))
    env = dict(os.environ, PTO_INTERPRET="1", PYTHONPATH=os.pathsep.join([str(folder), os.environ["PYTHONPATH"]]))
    return subprocess.run([sys.executable, "-m", "ptogo", *command, str(path)], env=env, cwd=folder, capture_output=True, text=True)


def test_launch_in_place(tmp_path):
    done = run(tmp_path, SCRIPT.replace("AT", "1") + """
    launch.LaunchHandle(compiled, 1)(x, 40)
    launch.LaunchHandle(compiled, 1)(x[1:].data_ptr(), 5)  # an address inside of a tensor
    print(x.cpu().numpy().tolist())
""")
    assert done.stdout == "[0, 41, 7, 3]\n", done.stderr


def test_fault_names_the_line(tmp_path):
    done = run(tmp_path, SCRIPT.replace("AT", "9") + "    launch.LaunchHandle(compiled, 1)(x, 40)\n")
    line = 1 + SCRIPT.split("\n").index("            y = pto.load_scalar(i32, x, at)")
    assert done.returncode and f"test_author.py:{line}:1: note: comes from here" in done.stderr, done.stderr


def test_pytest(tmp_path):
    done = run(tmp_path, SCRIPT.replace("AT", "0") + """
    def test_add():
        launch.LaunchHandle(compiled, 1)(x, 1)
        torch.testing.assert_close(x, torch.tensor([1, 1, 2, 3], dtype=torch.int32))
""", "pytest", "-q")
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_dead_memory(tmp_path):
    done = run(tmp_path, SCRIPT.replace("AT", "0") + "    launch.LaunchHandle(compiled, 1)(4096, 1)\n")
    assert "0x1000 is no address in the memory of a tensor that lives" in done.stderr


@pytest.mark.parametrize("args, code", [([], 2), (["--help"], 0)])
def test_usage(args, code):
    done = subprocess.run([sys.executable, "-m", "ptogo", *args], capture_output=True, text=True)
    assert done.returncode == code and "python -m ptogo pytest" in done.stdout


def test_script_from_standard_input():
    done = subprocess.run([sys.executable, "-m", "ptogo", "-", "x"], input="import sys\nprint(sys.argv, __name__)", capture_output=True, text=True)
    assert done.stdout == "['-', 'x'] __main__\n", done.stderr


TORCH = """
    import numpy as np
    import torch

    x = torch.tensor([1.0, 2.5, -3.0])
    assert x.dtype is torch.float32 and (x * 2).tolist() == [2, 5, -6]
    half = x.to(torch.bfloat16)
    assert half.element_size() == 2 and half.float().tolist() == [1, 2.5, -3]
    assert (half + half).dtype is torch.bfloat16
    y = x.to("npu:0")
    assert str(y.device) == "npu:0" and y.data_ptr() != x.data_ptr()
    y[1] = 7
    assert x.tolist() == [1, 2.5, -3] and y.max().item() == 7
    values, order = torch.sort(y, descending=True)
    assert order.tolist() == [1, 0, 2]
    try:
        torch.testing.assert_close(x, y)
    except AssertionError:
        print("ok")
"""


def test_torch_standin(tmp_path):
    done = run(tmp_path, TORCH)
    assert done.stdout == "ok\n", done.stderr
