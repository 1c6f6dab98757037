// This file defines Def, the single definition of an operation from which its syntax,
// rules, effects and documentation derive.

package ir

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Def is the definition of one operation: its syntax, its rules and its meaning.
// The parser, the printer, the verifier, the passes, the runtime, the code
// generators and the reference pages all read the Def and contain no per-operation
// code. A Def is built once and never changes. The fields of a Def from
// Dialect.Later are empty until its operation is looked up or built.
type Def struct {
	// Name is the full name, including the dialect, such as "arith.addi".
	Name string
	// Aliases are other names that the parser accepts without a warning.
	Aliases []string
	// Old are former names, which the parser accepts with a warning.
	Old []string
	// Summary describes the operation in one sentence.
	Summary string
	// Page is the URL of the public page that defines the operation.
	Page string
	// Examples are texts that parse, verify on at least one target and print
	// unchanged. Tests check this, and the reference pages show them.
	Examples []string

	// Forms are the ways to write the operation, the usual one first.
	Forms []*Form
	// Attrs are the attributes that the operation declares. Op.attrs has the same order.
	Attrs []AttrDef
	// Regions declares the regions, in the order in which an Op holds them.
	Regions []RegionDef
	// Succs is the number of successors, or AnyNumber if it varies.
	Succs int
	// Traits are boolean properties that generic code, such as the verifier and
	// common-subexpression elimination, tests.
	Traits Trait

	// SuccOperands returns the range [from, to) of the operands that become the
	// arguments of successor i. nil means that no successor receives operands.
	SuccOperands func(op *Op, i int) (from, to int)

	// Exists reports whether target t has the operation; nil means that all have it.
	Exists func(t Target) bool
	// Place checks the context of the operation: its parent and its neighbours. It
	// does not depend on the target. The verifier calls it before all other checks.
	Place func(op *Op, v *Verifier)
	// Verify checks the rules that constraints on arguments and attributes cannot
	// express.
	Verify func(op *Op, v *Verifier)
	// Fold returns, for each result, the constant or the value that it equals, or a
	// zero FoldResult if it cannot be folded; nil means that nothing folds. in
	// holds the constant of each operand, or the zero Attr.
	Fold func(op *Op, in []Attr) []FoldResult
	// Rewrites are the patterns that the canonicalizer applies to the operation.
	Rewrites []Pattern
	// Sem is what the operation does when it is executed.
	Sem Meaning
	// Info is data of the dialect, which package ir does not read.
	Info any

	dialect *Dialect
	// ready is 1 once all forms of the definition are compiled, and 0 before. It is
	// accessed atomically; see method prepare.
	ready uint32
}

// Form is one way to write an operation: its operands, its results and its custom
// text. The SSA and the destination-passing variant of an instruction are two forms
// of one Def.
type Form struct {
	// Level selects between the SSA and the destination-passing form.
	Level Level
	// Lead is the keyword that follows the name of the operation in the text and selects
	// this form, or "" if the form needs no keyword.
	Lead string
	// Operands and Results are the arguments in the order of Op.operands and Op.results.
	Operands []Arg
	Results  []Arg
	// Syntax parses and prints the custom text. If it is nil, the operation is written in
	// MLIR's generic form only.
	Syntax Syntax

	// all is the list 0, 1, 2, ... of the indices of all operands. All elements of the
	// compiled syntax that print every operand share this slice, to save memory.
	all []int
	// single reports whether every declared operand and result of the form has exactly
	// one value, that is, none is optional or variadic.
	single bool
	// twin is the first form of the same Def if it and this form have the same operands
	// and no results. The parser can then choose between the two forms only by the
	// operand types. In every other case, twin is nil.
	twin *Form

	// typeBody parses a type whose name the text omits, because one operand of the form
	// accepts only types of that name. It is nil if no operand has such a constraint
	// (TypeBody).
	typeBody func(p *Parser) Type
}

// Level states how a form treats tiles: as values (SSA), as buffers (DPS), or in the same
// way at both program levels (Plain).
type Level uint8

// The levels: the SSA form, the destination-passing form (DPS), and Plain for operations
// that have no destination-passing form.
const (
	Plain Level = iota
	SSA         // tiles are values
	DPS         // tiles are buffers, destinations are operands
)

// Arg declares an operand or a result of an instruction. It belongs to a Form, one way to
// write the instruction, such as its SSA variant.
type Arg struct {
	Name  string
	Type  Constraint
	Arity Arity
	Role  Role
	Doc   string
}

