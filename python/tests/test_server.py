import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import ptogo
import pytest
from ptogo import _server
from test_kernel import ENDLESS, SCALE

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture(scope="module")
def scale():
    return ptogo.load(SCALE.format(elem="f32"))


def ask(scale):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    scale(x, y, 2.0)
    assert (y == 2 * x).all()


@posix
def test_death(scale):
    """A process that died is started again, and kernels are loaded again."""
    ask(scale)
    os.kill(_server.server().about["pid"], signal.SIGKILL)
    for _ in range(2):  # the first may come before anybody has noticed
        try:
            ask(scale)
        except ptogo.ServerDied as e:
            assert "the next one starts it again" in str(e)
    ask(scale)


@posix
def test_death_during_request(scale):
    endless = ptogo.load(ENDLESS)
    victim = _server.server().about["pid"]
    threading.Timer(0.3, os.kill, (victim, signal.SIGKILL)).start()
    with pytest.raises(ptogo.ServerDied):
        endless(np.zeros(1, np.float32))
    ask(scale)


@posix
def test_interrupt(scale):
    """Ctrl-C ends the request, says where it was, and the process lives on."""
    endless = ptogo.load(ENDLESS)
    before = _server.server()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in jobs of the background
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt, match="was running when the launch was interrupted"):
        endless(np.zeros(1, np.float32))
    assert _server.server() is before
    ask(scale)


@posix
@pytest.mark.parametrize("engine", ["llvm", "passes"])
def test_interrupt_elsewhere(scale, engine):
    """So it is with compiled code, and with passes."""
    before = _server.server()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt, match="interrupted"):
        if engine == "llvm":
            ptogo.load(ENDLESS)(np.zeros(1, np.float32), engine="llvm")
        else:
            prints = '  pto.print ins("%d", %n : i32)\n' * 500
            ptogo.opt("func.func @f(%n: i32) {\n" + prints + "  return\n}", ["canonicalize"] * 20_000)
    assert time.monotonic() - start < _server.PATIENCE
    assert _server.server() is before
    ask(scale)


@posix
def test_interrupt_of_the_process(scale):
    """SIGINT at the process itself ends its requests and nothing else."""
    endless = ptogo.load(ENDLESS)
    before = _server.server()
    threading.Timer(0.3, os.kill, (before.about["pid"], signal.SIGINT)).start()
    with pytest.raises(ptogo.Fault, match="interrupted"):
        endless(np.zeros(1, np.float32))
    os.kill(before.about["pid"], signal.SIGINT)
    ask(scale)
    assert _server.server() is before


def test_threads(scale):
    failed = []

    def work():
        try:
            for _ in range(20):
                ask(scale)
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed


@posix
def test_fork(scale):
    ask(scale)
    child = os.fork()
    if child == 0:
        try:
            ask(scale)
            ptogo.shutdown()
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    ask(scale)


def test_directory(scale, tmp_path, monkeypatch):
    """Relative paths are those of the present directory."""
    ask(scale)
    monkeypatch.chdir(tmp_path)
    x = np.zeros(32, np.float32)
    scale(x, x, 1.0, trace="t.json")
    assert (tmp_path / "t.json").exists()


def test_growing(scale):
    """Arrays of any size, one after the other."""
    for n in (32, 1 << 20, 40, 1 << 22):
        x, y = np.ones(n, np.float32), np.zeros(n, np.float32)
        scale(x, y, 2.0)
        assert y[:32].sum() == 64 and not y[32:].any()


@posix
@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)", "pass"])
def test_parent_ends(end):
    """The process ends with its parent, and leaves no files."""
    script = f"""
import os, numpy as np, ptogo
from ptogo import _server
from test_kernel import SCALE
ptogo.load(SCALE.format(elem="f32"))(*np.zeros((2, 32), np.float32), 1.0)
if os.fork() == 0:  # holds the pipes for a while
    os.closerange(0, 3)
    import time; time.sleep(3); os._exit(0)
print(_server.server().about["pid"], flush=True)
{end}
"""
    paths = os.pathsep.join([os.path.dirname(__file__), os.path.dirname(os.path.dirname(ptogo.__file__))])
    p = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    pid = int(p.stdout)
    for _ in range(100):
        try:
            state = open(f"/proc/{pid}/stat").read().rsplit(")")[1].split()[0] if os.path.isdir("/proc/self") else None
            os.kill(pid, 0)
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    pytest.fail("pto-run is still there")


@posix
def test_faults_and_kills(scale):
    """Requests that fail in every way leave nothing behind."""
    endless = ptogo.load(ENDLESS)
    short, x = np.zeros(4, np.float32), np.zeros(32, np.float32)

    def files():
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    ask(scale)
    before = files()
    for i in range(120):
        if i % 40 == 39:
            os.kill(_server.server().about["pid"], signal.SIGKILL)
            time.sleep(0.05)
        try:
            [lambda: scale(x, x, 2.0), lambda: scale(short, x, 2.0), lambda: endless(x, timeout=0.005)][i % 3]()
        except (ptogo.Fault, ptogo.ServerDied):
            pass
    ask(scale)
    assert files() <= before + 2
