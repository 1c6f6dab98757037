"""Prints operations in MLIR's generic form, which any MLIR tool reads."""

from . import attributes, types


class Printer:
    """Writes operations with numbered values. With locations, each operation
    says which line of Python made it."""

    def __init__(self, locations):
        self._locations = locations
        self._names, self._blocks = {}, {}
        self._lines, self._arguments, self._results = [], 0, 0

    def text(self, op):
        self._operation(op, "")
        return "\n".join(self._lines) + "\n"

    def value(self, v):
        """The name of a value; its results share one, as in %2#1."""
        if v not in self._names:
            self._number(v)
        return self._names[v]

    def _number(self, v):
        op = getattr(v.owner, "_results", None)
        if op is None:
            self._names[v] = f"%arg{self._arguments}"
            self._arguments += 1
            return
        base = f"%{self._results}"
        self._results += 1
        for i, r in enumerate(op):
            self._names[r] = base if len(op) == 1 else f"{base}#{i}"

    def _block_name(self, block):
        return self._blocks.setdefault(block, f"^bb{len(self._blocks)}")

    def _operation(self, op, indent):
        head = indent
        if op._results:
            name = self.value(op._results[0]).partition("#")[0]
            head += name + (f":{len(op._results)}" if len(op._results) > 1 else "") + " = "
        head += f"{attributes.quote(op.name)}({', '.join(map(self.value, op._operands))})"
        if op.successors:
            head += "[" + ", ".join(map(self._block_name, op.successors)) + "]"
        tail = ""
        if op._attributes:
            tail += " {" + attributes.entries(op._attributes) + "}"
        tail += f" : ({types.join(v.type for v in op._operands)}) -> "
        tail += types.result_list([r.type for r in op._results])
        if self._locations:
            tail += f" {op.location}"
        if not op._regions:
            self._lines.append(head + tail)
            return
        self._lines.append(head + " ({")
        for i, region in enumerate(op._regions):
            if i:
                self._lines.append(indent + "}, {")
            self._region(region, indent)
        self._lines.append(indent + "})" + tail)

    def _region(self, region, indent):
        for i, block in enumerate(region._blocks):
            if i or block._arguments or not block._operations:
                arguments = ", ".join(f"{self.value(a)}: {a.type}" for a in block._arguments)
                self._lines.append(f"{indent}{self._block_name(block)}{f'({arguments})' if arguments else ''}:")
            for op in block._operations:
                self._operation(op, indent + "  ")
