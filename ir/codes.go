// This file lists the stable codes of diagnostics (PTO1005 and so on).

package ir

import (
	"fmt"
	"strings"
)

// Code is the stable number of a kind of diagnostic, such as PTO1005. A number is never
// reused for another kind. The first two digits identify the component that reports the
// diagnostic: 10 the parser, 12 the verifier, 13 passes, 14 the proof of synchronization,
// 15 execution, 16 the checkers, 19 wrong use of the tools.
type Code uint16

// The codes of the diagnostics that the parser, the verifier, the passes and the runtime
// report. Checkers have further codes, which are computed from check.Kind.
const (
	CodeSyntax         Code = 1000
	CodeUnknownOp      Code = 1001
	CodeUnknownType    Code = 1002
	CodeUnknownWord    Code = 1003
	CodeUndeclared     Code = 1004
	CodeRedefined      Code = 1005
	CodeOtherType      Code = 1006
	CodeBrace          Code = 1007
	CodeNumber         Code = 1008
	CodeCharacter      Code = 1009
	CodeCounts         Code = 1010
	CodeBlock          Code = 1011
	CodeAlias          Code = 1012
	CodeTooLarge       Code = 1013
	CodeColon          Code = 1014
	CodeOutdated       Code = 1015
	CodeRule           Code = 1200
	CodeArgType        Code = 1201
	CodeAttribute      Code = 1202
	CodeTarget         Code = 1203
	CodeArgCounts      Code = 1204
	CodeDominance      Code = 1205
	CodePlace          Code = 1206
	CodeSymbol         Code = 1207
	CodeTerminator     Code = 1208
	CodePassedValues   Code = 1209
	CodeDevice         Code = 1210
	CodePass           Code = 1300
	CodeLevel          Code = 1301
	CodeScratch        Code = 1302
	CodeNoRoom         Code = 1303
	CodeUnproved       Code = 1400
	CodeFault          Code = 1500
	CodeFaultMemory    Code = 1501
	CodeFaultSync      Code = 1502
	CodeCheckRace      Code = 1601
	CodeCheckSync      Code = 1602
	CodeCheckInit      Code = 1603
	CodeCheckMemory    Code = 1604
	CodeCheckRedundant Code = 1605
	CodeCheckDevice    Code = 1606
	CodeCheckOutput    Code = 1607
	CodeMistake        Code = 1900
)

// String returns "PTO" followed by the code c as four digits. It returns "" if c is 0,
// which means "no code".
func (c Code) String() string {
	if c == 0 {
		return ""
	}
	return fmt.Sprintf("PTO%04d", uint16(c))
}

// CodeInfo describes a kind of diagnostic.
type CodeInfo struct {
	// Code is the number that diagnostics of this kind have.
	Code Code
	// Title describes the error in a few words.
	Title string
	// Text explains in Markdown what is wrong, why it is an error, and how to correct it.
	Text string
}

