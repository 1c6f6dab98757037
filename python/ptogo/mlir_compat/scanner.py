"""A cursor over text in MLIR's syntax."""

import re

from .errors import MLIRError

_SPACE = re.compile(r"(?:\s+|//[^\n]*)+")
_OPEN, _CLOSE = "(<[{", ")>]}"


class Scanner:
    """Reads words from text, which the parsers of types, attributes and
    operations share."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def space(self):
        m = _SPACE.match(self.text, self.at)
        if m:
            self.at = m.end()

    def peek(self, word):
        self.space()
        return self.text.startswith(word, self.at)

    def accept(self, word):
        if self.peek(word):
            self.at += len(word)
            return True
        return False

    def expect(self, word):
        if not self.accept(word):
            self.fail(f"expected '{word}'")

    def match(self, pattern):
        """Returns the text that a compiled pattern matches here, or None."""
        self.space()
        m = pattern.match(self.text, self.at)
        if not m:
            return None
        self.at = m.end()
        return m.group()

    def take(self, pattern, what):
        found = self.match(pattern)
        if found is None:
            self.fail("expected " + what)
        return found

    def balanced(self, stops=",>)]}"):
        """Returns the text up to one of stops that stands outside of brackets."""
        self.space()
        start, depth, text = self.at, 0, self.text
        while self.at < len(text):
            c = text[self.at]
            if c == '"':
                self.string()
                continue
            if text.startswith("->", self.at):
                self.at += 2
                continue
            if depth == 0 and c in stops:
                break
            if c in _OPEN:
                depth += 1
            elif c in _CLOSE:
                depth -= 1
            self.at += 1
        return text[start:self.at].strip()

    def string(self):
        """Returns what stands between quotes, as it is written."""
        self.space()
        end = self.at + 1
        while end < len(self.text) and self.text[end] != '"':
            end += 2 if self.text[end] == "\\" else 1
        if not self.peek('"') or end >= len(self.text):
            self.fail("expected a string")
        found = self.text[self.at + 1:end]
        self.at = end + 1
        return found

    def done(self):
        self.space()
        return self.at >= len(self.text)

    def fail(self, message):
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        around = self.text[self.at:self.at + 30].split("\n")[0]
        raise MLIRError(f"{line}:{column}: {message} at '{around}'")
