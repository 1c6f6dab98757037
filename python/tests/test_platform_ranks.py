"""Programs of several ranks, the stand-ins for the runtime's Python package, and kernels in C++."""

import ctypes
import shutil
import sys

import numpy as np
import pytest

import ptogo
from ptogo import platform
from ptogo.platform import _frontend, _session, _workers

PROGRAM = "platform_ranks"
pytestmark = pytest.mark.usefixtures("settings")


def exchange(worker, program, x, y, ranks=(0, 1), factor=1, rounds=1, domains=None, config=None):
    """Runs the program on the two ranks of a domain, which exchange their rows of x."""
    tags = _workers.TensorArgType

    def host(orch, _args, _config):
        for k in range(rounds):
            specs = [_workers.CommBufferSpec("data", nbytes=256), _workers.CommBufferSpec("signal", nbytes=32)]
            domain = orch.allocate_domain(name=f"d{k}", workers=list(ranks), window_size=288, buffers=specs)
            if domains is not None:
                domains.append(domain)
            with domain as d:
                for own, r in enumerate(ranks):
                    args = _workers.TaskArgs()
                    for tensors, tag in ((x, tags.INPUT), (y, tags.OUTPUT_EXISTING)):
                        row = tensors[r : r + 1]
                        args.add_tensor(_workers.make_tensor_arg(worker, row) if isinstance(row, np.ndarray) else row[0], tag)
                    args.add_tensor(d[r].buffers["data"].tensor(shapes=(1, 64), dtype=_workers.DataType.FLOAT32), tags.INOUT)
                    args.add_tensor(d[r].buffers["signal"].tensor(shapes=(1, 1), dtype=_workers.DataType.INT32), tags.INOUT)
                    args.add_scalar(1 - own)
                    args.add_scalar(d[r].device_ctx)
                    args.add_scalar(factor)
                    orch.submit_next_level(program, args, config, worker=r)

    worker.submit(host).result()


def test_exchange(folder):
    """Two ranks exchange rows, each of which waits for the other, and read a result; then the same again."""
    x, y = np.arange(128, dtype=np.float32).reshape(2, 64), np.zeros((2, 64), np.float32)
    worker, domains = _workers.Worker(level=3, device_ids=[0, 1], platform="a2a3sim"), []
    exchange(worker, worker.register(platform.load(folder)), x, y, rounds=2, domains=domains)
    assert (y == x[::-1]).all()
    assert [d.memory[1].view(np.int32)[64] for d in domains] == [1, 1]  # the signal of rank 1
    assert not worker.contexts and not worker._live_domains
    assert worker.aicpu_dlopen_count == 1


@pytest.mark.parametrize("ranks", [(0, 1), (1, 2), (2, 0)])
def test_domain_of_some_ranks(folder, ranks):
    """Two of three ranks are a domain: their numbers in it are 0 and 1."""
    x, y = np.arange(192, dtype=np.float32).reshape(3, 64), np.zeros((3, 64), np.float32)
    exchange(_workers.Worker(level=3, device_ids=[0, 1, 2]), platform.load(folder), x, y, ranks=ranks)
    want = np.zeros_like(x)
    want[list(ranks)] = x[list(ranks)[::-1]]
    assert (y == want).all()


def test_deferred_completion(folder):
    """A kernel registers its counter before it raises that of the other rank. The task waits after all else."""
    text = folder / "ptoas/exchange.pto"
    wrapper = folder / "kernels/aiv/exchange.cpp"
    wrapper.write_text(wrapper.read_text().replace("peer, ctx);", "peer, ctx, args);"))
    whole = text.read_text().replace("%ctx: !pto.ptr<i64>)", "%ctx: !pto.ptr<i64>, %__pypto_deferred_raw_args: !pto.ptr<i64>)")
    call = "func.call @pypto_register_counter_completion(%__pypto_deferred_raw_args, %signal, %z, %z1) : (!pto.ptr<i64>, !pto.ptr<i32>, i64, i64) -> ()"
    whole = whole.replace("    pto.comm.tnotify", f"    %z1 = arith.constant 1 : i64\n    {call}\n    pto.comm.tnotify", 1)
    declared = "  func.func private @pypto_register_counter_completion(!pto.ptr<i64>, !pto.ptr<i32>, i64, i64)\n"
    text.write_text(whole.rstrip().removesuffix("}") + declared + "}\n")
    x, y = np.arange(128, dtype=np.float32).reshape(2, 64), np.zeros((2, 64), np.float32)
    exchange(_workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder), x, y)
    assert (y == x[::-1]).all()
    missing = whole.replace("%z1 = arith.constant 1 ", "%z1 = arith.constant 2 ")
    text.write_text(missing.rstrip().removesuffix("}") + declared + "}\n")
    with pytest.raises(ptogo.Fault, match="(?s)waits for a signal that is never raised.* must be ge 2, but is 1"):
        exchange(_workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder), x, y)
    text.write_text(whole.replace(call, f"scf.if %any {{\n    {call}\n    }}"))
    with pytest.raises(platform.PlatformError, match="in a branch or a loop"):
        platform.load(folder)