// Arity is the number of values that an operand or result declaration accepts.
type Arity uint8

// The arities: exactly one value, zero or one, and any number.
const (
	One Arity = iota
	Optional
	Variadic
)

// Role is how the operation uses an operand.
type Role uint8

// The roles of operands. An In operand is read. An Out operand is a destination that is
// overwritten. A Scratch operand is memory whose contents have no meaning before or after
// the operation. An InOut operand is read and written.
const (
	In Role = iota
	Out
	Scratch
	InOut
)

// AttrDef declares an attribute of an operation.
type AttrDef struct {
	// Name is the key in the attribute dictionary.
	Name string
	// Type is the constraint on the value.
	Type AttrConstraint
	// Default is the value of an absent attribute, or the zero Attr if there is no
	// default.
	Default Attr
	// Optional allows an operation without the attribute.
	Optional bool
	// Doc describes the attribute on the reference page.
	Doc string
	// Text is the name of the attribute in custom text if it differs from Name. The
	// parser accepts both names.
	Text string
	// Alias is an additional name that the parser accepts in custom text; the printer
	// never writes it.
	Alias string
	// OldPrefix is a pair of prefixes, the former one and the current one, for a string
	// attribute whose naming convention changed. If the value begins with the former
	// prefix, the parser replaces it by the current one and warns.
	OldPrefix [2]string
}

// textName returns the name that the printer writes for the attribute in custom text:
// Text if it is set, otherwise Name.
func (d *AttrDef) textName() string {
	if d.Text != "" {
		return d.Text
	}
	return d.Name
}

// AnyNumber is the value of Def.Succs for an operation that accepts any number of
// successors.
const AnyNumber = -1

// RegionDef declares one region of an operation, or several regions if Variadic is set.
type RegionDef struct {
	Name        string
	SingleBlock bool
	// Variadic allows any number of regions. Only the last region can have it.
	Variadic bool
	// Implicit is the definition of the terminator that a program may omit at the end of
	// the region. It is nil if the region has no implicit terminator.
	Implicit *Def
}

// Trait is a set of boolean properties of an operation.
type Trait uint32

// The traits. Those without a comment have the meaning of MLIR's trait of that name.
const (
	Terminator Trait = 1 << iota
	Pure             // has no effects: may be removed, merged and folded
	Commutative
	IsolatedFromAbove // regions use no values from outside
	SymbolTable
	IsSymbol // has a sym_name that others refer to
	ConstantLike
	NoTerminator  // regions need no terminator
	GraphRegion   // order inside the region does not matter
	Speculatable  // may be executed in a place where the program would not execute it
	LoopLike      // the region may run many times
	Unregistered  // the parser made the definition, for an unregistered name
	RecursiveSide // has the effects of the operations inside
)

// FoldResult is what a result folds to: a constant, or an existing value. The zero
// FoldResult means that the result does not fold.
type FoldResult struct {
	// Const is the constant that replaces the result.
	Const Attr
	// Value is the existing value that replaces the result.
	Value *Value
}

// Form returns the form of the given level, or nil.
func (d *Def) Form(l Level) *Form {
	for _, f := range d.Forms {
		if f.Level == l {
			return f
		}
	}
	return nil
}

// Dialect returns the dialect the definition is registered in.
func (d *Def) Dialect() *Dialect { return d.dialect }

// String returns the full name of the operation.
func (d *Def) String() string { return d.Name }

// attrIndex returns the index in d.Attrs of the attribute with the given name, or -1 if d
// does not declare it.
func (d *Def) attrIndex(name string) int {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return i
		}
	}
	return -1
}

// attrName returns the name of the declared attribute whose Text or Alias is the given
// text. Both are names of the attribute in custom syntax. If no such attribute exists,
// attrName returns the text unchanged.
func (d *Def) attrName(text string) string {
	for i := range d.Attrs {
		if a := &d.Attrs[i]; text != "" && (a.Text == text || a.Alias == text) {
			return a.Name
		}
	}
	return text
}

// Attr returns the declaration of the attribute with the given name, or nil if d does not
// declare it.
func (d *Def) Attr(name string) *AttrDef {
	if i := d.attrIndex(name); i >= 0 {
		return &d.Attrs[i]
	}
	return nil
}

