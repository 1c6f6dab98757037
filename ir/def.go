package ir

import (
	"fmt"
	"slices"
	"sync"
)

// Def says everything about one operation: how it is written, what is legal,
// and what it does. Parser, printer, verifier, passes, runtime, code
// generation and reference pages are derived from it. A Def is made once and
// never changes; one that was declared by Dialect.Later says nothing before its
// operation has been looked up or built.
type Def struct {
	Name    string   // with the dialect: "arith.addi"
	Aliases []string // other names that are read as this one
	Old     []string // names that it once had, which are read with a warning
	Summary string   // one sentence
	Page    string   // the public page that defines it
	// Examples are texts that parse, verify on some target and print to
	// themselves.
	Examples []string

	Forms   []*Form // the ways to write it, the usual one first
	Attrs   []AttrDef
	Regions []RegionDef
	Succs   int // how many successors; AnyNumber for those with a list
	Traits  Trait

	// SuccOperands returns the operands that become the arguments of successor
	// i: from inclusive, to exclusive. Without it, nothing is passed.
	SuccOperands func(op *Op, i int) (from, to int)

	// Exists reports whether a target has the operation; nil means all have.
	Exists func(t Target) bool
	// Place checks where the operation stands, which is the same for all targets
	// and comes before everything else.
	Place func(op *Op, v *Verifier)
	// Verify checks what the rules on arguments and attributes cannot say.
	Verify func(op *Op, v *Verifier)
	// Fold returns for each result the constant or value it equals, or nil
	// where there is nothing to fold. in holds the constants among operands.
	Fold func(op *Op, in []Attr) []FoldResult
	// Rewrites are applied by the canonicalizer.
	Rewrites []Pattern
	// Sem says what the operation does.
	Sem Meaning
	// Info belongs to the dialect.
	Info any

	dialect *Dialect
	ready   uint32 // atomic; see prepare
}

// Form is one way to write an operation: the operands, the results and the
// text. Level 1 (SSA) and Level 2 (destination-passing style) are forms.
type Form struct {
	Level    Level
	Lead     string // a keyword that starts this form and no other
	Operands []Arg
	Results  []Arg
	Syntax   Syntax // nil: generic form only

	all    []int // the numbers of all operands
	single bool  // every argument stands for one value
	// twin is the first form, if it has the same arguments: nothing but their
	// types can tell the two apart.
	twin *Form

	// typeBody reads a type whose name the text leaves out; see TypeBody.
	typeBody func(p *Parser) Type
}

// Level tells the forms of an operation apart.
type Level uint8

// The levels. Operations that have no destination-passing form are Plain.
const (
	Plain Level = iota
	SSA         // tiles are values
	DPS         // tiles are buffers, destinations are operands
)

// Arg is an operand or a result of a form.
type Arg struct {
	Name  string
	Type  Constraint
	Arity Arity
	Role  Role
	Doc   string
}

// Arity says how many values an argument stands for.
type Arity uint8

// One value, at most one, or any number.
const (
	One Arity = iota
	Optional
	Variadic
)

// Role says what an operand is for.
type Role uint8

// In is read; Out is a destination that is written; Scratch is written and
// read by the operation alone; InOut is updated.
const (
	In Role = iota
	Out
	Scratch
	InOut
)

// AttrDef declares an attribute.
type AttrDef struct {
	Name     string
	Type     AttrConstraint
	Default  Attr // what absence means; no attribute if there is no default
	Optional bool
	Doc      string
	// Text is the name in custom text, where it is not Name. Both are read.
	Text string
	// Alias is another name that custom text may use.
	Alias string
	// OldPrefix is how the values of a string once began, and how they begin today.
	OldPrefix [2]string
}

func (d *AttrDef) textName() string {
	if d.Text != "" {
		return d.Text
	}
	return d.Name
}

// AnyNumber of successors.
const AnyNumber = -1

// RegionDef declares a region.
type RegionDef struct {
	Name        string
	SingleBlock bool
	// Variadic stands for any number of regions; only the last can be.
	Variadic bool
	// Implicit is the terminator that need not be written.
	Implicit *Def
}

// Trait is a set of yes-or-no properties.
type Trait uint32

// The traits.
const (
	Terminator Trait = 1 << iota
	Pure             // no effects: may be removed, merged, folded
	Commutative
	IsolatedFromAbove // regions use no values from outside
	SymbolTable
	IsSymbol // has a sym_name that others refer to
	ConstantLike
	NoTerminator  // regions need no terminator
	GraphRegion   // order inside the region does not matter
	Speculatable  // may be executed although the program would not have
	LoopLike      // the region may run many times
	Unregistered  // made up by the parser for an unknown operation
	RecursiveSide // has the effects of the operations inside
)

