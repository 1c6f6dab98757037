"""Programs of a frontend: folders in the form that it generates, and stand-ins for its runtime and for itself."""

import ctypes
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import ptogo
from ptogo import platform
from ptogo.platform import _arena, _checkout, _frontend, _manifest, _reference, _values, _wrapper

HERE = Path(__file__).parent


PROGRAM = "platform_model"
pytestmark = pytest.mark.usefixtures("settings")


def rows(first=0.0):
    x = np.arange(3 * 64, dtype=np.float32).reshape(3, 64)
    x[0, 0] = first
    return x, np.zeros((1, 64), np.float32), np.zeros((2, 64), np.float32)


@pytest.mark.parametrize("first, factor", [(0.0, -1), (5.0, 2)])
def test_run(folder, first, factor):
    """Dynamic sizes, a part of a buffer for each block, a result that the orchestration reads, a conditional task, both vector cores."""
    x, y, z = rows(first)
    run = platform.load(folder)(x, y, z, 3.0)
    t = 3 * x[:2] + x[:2]
    assert (y == factor * t[:1]).all() and (z == [[1], [2]]).all()
    assert run.tasks == 4 and run.parts == 3
    x[0, 1], z[:] = 7, 0  # the condition is false
    assert platform.load(folder)(x, y, z, 3.0).tasks == 3
    assert not z.any()


def test_runtime_of_user(folder, monkeypatch):
    """The same program with the checkout of the user, if there is one: in CI the stand-in is used twice."""
    found = os.environ.get("PTOGO_TEST_RUNTIME", str(HERE / "platform_runtime"))
    monkeypatch.setenv("PTOGO_RUNTIME", found)
    x, y, z = rows()
    platform.load(folder)(x, y, z, 3.0)
    assert (y == -4 * x[:1]).all()


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_missing_edge(folder):
    """The runtime orders no two tasks that declare an existing tensor as output; the checker names the edge."""
    edit(folder / "orchestration/model.cpp", "        CoreTaskArgs fourth;", "        rt_submit_aiv_task(0, third);\n        CoreTaskArgs fourth;")
    platform.configure(check="race")
    with pytest.raises(ptogo.CheckFailed, match='no edge orders task scale.2 and task scale.3 of rank 0: add "scale.2" to "after"'):
        platform.load(folder)(*rows(), 3.0)


def test_wrong_declaration(folder):
    """A task that writes a tensor which it declares as input."""
    edit(folder / "orchestration/model.cpp", "second.add_inout(t)", "second.add_input(t)")
    platform.configure(check="race")
    with pytest.raises(ptogo.CheckFailed, match='task add_rows.1 declares it as "read"'):
        platform.load(folder)(*rows(), 3.0)


def test_graph(folder, tmp_path):
    """The graphs of the three parts run alone."""
    platform.configure(graph=str(tmp_path / "g.jsonl"))
    platform.load(folder)(*rows(), 3.0)
    assert sorted(p.name for p in tmp_path.glob("*.jsonl")) == ["g.1.jsonl", "g.2.jsonl", "g.jsonl"]
    first = ptogo.graph(tmp_path / "g.jsonl").run()
    t = next(first[name][0] for name in first.arrays if not name.startswith("arg"))
    assert (t.reshape(2, 64) == 4 * rows()[0][:2]).all()


def test_fault(folder):
    """An error in a kernel ends the run, with the place in the kernel."""
    edit(folder / "ptoas/scale.pto", "sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>\n      %to", "sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>\n      %zz = arith.divsi %c0, %c0 : index\n      %to")
    with pytest.raises(ptogo.Fault, match="scale"):
        platform.load(folder)(*rows(), 3.0)


def test_wrong_programs(folder, monkeypatch):
    """Each thing that is missing has an error with the way out."""
    with pytest.raises(platform.PlatformError, match="(?s)no kernel_config.py.*python -m ptogo.platform"):
        platform.load(folder / "ptoas")
    with pytest.raises(platform.PlatformError, match="unknown platform 'a9'"):
        platform.load(folder, "a9")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(platform.PlatformError, match="(?s)CXX=no-such-compiler is not on PATH.*apt-get install"):
        platform.load(folder)
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PTOGO_RUNTIME", str(folder))
    with pytest.raises(platform.PlatformError, match="(?s)is not one.*git submodule update"):
        platform.load(folder)
    monkeypatch.delenv("PTOGO_RUNTIME")
    monkeypatch.setattr(_checkout, "_candidates", list)
    with pytest.raises(platform.PlatformError, match="found no package of the frontend"):
        platform.load(folder)