// regionDef returns the declaration of region i, or nil if the operation has no
// region i. A variadic last declaration covers all later regions.
func (d *Def) regionDef(i int) *RegionDef {
	if n := len(d.Regions); i >= n {
		if n == 0 || !d.Regions[n-1].Variadic {
			return nil
		}
		i = n - 1
	}
	return &d.Regions[i]
}

// checkRegions returns an error message if the operation may not have n regions,
// and "" otherwise.
func (d *Def) checkRegions(n int) string {
	want := len(d.Regions)
	switch {
	case d.Traits&Unregistered != 0:
		return ""
	case want > 0 && d.Regions[want-1].Variadic:
		if n < want-1 {
			return "expects at least " + Count(want-1, "region")
		}
	case n != want:
		return "expects " + Count(want, "region")
	}
	return ""
}

// variable returns the number of optional and variadic arguments in args.
func variable(args []Arg) int {
	n := 0
	for i := range args {
		if args[i].Arity != One {
			n++
		}
	}
	return n
}

// defaultSegs distributes n values over the arguments args of an operation. It is for
// texts that do not state the number of values of each argument. If at most one argument
// is optional or variadic, n determines the numbers, and the result is nil. Otherwise the
// result contains the number for each argument: one for each required argument. The
// remaining values are assigned from left to right: one to each optional argument, and
// the rest to the first variadic one.
func defaultSegs(args []Arg, n int) []int32 {
	if variable(args) < 2 {
		return nil
	}
	segs := make([]int32, len(args))
	rest := n
	for i := range args {
		if args[i].Arity == One {
			segs[i] = 1
			rest--
		}
	}
	for i := range args {
		switch {
		case rest <= 0:
			return segs
		case args[i].Arity == Optional:
			segs[i] = 1
			rest--
		case args[i].Arity == Variadic:
			segs[i] = int32(rest)
			rest = 0
		}
	}
	return segs
}

// segment returns the index range [from, to) of the values of argument i, for an
// operation with n values in total. segs are the number of values of each argument. It is
// nil if the total determines these numbers. The range is always within 0 and n, even if
// n is wrong for args, because some callers run before verification and must not panic.
func segment(args []Arg, segs []int32, i, n int) (from, to int) {
	if segs != nil {
		for k := range i {
			from += int(segs[k])
		}
		return from, from + int(segs[i])
	}
	if n == len(args) {
		return i, i + 1
	}
	extra := n - len(args) // values beyond one per argument; -1 if an optional one is absent
	from = i
	for k := range i {
		if args[k].Arity != One {
			from += extra
		}
	}
	to = from + 1
	if args[i].Arity != One {
		to += extra
	}
	return min(max(from, 0), n), min(max(to, 0), n)
}

// Dialect is a namespace of operations, types and attributes.
type Dialect struct {
	// Name is the prefix of the names, such as "arith".
	Name string
	// Doc describes the dialect on the reference pages.
	Doc string
	// Defs are the definitions that have been built. All also builds those that were
	// declared with Later.
	Defs []*Def
	// Enums are the enums that attributes of the form #dialect.name<case> can name.
	Enums []*Enum
	// Types maps the mnemonic of a type (!dialect.mnemonic) to the parser of the
	// text after it.
	Types map[string]func(p *Parser) Type
	// Attrs maps the mnemonic of an attribute (#dialect.mnemonic) to the parser of
	// the text after it.
	Attrs map[string]func(p *Parser) Attr
	// Target returns the target (chip family) that op selects for the operations in its
	// regions, or 0 if op selects none.
	Target func(op *Op) Target
	// TargetName returns the name of a target as diagnostics print it.
	TargetName func(t Target) string
	// OtherTargets returns a note for a diagnostic: the targets for which the function
	// legal returns true, and how a program selects them. It returns "" if legal returns
	// false for every target.
	OtherTargets func(legal func(t Target) bool) string
	// VerifyAttr checks a discardable attribute whose name has the dialect's prefix.
	VerifyAttr func(op *Op, a NamedAttr, v *Verifier)
	// Internal maps names of operations, without the dialect, to the reason why a
	// program must not contain them.
	Internal map[string]string
	// Read maps names of operations, without the dialect, to functions that parse the text
	// after the name. These operations have no definition here: they are other names for
	// operations of other dialects. The function returns such an operation, or nil after an
	// error; off is the byte offset of the name.
	Read map[string]func(p *Parser, off int) *Op
	// Renew replaces old forms that the parser alone cannot replace, because they
	// need the whole module. It reports errors and more old forms to p. The parser
	// calls it only if the text has, or may have, old forms.
	Renew func(module *Op, p *Parser)

	laters laters
}