// FoldResult is a constant or a value; the zero FoldResult is neither.
type FoldResult struct {
	Const Attr
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

// String returns the name.
func (d *Def) String() string { return d.Name }

func (d *Def) attrIndex(name string) int {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return i
		}
	}
	return -1
}

// attrName returns the name of the attribute that custom text calls text.
func (d *Def) attrName(text string) string {
	for i := range d.Attrs {
		if a := &d.Attrs[i]; text != "" && (a.Text == text || a.Alias == text) {
			return a.Name
		}
	}
	return text
}

// Attr returns the declaration of the attribute name, or nil.
func (d *Def) Attr(name string) *AttrDef {
	if i := d.attrIndex(name); i >= 0 {
		return &d.Attrs[i]
	}
	return nil
}

// regionDef returns the declaration of region i, or nil.
func (d *Def) regionDef(i int) *RegionDef {
	if n := len(d.Regions); i >= n {
		if n == 0 || !d.Regions[n-1].Variadic {
			return nil
		}
		i = n - 1
	}
	return &d.Regions[i]
}

// checkRegions returns what is wrong with n regions, or "".
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

// variable counts the arguments that do not stand for exactly one value.
func variable(args []Arg) int {
	n := 0
	for i := range args {
		if args[i].Arity != One {
			n++
		}
	}
	return n
}

// defaultSegs returns the number of values per argument when there are n in
// all, for forms with several arguments of variable length: required ones
// come first, then optional ones from the left.
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

// segment returns the range of values that argument i stands for, when there
// are n values in all.
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
	extra := n - len(args) // beyond one per argument; -1 for a missing optional
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
	Name  string
	Doc   string
	Defs  []*Def // without those that were declared for later; All has them
	Enums []*Enum
	// Types maps a mnemonic to the parser of what follows it.
	Types map[string]func(p *Parser) Type
	// Attrs maps a mnemonic to the parser of what follows it.
	Attrs map[string]func(p *Parser) Attr
	// Target returns the profile that op selects for what is below it, or 0.
	Target func(op *Op) Target
	// TargetName returns the name of a target for messages.
	TargetName func(t Target) string
	// OtherTargets tells on which targets something is legal that is not so on
	// the chosen one, and how to choose them; "" if on none.
	OtherTargets func(legal func(t Target) bool) string
	// VerifyAttr checks a discardable attribute with the dialect's prefix.
	VerifyAttr func(op *Op, a NamedAttr, v *Verifier)
	// Internal says why no text should have operations of these names, without
	// the dialect.
	Internal map[string]string
	// Renew replaces what is left of old spellings in a text that has some, and
	// reports errors and further old spellings to p.
	Renew func(module *Op, p *Parser)

	laters laters
}

var registry = struct {
	sync.RWMutex
	dialects map[string]*Dialect
	sorted   []*Dialect // by name; replaced, never changed in place
	defs     map[string]*Def
	unknown  map[string]*Def
}{
	dialects: map[string]*Dialect{},
	defs:     map[string]*Def{},
	unknown:  map[string]*Def{},
}

// Register makes a dialect known; packages call it at start-up.
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

// register adds a definition to the names.
func register(d *Dialect, def *Def) {
	registry.Lock()
	defer registry.Unlock()
	add(d, def)
}

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

// LookupDialect returns a registered dialect, or nil.
func LookupDialect(name string) *Dialect {
	registry.RLock()
	defer registry.RUnlock()
	return registry.dialects[name]
}

// Lookup returns the definition of the operation name, or nil.
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

func lookupMade(name string) *Def {
	registry.RLock()
	defer registry.RUnlock()
	return registry.defs[name]
}

// Dialects returns the registered dialects in the order of their names. The
// caller must not change the slice.
func Dialects() []*Dialect {
	registry.RLock()
	defer registry.RUnlock()
	return registry.sorted
}

// anyForm is the form of operations that take any operands and results.
var anyForm = &Form{
	Operands: []Arg{{Name: "operands", Type: Any, Arity: Variadic}},
	Results:  []Arg{{Name: "results", Type: Any, Arity: Variadic}},
}

// unknownDef returns a definition for an operation that nobody registered.
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

// Segments returns how many values belong to each argument, or nil where that
// follows from their number.
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