def test_wrong_checkout(folder, tmp_path, monkeypatch):
    root = shutil.copytree(HERE / "platform_runtime", tmp_path / "runtime")
    monkeypatch.setenv("PTOGO_RUNTIME", str(root))
    header = next(root.rglob("pto_orchestration_api.h"))
    edit(header, "available_aiv_count", "aiv_count")
    with pytest.raises(platform.PlatformError, match="(?s)does not compile with the runtime in .*available_aiv_count.*must fit together"):
        platform.load(folder)
    header.unlink()
    with pytest.raises(platform.PlatformError, match="has no file src/a2a3/.*pto_orchestration_api.h"):
        platform.load(folder)


@pytest.mark.parametrize(
    "file, old, new, text",
    [
        ("kernel_config.py", "KERNELS = [", "KERNEL = [", "the list KERNELS is missing"),
        ("kernel_config.py", "KERNELS = [", "KERNELS = [[", "kernel_config.py:"),
        ("kernel_config.py", '"func_id": 2', '"func_id": 3', "starts? kernel 2|kernel 2 has no wrapper"),
        ("kernel_config.py", '"core_type": "aiv", "signature": [_D.INOUT]', '"core_type": "aiv", "external": True', "no wrapper|written in C"),
        ("kernel_config.py", '"tensormap_and_ringbuffer"', '"host_build_graph"', "for the runtime 'host_build_graph'"),
        ("ptoas/lane.pto", "@lane", "@line", "no .pto file with kernel @lane"),
        ("ptoas/lane.pto", "return", "retur", "(?s)pto-opt cannot prepare.*lane.pto"),
        ("kernels/aiv/lane.cpp", "kernel_entry", "entry", "kernel_entry is missing"),
        ("kernels/aiv/scale.cpp", "scale(x, y, by, rows)", "scale(x, y, by)", "passes 3 arguments, but kernel @scale has 4 parameters"),
        ("kernels/aiv/scale.cpp", "scale(x, y, by, rows)", "scale((float *)64, y, by, rows)", "points to memory that is not a tensor"),
        ("orchestration/model.cpp", "float factor", "always(); float factor", "does not compile"),
    ],
)
def test_wrong_files(folder, file, old, new, text):
    edit(folder / file, old, new)
    with pytest.raises(platform.PlatformError, match=text):
        platform.load(folder)(*rows(), 3.0)


def test_manifest(folder):
    m = _manifest.Manifest(folder)
    assert m.runtime == "tensormap_and_ringbuffer" and m.orchestration == folder / "orchestration/model.cpp"
    assert [(k.number, k.name, k.core, k.external) for k in m.kernels.values()] == [(0, "scale", "aiv", False), (1, "add_rows", "aiv", False), (2, "lane", "aiv", False)]


def test_wrapper(folder):
    text = _wrapper.bindings(_manifest.Manifest(folder).kernels.values())
    assert "namespace ptogo_kernel_1 {" in text and "case 2: ptogo_kernel_2::kernel_entry(args); return true;" in text
    assert "__attribute__" not in text and 'extern "C"' not in text


def test_values():
    for value, type, text in [
        (ctypes.c_int32(-3), "i32", "-3"), (True, "i1", "true"), (-1, "index", "-1"), (255, "i8", "-1"), (255, "ui8", "255"), (1.5, "f32", "1.5"),
        (np.float16(0.5), "f16", "0.5"), (np.uint16(0x3FC0), "bf16", "1.5"), (ctypes.c_double(2.25), "f64", "2.25"),
    ]:  # fmt: skip
        _, (bits,) = _values.split([value])
        assert _values.scalar(bits, type) == text
    with pytest.raises(platform.PlatformError, match="argument 0 is of type str"):
        _values.split(["x"])
    with pytest.raises(platform.PlatformError, match="argument 0 is not contiguous"):
        _values.split([np.zeros((4, 4))[:, 1].astype(np.float32).reshape(2, 2).T])
    with pytest.raises(platform.PlatformError, match="elements of type float64"):
        _values.split([np.zeros(4)])


