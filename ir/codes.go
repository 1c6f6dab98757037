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

// The codes of the diagnostics of the parser, the verifier, passes and execution. The
// codes of checkers are computed from check.Kind.
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
	CodePass           Code = 1300
	CodeLevel          Code = 1301
	CodeScratch        Code = 1302
	CodeUnproved       Code = 1400
	CodeFault          Code = 1500
	CodeFaultMemory    Code = 1501
	CodeFaultSync      Code = 1502
	CodeCheckRace      Code = 1601
	CodeCheckSync      Code = 1602
	CodeCheckInit      Code = 1603
	CodeCheckMemory    Code = 1604
	CodeCheckRedundant Code = 1605
	CodeMistake        Code = 1900
)

// String returns "PTO" followed by the four digits of the number, or "" if c is 0, the
// value for "no code".
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
		"The parser expected another token. The message names what it expected and what it found. A note shows an example of the operation if its definition has one. The syntax is that of MLIR; `pto-opt --explain NAME` shows that of an instruction."},
	{CodeUnknownOp, "Unknown operation",
		"A name is misspelled, its dialect is missing, or the operation belongs to a dialect that the tool does not know. A note names the most similar operation. `pto-opt --explain WORD` searches the instructions. `--allow-unregistered-dialect` accepts operations of unknown dialects in generic form."},
	{CodeUnknownType, "Unknown type",
		"A type is misspelled or lacks its dialect, as in `pto.tile` for `!pto.tile`. A note names the most similar type."},
	{CodeUnknownWord, "Unknown attribute, key or keyword",
		"A word is not one of those that the operation, type or attribute accepts at this position. The message or a note lists them or names the most similar one."},
	{CodeUndeclared, "A value is used that the text does not define",
		"The name is misspelled, is defined later, or is defined in a region that does not contain the use. Values of a loop body, for example, are visible in the body only: pass them out by `scf.yield`. A function does not see values of another function."},
	{CodeRedefined, "A value is defined twice",
		"Every value has one definition. Rename one of the two; a note shows the first."},
	{CodeOtherType, "A value is used with a type that it does not have",
		"The types after the colon repeat the types of the operands, so both must agree. Either this type or that of the definition is wrong. If many uses of a value are wrong in the same way, its definition probably is."},
	{CodeBrace, "A brace is missing or superfluous",
		"The parser compares the indentation of lines with the nesting of braces. A note shows the brace that is open, or the line from which the text is indented as if the region had ended."},
	{CodeNumber, "A number does not fit its type",
		"An integer must fit the bits of its type. A number of a floating-point type needs a decimal point or the hexadecimal form of its bits."},
	{CodeCharacter, "A character cannot be read",
		"The text contains a byte that no token begins with, or a string that does not end on its line. Comments begin with `//`."},
	{CodeCounts, "The numbers of operands, results and types differ",
		"Each operand has one type after the colon, and each result has a name before the equals sign. The message has both numbers."},
	{CodeBlock, "A block is used or defined wrongly",
		"A label is defined twice in a region, is never defined, or is named outside any region."},
	{CodeAlias, "An alias is used or defined wrongly",
		"An alias, `#name` or `!name`, is defined twice, contains a dot, or is not defined."},
	{CodeTooLarge, "The text is beyond a limit",
		"Limits keep hostile texts from exhausting memory: nesting of regions, types and attributes, the expansion of aliases, and the size of a text. [security.md](security.md) lists them."},
	{CodeColon, "The types of an operation are at the wrong place",
		"The types of an operation follow a colon. An operation whose types are always the same is written without them. The next operation begins on a new line."},
	{CodeOutdated, "The text uses an outdated form",
		"The parser accepts forms of earlier versions of the public tools with a warning. The message names the current form, which `pto-opt` prints."},
	{CodeRule, "A rule of the operation is violated",
		"Operations have rules on their operands and attributes together, such as equal shapes or alignment. The message contains what was found and what would be right. The reference page of the instruction (`pto-opt --explain NAME`) lists its rules per target."},
	{CodeArgType, "An operand or result has a type that the operation does not accept",
		"The message lists the legal types on the target. A note lists the targets on which the type is legal, or names the property of the type that is not legal."},
	{CodeAttribute, "An attribute is missing or has an illegal value",
		"The message lists the legal values. The reference page of the instruction lists all attributes with their defaults."},
	{CodeTarget, "The target does not have this operation",
		"A note names the targets that have it. `--pto-arch` or the attribute `pto.target_arch` of the module selects the target."},
	{CodeArgCounts, "An operation has too many or too few operands, results, regions or successors",
		"The message has the number that the definition requires. In generic form the attribute `operandSegmentSizes` distributes the operands."},
	{CodeDominance, "A value is used where it is not defined on every path",
		"The definition of a value must precede each use on every path of control flow, and no operation that is isolated from above may be between the two. Pass the value as an argument of the block or function."},
	{CodePlace, "The operation is at a place where it cannot be",
		"Some operations must be inside another one, such as instructions of a vector scope, or must not be."},
	{CodeSymbol, "A symbol is defined twice",
		"Each function of a module needs its own name."},
	{CodeTerminator, "A block does not end in a terminator",
		"The last operation of a block must be a terminator such as `return` or `scf.yield`, and no other operation may be one."},
	{CodePassedValues, "A branch passes values that the block does not accept",
		"The number and types of the values that a terminator passes must be those of the arguments of the block."},
	{CodePass, "A pass cannot transform the program",
		"The message names the operation and the reason. The program before the pass is legal; the pass does not handle this case or needs another pass first."},
	{CodeLevel, "The program breaks a rule of the build level",
		"At level 1 and level 2 the compiler assigns addresses; at level 3 the program does. `--pto-level` selects the level. [levels.md](levels.md) explains them."},
	{CodeScratch, "A scratch tile is missing, too small or of another type",
		"Some instructions need memory for intermediate results. `--pto-materialize-implicit-tmp` allocates the tiles; `--pto-scratch` chooses between a warning and an error."},
	{CodeUnproved, "The order of two accesses is not proved",
		"`--verify-sync` found two accesses of the same bytes that no flag, barrier or queue orders, or could not decide it. [synchronization.md](synchronization.md) explains the verdicts; `--enable-insert-sync` inserts what is missing."},
	{CodeFault, "The kernel cannot continue",
		"An instruction cannot be executed with these operands, for example a division by zero. A note names the block, the core and the loop iteration. [debugging.md](debugging.md) shows how to stop before it."},
	{CodeFaultMemory, "An access is outside its memory",
		"The access begins before or ends after the argument, tile or memory that it refers to. Notes say which view or argument is too small and by how much."},
	{CodeFaultSync, "A wait never ends",
		"A core waits for a flag, signal, queue entry or buffer that no other core will provide. Notes say which core waits for which."},
	{CodeCheckRace, "Two accesses of the same bytes have no order",
		"At least one of the two accesses writes, and no synchronization orders them, so a device may execute them in either order. The report names both and the flag that is missing. [checking.md](checking.md) explains the checkers."},
	{CodeCheckSync, "Synchronization is unbalanced",
		"A flag is raised and never awaited, is awaited twice, or is still raised at the end, so that a later kernel sees it."},
	{CodeCheckInit, "Bytes are read that were not written",
		"The kernel reads bytes of a tile or buffer that contain no data yet, or padding outside the valid region."},
	{CodeCheckMemory, "Memory is used in a suspicious way",
		"pto-run can execute an access, but the access uses memory that the program has not reserved, such as padding after an argument."},
	{CodeCheckRedundant, "Synchronization orders nothing",
		"The accesses that a flag or barrier orders are ordered without it, so it only costs time."},
	{CodeMistake, "A bug in this tool",
		"The tool could not handle the program although the program is valid. Please report it with the program; `pto-reduce` makes it smaller first."},
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