// Codes are the descriptions of all codes in ascending order.
var Codes = []CodeInfo{
	{CodeSyntax, "The text does not have the syntax of MLIR",
		"The parser expected another token. The message names what it expected and what it found. A note shows an example of the operation if its definition has one. PTO programs have the syntax of MLIR; `pto-opt --explain NAME` shows the syntax of the instruction NAME."},
	{CodeUnknownOp, "Unknown operation",
		"The name of an operation is misspelled, lacks its dialect, or belongs to a dialect that the tool does not know. A note names the most similar operation. `pto-opt --explain WORD` searches the names and descriptions of instructions for WORD. `--allow-unregistered-dialect` accepts operations of unknown dialects in generic form."},
	{CodeUnknownType, "Unknown type",
		"The name of a type is misspelled, or lacks its dialect or the `!`, as in `pto.tile` for `!pto.tile`. A note names the most similar type."},
	{CodeUnknownWord, "Unknown attribute, key or keyword",
		"The operation, type or attribute does not accept this word at this position. The message or a note lists the accepted words, or names the most similar one."},
	{CodeUndeclared, "A value is used that the text does not define",
		"The name of the value is misspelled, is defined later, or is defined in a region that does not contain the use. For example, the values of a loop body are visible only in this body: use `scf.yield` to return a value from the loop. A function cannot use the values of another function."},
	{CodeRedefined, "A value is defined twice",
		"The same name is defined twice where both definitions are visible. Rename one of the two values; a note shows the first definition of the name."},
	{CodeOtherType, "A value is used with a type that it does not have",
		"The types after the colon of an operation must equal the types with which its operands are defined. Either the type after the colon is wrong, or the type in the definition of the operand. If the same error occurs at many uses of a value, the definition of the value is probably wrong."},
	{CodeBrace, "A brace is missing or superfluous",
		"To locate a missing brace, the parser compares the indentation of lines with the nesting of braces. A note shows the brace that is not closed, or the first line whose indentation does not match the braces."},
	{CodeNumber, "A number does not fit its type",
		"An integer must fit the bits of its type. A number of a floating-point type needs a decimal point or the hexadecimal form of its bits."},
	{CodeCharacter, "A character cannot be read",
		"The text contains a byte that no token begins with, or a string that does not end on its line. Comments begin with `//`."},
	{CodeCounts, "The numbers of operands, results and types differ",
		"Each operand has one type after the colon, and each result has a name before the equals sign. The message states how many types or names the parser expected, and how many it found."},
	{CodeBlock, "A block is used or defined wrongly",
		"A label is defined twice in a region, is never defined, or is named outside any region."},
	{CodeAlias, "An alias is used or defined wrongly",
		"An alias (`#name` for an attribute, `!name` for a type) is defined twice, contains a dot, or is not defined."},
	{CodeTooLarge, "The text is beyond a limit",
		"Limits prevent hostile programs from exhausting memory. The tools limit the nesting of regions, types and attributes, the expansion of aliases, and the size of a program. [security.md](security.md) lists the limits."},
	{CodeColon, "The types of an operation are at the wrong place",
		"The types of an operation follow a colon at the end of the operation. Some operations, whose operands always have the same types, are written without types. Each operation begins on a new line."},
	{CodeOutdated, "The text uses an outdated form",
		"The parser still accepts the syntax of earlier versions of the public tools, but prints a warning. The warning shows the current syntax, in which `pto-opt` writes the operation."},
	{CodeRule, "A rule of the operation is violated",
		"The rules of an operation relate several of its operands and attributes: for example, two operands must have equal shapes. The message states what the verifier found and what it expected. The reference page of the instruction (`pto-opt --explain NAME`) lists its rules for each target."},
	{CodeArgType, "An operand or result has a type that the operation does not accept",
		"The message lists the types that the operation accepts on the selected target. A note lists the targets on which the operation accepts the given type, or names the property of the type that is not accepted."},
	{CodeAttribute, "An attribute is missing or has an illegal value",
		"The message lists the legal values of the attribute. The reference page of the instruction lists all attributes with their defaults."},
	{CodeTarget, "The target does not have this operation",
		"The selected target does not have the instruction. A note names the targets that have it. `--pto-arch` or the attribute `pto.target_arch` of the module selects the target."},
	{CodeArgCounts, "An operation has too many or too few operands, results, regions or successors",
		"The message states the number that the definition of the operation requires. In MLIR's generic syntax, the attribute `operandSegmentSizes` states how many values each operand of the definition receives."},
	{CodeDominance, "A value is used where it is not defined on every path",
		"The definition of a value must precede each use on every path of control flow, and an operation between them must not be isolated from above (a function, for example). To use a value of another block or function, pass the value as an argument."},
	{CodePlace, "The operation is at a place where it cannot be",
		"Some operations are legal only inside another operation, and others are illegal there. For example, vector instructions must be inside a vector scope."},
	{CodeSymbol, "A symbol is defined twice",
		"Each function of a module needs its own name."},
	{CodeTerminator, "A block does not end in a terminator",
		"The last operation of a block must be a terminator such as `return` or `scf.yield`. An earlier operation of the block must not be a terminator."},
	{CodePassedValues, "A branch passes values that the block does not accept",
		"A branch passes values to the arguments of its target block. The number and the types of the passed values must equal those of the arguments."},
	{CodeDevice, "The device computes something else",
		"The device library (the NPU headers of pto-isa) rejects these operands, or computes something else than the definition of the instruction states. Notes name the header, and the change that gives both the same result."},
	{CodePass, "A pass cannot transform the program",
		"The message names the operation that the pass cannot transform, and the reason. The program is legal, but the pass does not handle this case, or another pass must run first."},
	{CodeLevel, "The program breaks a rule of the build level",
		"At level 1 and level 2 the compiler assigns addresses to tiles; at level 3 the program contains the addresses. `--pto-level` selects the level whose rules are checked. [levels.md](levels.md) explains the three levels."},
	{CodeScratch, "A scratch tile is missing, too small or of another type",
		"Some instructions store intermediate results in a scratch tile. `--pto-materialize-implicit-tmp` allocates the scratch tiles that a program omits. `--pto-scratch` determines whether a missing scratch tile is a warning or an error."},
	{CodeNoRoom, "The tiles do not fit into memory",
		"The tiles that are in use at the same time need more bytes than the memory has. Notes list the largest of them, and with which share of the rows or columns all of them fit. Process the data in a loop over smaller tiles, or use a tile for the last time before the next one is loaded. [memory.md](memory.md) shows how to see which tiles are in use at the same time."},
	{CodeUnproved, "The order of two accesses is not proved",
		"`--verify-sync` found two accesses to the same bytes, and did not find a flag, barrier or queue that orders them. [synchronization.md](synchronization.md) explains the verdicts of the proof. `--enable-insert-sync` inserts the missing synchronization."},
	{CodeFault, "The kernel cannot continue",
		"An instruction cannot be executed with its operands, for example a division by zero. A note names the block, the core and the loop iteration that executed the instruction. [debugging.md](debugging.md) shows how to stop a kernel before the instruction that faults."},
	{CodeFaultMemory, "An access is outside its memory",
		"A memory access begins before the start, or ends after the end, of the argument, tile or memory to which its address belongs. Notes state which view or argument is too small, and by how much."},
	{CodeFaultSync, "A wait never ends",
		"A core waits for a flag, signal, queue entry or buffer, but all pipes and cores that could provide it have ended or also wait. Notes state for which other core each core waits."},
	{CodeCheckRace, "Two accesses of the same bytes have no order",
		"At least one of the two accesses writes, and no synchronization orders them, so a device may execute them in either order. The report names both accesses and the flag that would order them. [checking.md](checking.md) explains the checkers."},
	{CodeCheckSync, "Synchronization is unbalanced",
		"A flag is raised and never awaited, is awaited twice, or is still raised when the kernel ends. A flag that is still raised can release a wait of a later kernel too early."},
	{CodeCheckInit, "Bytes are read that were not written",
		"The kernel reads bytes of a tile or buffer before it has written them, or reads padding outside the valid region of a tile."},
	{CodeCheckMemory, "Memory is used in a suspicious way",
		"pto-run can execute the access, but it touches memory that the program has not reserved, such as the padding after an argument."},
	{CodeCheckRedundant, "Synchronization orders nothing",
		"Other synchronization already orders all accesses that this flag or barrier orders, so this flag or barrier only costs time."},
	{CodeCheckDevice, "The device computes something else",
		"The device library (the NPU headers of pto-isa) rejects these operands or computes something else than pto-run. Notes name the header, and the change that gives both the same result. `--check=device` reports the cases that only a run shows."},
	{CodeCheckOutput, "Results are overwritten or never written",
		"A store changes results of an earlier store that nothing has read, rows of one store overlap, the kernel writes to none of its arrays, or it leaves elements of an array unwritten that contained only equal bytes and that it does not read. The usual causes are the strides of a view, a loop that ends too early, and a missing store."},
	{CodeMistake, "A bug in this tool",
		"The tool could not process a valid program. Please report the error together with the program; `pto-reduce` can make the program smaller first."},
}

// CodeInfoOf returns the description of the code whose printed form is text, such as
// PTO1004. Upper and lower case do not matter. The second result is false if there is no
// such code.
func CodeInfoOf(text string) (CodeInfo, bool) {
	for _, i := range Codes {
		if strings.EqualFold(i.Code.String(), text) {
			return i, true
		}
	}
	return CodeInfo{}, false
}

// As sets the code of d and returns d.
func (d *Diag) As(c Code) *Diag {
	d.Code = c
	return d
}
