"""The exception of this package."""


class PlatformError(Exception):
    """A model cannot be executed: something is missing, or is not supported.

    The text of the exception says what is wrong, and the attribute hint how to continue.
    """

    def __init__(self, text, hint=""):
        super().__init__(f"{text}\n  {hint}" if hint else text)
        self.hint = hint