@pytest.mark.parametrize("anonymous", [True, False])
def test_memory(folder, tmp_path, monkeypatch, anonymous):
    """The memory of a run, in a file without a name and in a file with a name."""
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr(_arena, "_IN_MEMORY", str(tmp_path / "memory"))
    if not anonymous:
        monkeypatch.setattr(_arena, "_anonymous", lambda ranks: None)
    arena = _arena.Arena(1 << 16)
    a, b = arena.allocate(100, "f32"), arena.allocate(8, "i8")
    assert arena.find(a.address + 4) == (a, 4) and arena.find(b.address)[0] is b and arena.find(3) == (None, 0)
    path = arena.path
    assert os.path.getsize(path) == 1 << 16
    arena.close()
    assert not os.path.exists(path)
    monkeypatch.setenv("PTOGO_MEMORY", "64MiB")
    platform.load(folder)(*rows(), 3.0)
    for text, message in [("lots", "is not a size"), ("4KiB", "need more than 4096 bytes")]:
        monkeypatch.setenv("PTOGO_MEMORY", text)
        with pytest.raises(platform.PlatformError, match=message):
            platform.load(folder)(np.zeros((64, 64), np.float32), *rows()[1:], 3.0)
    assert not list((tmp_path / "memory").iterdir())


@pytest.mark.parametrize("ranks", [1, 3, 12])
@pytest.mark.parametrize("anonymous", [True, False])
def test_memory_of_ranks(tmp_path, monkeypatch, ranks, anonymous):
    """Another process opens the memory of each rank by its number. A process that is killed leaves no files, if the system has files without a name."""
    text = f"""
    import os, signal, subprocess, sys
    from ptogo.platform import _arena
    _arena._IN_MEMORY = {str(tmp_path)!r}
    if not {anonymous}:
        _arena._anonymous = lambda ranks: None
    arenas = _arena.arenas({ranks})
    for rank, a in enumerate(arenas):
        a.view(a.allocate(8, "i8"))[:] = rank
    read = "import sys; assert all(open(sys.argv[1].replace('{{rank}}', str(r)), 'rb').read(8) == bytes([r] * 8) for r in range({ranks}))"
    subprocess.run([sys.executable, "-c", read, _arena.pattern(arenas)], check=True)
    if _arena._anonymous(1):
        os.kill(os.getpid(), signal.SIGKILL)
    _arena.close(arenas)
    """
    env = {**os.environ, "PYTHONPATH": str(HERE.parent), "PTOGO_MEMORY": "4MiB", "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], env=env, capture_output=True, text=True)
    assert done.returncode in (0, -9) and not done.stderr
    assert not list(tmp_path.iterdir())


def test_rings(folder, monkeypatch):
    """The tasks of one scope need more slots than the ring of the runtime has."""
    program = platform.load(folder)
    program(*rows(), 3.0)
    monkeypatch.setenv("PTO2_RING_TASK_WINDOW", "2")
    with pytest.warns(ptogo.KernelWarning, match="is never submitted: its scope has 1 task before it, and ring 1 has 2 slots"):
        program(*rows(), 3.0)


def test_rings_of_a_call(folder, monkeypatch):
    """A call of the frontend sets variables of the runtime, which other calls do not see."""
    program = platform.load(folder)
    monkeypatch.setenv("PTO2_RING_HEAP", "1024")
    variables = {"PTO2_RING_TASK_WINDOW": "2", "PTO2_RING_HEAP": "65536"}
    with pytest.warns(ptogo.KernelWarning, match="ring 1 has 2 slots"):
        _frontend.execute_on_device(program, [*rows(), 3.0], "a2a3sim", "", 0, runtime_env=variables)
    assert "PTO2_RING_TASK_WINDOW" not in os.environ and os.environ["PTO2_RING_HEAP"] == "1024"


def test_options():
    with pytest.raises(platform.PlatformError, match="unknown option 'chekc'"):
        platform.configure(chekc="race")


def test_arguments():
    assert _frontend.arguments(["-p", "ptogo", "--platform=ptogo-a5", "ptogo", "-k", "x"]) == ["-p", "a2a3sim", "--platform=a5sim", "ptogo", "-k", "x"]


@pytest.fixture
def frontend(tmp_path, folder):
    """A stand-in for the frontend: the module with the two functions, and a model that uses it."""
    package = tmp_path / "site" / "pypto" / "runtime"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "device_runner.py").write_text(
        textwrap.dedent("""
        from simpler.task_interface import CallConfig, DataType
        from simpler.worker import Worker
        from simpler_setup import KernelCompiler
        from simpler_setup.torch_interop import make_chip_tensor_arg

        class Compiler(KernelCompiler):
            pass

        def compile_and_assemble(work_dir, platform): raise NotImplementedError
        def execute_on_device(*args, **kwargs): raise NotImplementedError
        """)
    )
    model = tmp_path / "model.py"
    model.write_text(
        textwrap.dedent(f"""
        import argparse, os
        import numpy as np
        from pypto.runtime import device_runner

        def run(platform):
            x, y, z = np.ones((3, 64), np.float32), np.zeros((1, 64), np.float32), np.zeros((2, 64), np.float32)
            program, name, _ = device_runner.compile_and_assemble({str(folder)!r}, platform)
            device_runner.execute_on_device(program, [x, y, z, 3.0], platform, name, 0)
            assert (y == 8).all(), y
            return os.path.basename(os.readlink(os.environ["PTOAS_ROOT"] + "/ptoas"))

        def test_run(request):
            run(request.config.getoption("--platform"))

        if __name__ == "__main__":
            parser = argparse.ArgumentParser()
            parser.add_argument("-p", "--platform", choices=["a2a3sim", "a5sim"])
            print("PASS", run(parser.parse_args().platform))
        """)
    )
    (tmp_path / "conftest.py").write_text('def pytest_addoption(parser):\n    parser.addoption("--platform", default="a2a3")\n')
    env = {k: v for k, v in os.environ.items() if k != "PTOAS_ROOT"}
    env["PYTHONPATH"] = os.pathsep.join([str(package.parents[1]), str(HERE.parent)])
    return lambda *args: subprocess.run([sys.executable, "-m", *args], cwd=tmp_path, env=env, capture_output=True, text=True)