def test_rings(folder):
    """The settings of a call have the sizes of the rings."""
    config = _workers.CallConfig()
    config.runtime_env.ring_task_window, config.runtime_env.ring_heap = 2, 0
    orch = _workers.Orchestrator(_workers.Worker(level=3, device_ids=[0, 1]))
    try:
        orch.submit_next_level(platform.load(folder), _workers.TaskArgs(), config)
        assert orch.session().rings == {"window": 2}
    finally:
        orch.end()


def test_race(folder):
    """The checkers see the tasks of all ranks: without the wait, the load races with the store of the other rank."""
    text = (folder / "ptoas/exchange.pto").read_text()
    (folder / "ptoas/exchange.pto").write_text("\n".join(line for line in text.split("\n") if "twait" not in line))
    platform.configure(check="race")
    with pytest.raises(ptogo.CheckFailed, match="rank 1"):
        exchange(_workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder), np.ones((2, 64), np.float32), np.zeros((2, 64), np.float32))


def test_error_of_a_rank(folder):
    """If the program of a rank fails, the others end."""
    text = (folder / "ptoas/exchange.pto").read_text()
    (folder / "ptoas/exchange.pto").write_text(text.replace("%t = pto.alloc_tile addr = %z : !tile", "%t = pto.alloc_tile addr = %z : !tile\n    %zz = arith.divsi %peer, %peer : i32"))
    with pytest.raises(ptogo.Fault, match="exchange"):
        exchange(_workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder), np.ones((2, 64), np.float32), np.zeros((2, 64), np.float32))


def test_wrong_ranks(folder):
    worker, program = _workers.Worker(level=3, device_ids=[0, 1, 2]), platform.load(folder)
    x = np.zeros((3, 64), np.float32)
    with pytest.raises(platform.PlatformError, match="has ranks \\[0, 3\\], but the host program has ranks 0 to 2"):
        exchange(worker, program, x, x, ranks=(0, 3))
    with pytest.raises(platform.PlatformError, match="submits to rank 3, but it has 3 ranks"):
        worker.submit(lambda orch, *_: orch.submit_next_level(program, _workers.TaskArgs(), worker=3))


def test_kernel_in_cpp(folder):
    """A kernel in C++ reads its arguments as on a device. Without clang, the error says what is missing."""
    x, y = np.ones((2, 64), np.float32), np.zeros((2, 64), np.float32)
    worker, program = _workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder)
    if any(shutil.which(f"clang++{v}") for v in ("-17", "-18", "-19", "-20")):
        exchange(worker, program, x, y, factor=3)
        assert (y == 3).all()
        return
    with pytest.raises(platform.PlatformError, match="clang"):
        exchange(worker, program, x, y, factor=3)


def test_wrong_kernel_in_cpp(folder):
    (folder / "kernels/aiv/twice.cpp").write_text("#error unreadable\n")
    with pytest.raises(platform.PlatformError, match="(?s)cannot read kernel twice, which is written in C.*docs/cpp-kernels.md"):
        exchange(_workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder), np.ones((2, 64), np.float32), np.zeros((2, 64), np.float32), factor=3)


