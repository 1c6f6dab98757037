# A program for one of several ranks: a kernel that communicates, and a kernel in C++.
from pathlib import Path

_ROOT_DIR = Path(__file__).parent

RUNTIME_CONFIG = {"runtime": "tensormap_and_ringbuffer"}

ORCHESTRATION = {"source": str(_ROOT_DIR / "orchestration" / "model.cpp"), "function_name": "aicpu_orchestration_entry"}

KERNELS = [
    {"func_id": 0, "name": "exchange", "source": str(_ROOT_DIR / "kernels" / "aiv" / "exchange.cpp"), "core_type": "aiv"},
    {"func_id": 1, "name": "twice", "source": str(_ROOT_DIR / "kernels" / "aiv" / "twice.cpp"), "core_type": "aiv", "external": True},
]