def test_command(frontend):
    done = frontend("ptogo.platform", "--verbose", "model.py", "-p", "ptogo")
    assert done.returncode == 0 and done.stdout.startswith("PASS pto-opt"), done.stdout + done.stderr
    assert "4 tasks in 3 parts" in done.stderr


def test_command_pytest(frontend):
    for line in (["ptogo.platform", "pytest", "model.py", "--platform", "ptogo"], ["pytest", "-p", "ptogo.platform.pytest_plugin", "model.py", "--platform=ptogo"]):
        done = frontend(*line)
        assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


def test_command_without_frontend(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    done = subprocess.run([sys.executable, "-m", "ptogo.platform", "model.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "needs the frontend pypto" in done.stderr and "pip install" in done.stderr


class Array(np.ndarray):
    """An array with the functions of a tensor of PyTorch that comparisons with references use."""

    dtype = property(lambda self: "torch.float32")

    def clone(self):
        return np.array(self).view(Array)


@pytest.mark.parametrize("wrong", [None, "add_rows"])
def test_reference(folder, tmp_path, monkeypatch, capsys, wrong):
    """Tasks run alone; the first one whose output differs from the frontend's reference is named and kept."""
    runs = []

    def tensors(task, arena, dtypes):
        assert dtypes[task.views[0][3]] == "FLOAT32"
        return [np.frombuffer(arena.view(arena.find(v[0])[0]), np.float32).view(Array) for v in task.views]

    def run(self, kernels, blocks, arrays, scalars):
        runs.append(kernels[0])
        x, y = arrays[0], arrays[-1]
        if kernels[0] == "scale":
            y[:] = np.uint32(scalars[0]).view(np.float32) * x[: y.size]
        elif kernels[0] == "add_rows":
            y += x[: y.size] + (wrong == "add_rows")
        else:
            raise KeyError("no code for lane")

    monkeypatch.setattr(_reference, "tensors", tensors)
    monkeypatch.setattr(_reference, "difference", lambda name, x, y, limit: "" if np.array_equal(x, y) else f"{name}: off by {float((y - x).max())}")
    monkeypatch.setattr(_reference.References, "__init__", lambda self, folder: None)
    monkeypatch.setattr(_reference.References, "run", run)
    platform.configure(reference=True, graph=str(tmp_path / "g.jsonl"))
    x, y, z = rows()
    platform.load(folder)(x, y, z, 3.0)
    text = capsys.readouterr().err
    if wrong:
        assert "task add_rows.1 is the first whose output differs from the frontend's reference; tensor 1: off by 1.0" in text
        path = tmp_path / "g.add_rows.1.jsonl"
        assert ptogo.graph(path).run().arrays.keys() and "pto-run --graph" in text and runs == ["scale", "add_rows"]
    else:
        assert "3 of 4 tasks compared: no output differs" in text and "no reference for lane: no code for lane" in text and runs == ["scale", "add_rows", "scale", "lane"]
    assert (y == -4 * x[:1]).all()


def test_reference_of_unknown_program(folder):
    platform.configure(reference=True)
    with pytest.raises(platform.PlatformError, match="has no reference, because it was not compiled in this process"):
        platform.load(folder)(*rows(), 3.0)