def test_memory_of_hosts():
    """Copies of tensors follow reads and writes of several ranks, and of parts."""
    worker = _workers.Worker(level=3, device_ids=[0, 1])
    orch, memory = _workers.Orchestrator(worker), np.arange(64, dtype=np.int32)
    tags = _workers.TensorArgType
    try:
        whole, half = (_workers.make_tensor_arg(worker, m) for m in (memory, memory[32:]))
        a, offset = orch._copy(0, whole, tags.INPUT)
        assert orch._copy(0, half, tags.INPUT) == (a, 128) and offset == 0
        b, _ = orch._copy(1, half, tags.INOUT)
        orch.session().arenas[1].view(b)[:] = 7
        c, _ = orch._copy(0, whole, tags.INPUT)  # rank 1 has written a part: its contents come back
        assert c is not a and (memory[32:] == 0x07070707).all()
        assert (orch.session().arenas[0].view(c).view(np.int32) == memory).all()
        orch.submit_sub(lambda args: memory.__setitem__(0, args.scalar(0)), scalars(5))
        assert memory[0] == 5
    finally:
        orch.end()


def scalars(*values):
    args = _workers.TaskArgs()
    for v in values:
        args.add_scalar(v)
    return args


def test_memory_of_ranks(folder):
    """Programs read and write the memory of ranks in place, also in later runs, and --graph saves it."""
    worker, program = _workers.Worker(level=3, device_ids=[0, 1]), platform.load(folder)
    x, y = ([worker.alloc_child_tensor(r, (256,), _workers.DataType.UINT8).tensor((1, 64), _workers.DataType.FLOAT32) for r in (0, 1)] for _ in range(2))
    for r in (0, 1):
        np.frombuffer(x[r].buffer, np.float32)[:] = range(r, 64 + r)
    exchange(worker, program, x, y)
    assert [np.frombuffer(t.buffer, np.float32)[0] for t in y] == [1, 0]
    orch = _workers.Orchestrator(worker)
    try:
        orch.session()
        place, offset = orch._copy(1, x[1], _workers.TensorArgType.INOUT)
        assert (place.arena, place.address, offset) == (worker.memory[1], x[1].address, 0)
    finally:
        orch.end()
    platform.configure(graph=str(folder / "saved.jsonl"))
    exchange(worker, program, y, x)
    assert [np.frombuffer(t.buffer, np.float32)[0] for t in x] == [0, 1]
    assert "device.r1.b0" in (folder / "saved.jsonl").read_text()
    assert np.load(folder / "saved.jsonl.data/device.r0.b10.npy").view(np.float32)[0] == 1  # y of rank 0
    worker.free(x[0].owner)
    assert (worker.committed_device_memory(0), worker.committed_device_memory(1)) == (256, 512)
    worker.close()
    assert worker.memory is None


def test_buffers():
    """Memory of a device is memory of this process."""
    worker = _workers.Worker(platform="a5sim")
    host = np.arange(16, dtype=np.uint8)
    buffer = worker.alloc_child_tensor(0, (4,), _workers.DataType.INT32)
    worker.copy_to(buffer, (ctypes.c_ubyte * 16).from_buffer(host))
    assert worker.committed_device_memory() == 16 and bytes(buffer.tensor((4,), _workers.DataType.INT32).buffer) == bytes(range(16))
    back = np.zeros(16, np.uint8)
    worker.copy_from((ctypes.c_ubyte * 16).from_buffer(back), buffer)
    assert (back == host).all()
    worker.free(buffer)
    assert worker.committed_device_memory() == 0
    with pytest.raises(platform.PlatformError, match="is not inside its buffer of 16 bytes"):
        buffer.tensor((8,), _workers.DataType.INT32)
    with pytest.raises(platform.PlatformError, match="strides"):
        buffer.tensor((2, 2), _workers.DataType.INT32, strides=(1, 2))


def test_turns():
    """Functions run one at a time; a step follows when all wait, and an error ends all."""
    log, turns = [], _session._Turns()

    def work(name, waits):
        for i in range(waits):
            log.append(f"{name}{i}")
            turns.wait()
        log.append(name)

    turns.run([lambda: work("a", 2), lambda: work("b", 1)], lambda why: log.append("step"))
    assert log == ["a0", "b0", "step", "a1", "b", "step", "a"]
    turns, log[:] = _session._Turns(), []
    with pytest.raises(ZeroDivisionError):
        turns.run([lambda: work("a", 2), lambda: 1 / 0], lambda why: log.append("step"))
    assert log == ["a0"]


def test_modules(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    _frontend._provide_runtime()
    from simpler.task_interface import DataType, TaskArgs
    from simpler.worker import Worker
    from simpler_setup.torch_interop import torch_dtype_to_datatype

    assert (TaskArgs, Worker) == (_workers.TaskArgs, _workers.Worker)
    assert torch_dtype_to_datatype("torch.bfloat16") is DataType.BFLOAT16
