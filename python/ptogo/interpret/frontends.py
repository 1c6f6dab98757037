"""What changes in a frontend while it is imported: its launches go to pto-run."""

import importlib.abc
import importlib.util
import sys

from ..mlir_compat import context
from . import launch


def install():
    sys.meta_path.insert(0, _Patcher())
    sys.meta_path.append(_Empty())


class _Patcher(importlib.abc.MetaPathFinder):
    """Finds modules as usual and patches some when they have been executed."""

    def __init__(self):
        self._busy = set()

    def find_spec(self, name, path=None, target=None):
        patch = _PATCHES.get(name)
        if patch is None or name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy.discard(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, patch)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, loader, patch):
        self._loader, self._patch = loader, patch

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        self._patch(module)

    def __getattr__(self, name):
        return getattr(self._loader, name)


class _Empty(importlib.abc.MetaPathFinder):
    """The package ptoas, where there is none: it holds mlir only."""

    def find_spec(self, name, path=None, target=None):
        if name == "ptoas":
            return importlib.util.spec_from_loader(name, loader=None, is_package=True)
        return None


def _hide(module):
    for folder in module.__path__:
        context.hide_frontend(folder)


def _ptodsl_launch(module):
    """ptodsl: compiled[grid, stream](...)"""

    def call(self, *args):
        signature = self._compiled._kernel_signature
        values = module._marshal_launch_args(signature, args)
        arguments = [launch.Pointer(v.value) if isinstance(p, module.DeviceParameterSpec) else v.value
                     for p, v in zip(signature.positional_parameters, values)]
        launch.launch(self._compiled.build(), self._compiled.ir_function_name, arguments, self._grid)

    module.LaunchHandle.__call__ = call


def _pto_dsl_launch(module):
    """pto-dsl: a function under @jit"""

    def call(self, *args, stream_ptr=None):
        if not self._compiled:
            self._arg_types = self._resolve_runtime_arg_types()
            self._module = module.to_ir_module(meta_data=self._meta_data)(self._fn)
            self._compiled = True
        values = self._prepare_call_args(args)
        arguments = [launch.Pointer(v.value) if module._is_ptr_type(t) else v for v, t in zip(values, self._arg_types)]
        launch.launch(self._module, self._fn.__name__, arguments, self._block_dim)

    module.JitWrapper.__call__ = call


_PATCHES = {
    "ptodsl": _hide,
    "ptodsl._runtime.launch": _ptodsl_launch,
    "ptodsl.compiler.jit": _pto_dsl_launch,
}

