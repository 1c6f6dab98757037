"""The enums of the dialects, as _definitions lists them."""

from ._definitions import ENUMS


def fold(name):
    """Names differ between languages in case and underscores only."""
    return name.replace("_", "").replace(".", "").lower()


class Case:
    """One keyword of an enum, equal to a case of the same enum and to its number."""

    def __init__(self, enum, keyword, number):
        self.enum, self.keyword, self.value = enum, keyword, number
        self.name = keyword if keyword.upper() == keyword else "".join(w.capitalize() for w in keyword.split("_"))

    @property
    def text(self):
        return self.enum.template.replace("{}", self.keyword)

    def __int__(self):
        return self.value

    __index__ = __int__

    def __eq__(self, other):
        if isinstance(other, Case):
            return self is other
        return isinstance(other, int) and self.value == other

    def __hash__(self):
        return hash(self.value)

    def __str__(self):
        return f"{self.enum.name}.{self.name}"

    __repr__ = __str__


class Enum:
    """An enum. Its cases are attributes of it; they are found whatever case
    and underscores they are written with."""

    def __init__(self, mnemonic, name, spec):
        template, _, cases = spec.partition(" | ")
        self.mnemonic, self.name, self.template = mnemonic, name, template
        self.cases = [Case(self, k, int(v)) for k, v in (c.split("=") for c in cases.split())]
        self._by_name = {fold(c.keyword): c for c in self.cases}

    def find(self, keyword):
        return self._by_name.get(fold(keyword))

    def case(self, value):
        """The case for a case, a keyword or a number; ValueError if there is none."""
        if isinstance(value, Case) and value.enum is self:
            return value
        if isinstance(value, str):
            found = self.find(value)
        else:
            number = int(getattr(value, "value", value))
            found = next((c for c in self.cases if c.value == number), None)
        if found is None:
            raise ValueError(f"{self.name} has no case {value!r}; it has {', '.join(c.name for c in self.cases)}")
        return found

    def __call__(self, value):
        return self.case(value)

    def __getattr__(self, name):
        found = None if name.startswith("__") else self.find(name)
        if found is None:
            raise AttributeError(f"{self.__dict__.get('name')} has no case {name}")
        return found

    def __instancecheck__(self, value):
        return isinstance(value, Case) and value.enum is self

    def __iter__(self):
        return iter(self.cases)

    def __dir__(self):
        return [c.name for c in self.cases]

    @property
    def __members__(self):
        return {c.name: c for c in self.cases}


# Names that are no camel case of the mnemonic.
_NAMES = {"pipe": "PIPE", "event": "EVENT", "cmp": "CmpMode"}
_enums = {}


def by_mnemonic(mnemonic):
    """The enum with a mnemonic such as pto.cmp, or None."""
    if mnemonic not in _enums and mnemonic in ENUMS:
        word = mnemonic.partition(".")[2]
        name = _NAMES.get(word) or "".join(w.capitalize() for w in word.split("_"))
        _enums[mnemonic] = Enum(mnemonic, name, ENUMS[mnemonic])
    return _enums.get(mnemonic)


def by_name(dialect, name):
    """The enum that Python calls name, or None."""
    for mnemonic in ENUMS:
        if mnemonic.startswith(dialect + "."):
            word = mnemonic.partition(".")[2]
            if fold(_NAMES.get(word, word)) == fold(name):
                return by_mnemonic(mnemonic)
    return None