// registry holds all dialects and operations of the process. Packages register dialects
// and operations during initialization. A definition that Dialect.Later declared is built
// on first use, and the lookup adds it to the registry.
var registry = struct {
	sync.RWMutex
	dialects map[string]*Dialect
	sorted   []*Dialect // by name; replaced as a whole, so that Dialects can return it
	defs     map[string]*Def
	unknown  map[string]*Def
}{
	dialects: map[string]*Dialect{},
	defs:     map[string]*Def{},
	unknown:  map[string]*Def{},
}

// Register adds a dialect. Packages call it during initialization. It panics if another
// dialect has the same name. Definitions that Dialect.Later declared are built and added
// on first use.
func Register(d *Dialect) {
	registry.Lock()
	defer registry.Unlock()
	if registry.dialects[d.Name] != nil {
		panic("BUG: dialect " + d.Name + " registered twice")
	}
	registry.dialects[d.Name] = d
	registry.sorted = sortedValues(registry.dialects)
	for _, def := range d.Defs {
		if len(d.laters.list) == 0 {
			add(d, def)
		}
	}
}

// sortedValues returns the values of m, ordered by their keys.
func sortedValues[K cmp.Ordered, V any](m map[K]V) []V {
	vs := make([]V, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		vs = append(vs, m[k])
	}
	return vs
}

// register adds a definition under all its names.
func register(d *Dialect, def *Def) {
	registry.Lock()
	defer registry.Unlock()
	add(d, def)
}

// add registers the definition def of dialect d under all its names. The caller must hold
// the lock of the registry. It panics on a duplicate name, since that is an error in a
// dialect, not in a program.
func add(d *Dialect, def *Def) {
	if len(def.Forms) == 0 {
		panic(fmt.Sprintf("BUG: operation %s has no form", def.Name))
	}
	def.dialect = d
	for _, name := range slices.Concat([]string{def.Name}, def.Aliases, def.Old) {
		if registry.defs[name] != nil {
			panic("BUG: operation " + name + " registered twice")
		}
		registry.defs[name] = def
	}
}

// LookupDialect returns the registered dialect of that name, or nil.
func LookupDialect(name string) *Dialect {
	registry.RLock()
	defer registry.RUnlock()
	return registry.dialects[name]
}

// Lookup returns the definition of the operation with the given full name, alias or old
// name, or nil if there is none. A definition that Dialect.Later declared is built by the
// first Lookup of its name.
func Lookup(name string) *Def {
	d := lookupMade(name)
	if d == nil {
		d = lookupLater(name)
	}
	if d != nil {
		d.prepare()
	}
	return d
}

// lookupMade returns the definition of the operation with the given name. It returns nil
// if the operation does not exist or if its definition has not been built yet.
func lookupMade(name string) *Def {
	registry.RLock()
	defer registry.RUnlock()
	return registry.defs[name]
}

// Dialects returns the registered dialects, sorted by name. The caller must not
// change the slice.
func Dialects() []*Dialect {
	registry.RLock()
	defer registry.RUnlock()
	return registry.sorted
}

// anyForm is the form of unregistered operations: it accepts any operands and
// results.
var anyForm = &Form{
	Operands: []Arg{{Name: "operands", Type: Any, Arity: Variadic}},
	Results:  []Arg{{Name: "results", Type: Any, Arity: Variadic}},
}

// unknownDef returns the definition for an operation whose name is not registered. All
// operations of that name share one definition, so that Op.Is can compare them.
func unknownDef(name string) *Def {
	registry.Lock()
	defer registry.Unlock()
	d := registry.unknown[name]
	if d == nil {
		d = &Def{Name: name, Forms: []*Form{anyForm}, Traits: Unregistered | NoTerminator, Succs: AnyNumber}
		registry.unknown[name] = d
	}
	return d
}

// Segments returns counts, the number of values of each declared argument in args, if an
// Op must store these numbers. This is the case if at least two arguments are optional or
// variadic. In all other cases it returns nil, because the total number of values
// determines the counts.
func Segments(args []Arg, counts []int32) []int32 {
	variable := 0
	for _, a := range args {
		if a.Arity != One {
			variable++
		}
	}
	if variable < 2 {
		return nil
	}
	return counts
}
