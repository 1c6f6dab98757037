"""The exception that MLIR's bindings raise."""


class MLIRError(Exception):
    """IR that cannot be read or does not verify."""

    def __init__(self, message, error_diagnostics=()):
        super().__init__(message)
        self.message, self.error_diagnostics = message, list(error_diagnostics)
