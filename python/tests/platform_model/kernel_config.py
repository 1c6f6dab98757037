# A program in the form that a frontend writes: three kernels.
from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT_DIR = Path(__file__).parent

RUNTIME_CONFIG = {
    "runtime": "tensormap_and_ringbuffer",
    "aicpu_thread_num": 0,
}

ORCHESTRATION = {
    "source": str(_ROOT_DIR / "orchestration" / "model.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [_D.IN, _D.OUT],
}

KERNELS = [
    {"func_id": 0, "name": "scale", "source": str(_ROOT_DIR / "kernels" / "aiv" / "scale.cpp"), "core_type": "aiv", "signature": [_D.IN, _D.OUT]},
    {"func_id": 1, "name": "add_rows", "source": str(_ROOT_DIR / "kernels" / "aiv" / "add_rows.cpp"), "core_type": "aiv", "signature": [_D.IN, _D.INOUT]},
    {"func_id": 2, "name": "lane", "source": str(_ROOT_DIR / "kernels" / "aiv" / "lane.cpp"), "core_type": "aiv", "signature": [_D.INOUT]},
]
