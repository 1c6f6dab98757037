// This file defines operations: construction, operands, results, attributes and
// movement.

package ir

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// Op is an operation: an instance of a Def with operands, results, attributes, regions
// and successors. The operations of a block form a linked list. A large program has
// millions of operations, so the fields that most of them do not need are in a separate
// struct, rest.
type Op struct {
	// def is the definition; it is nil after Erase.
	def *Def
	// form is one of the forms of def.
	form *Form
	// block is the block that contains the operation, or nil.
	block *Block
	// prev and next are the neighbours in the block.
	prev, next *Op
	// operands are the uses of the operand values, in the order of form.Operands.
	operands []Use
	// results are the values that the operation defines, in the order of form.Results.
	results []Value
	// attrs[i] is the value of def.Attrs[i], or the zero Attr if the operation lacks it.
	attrs []Attr
	*rest
	// src is the source text that off refers to.
	src *Source
	// said is the explicit location loc(...) that the program contains for the operation,
	// or nil.
	said *explicitLoc
	// off is the offset of the operation in the text of src, in bytes.
	off uint32
	// order is the position in the block; it is valid while block.ordered is true.
	order int32
}

// rest holds the fields of an operation that few operations need. Several operations may
// share one rest, or one slice of attributes. A shared rest or slice is immutable. If
// such an operation is changed, it first receives a copy of its own.
type rest struct {
	// extra are the discardable attributes (those that the definition does not declare),
	// sorted by name.
	extra []NamedAttr
	// regions are the regions in the order of def.Regions.
	regions []*Region
	// succs are the successors. One operation owns the slice, so SetSuccessor may write
	// to it.
	succs []*Block
	// segs is the number of operands per argument, if several arguments are optional or
	// variadic.
	segs []int32
	// resSegs is the number of results per declared result, if several of them are
	// optional or variadic.
	resSegs []int32
}

// noRest is the shared empty rest, which operations without regions, successors,
// discardable attributes and segment counts use.
var noRest = &rest{}

// empty reports whether all fields of r, the rarely needed fields of an operation, are
// empty. An operation without such fields uses the shared value noRest, which saves
// memory.
func (r *rest) empty() bool {
	return r.extra == nil && r.regions == nil && r.succs == nil && r.segs == nil && r.resSegs == nil
}

// shared returns a pointer to a copy of r, which several operations may use. If r is
// empty, it returns noRest, the common pointer of all operations whose rarely needed
// fields are empty.
func (r rest) shared() *rest {
	if r.empty() {
		return noRest
	}
	return &r
}

// State holds everything that New needs to create an operation.
type State struct {
	// Def is the definition of the operation.
	Def *Def
	// Form is one of the forms of Def; nil selects the first one.
	Form *Form
	// Loc is the location in the source.
	Loc Loc
	// Operands are the operands in the order of Form.Operands.
	Operands []*Value
	// Results are the types of the results in the order of Form.Results.
	Results []Type
	// Attrs are declared and discardable attributes in any order. A later entry replaces
	// an earlier one of the same name.
	Attrs []NamedAttr
	// Regions are the regions of the operation. The new operation becomes their owner.
	Regions []*Region
	// Succs are the successor blocks of a terminator.
	Succs []*Block
	// Segs is the number of operands per argument; nil if their total determines the
	// counts.
	Segs []int32
	// ResSegs is the number of results per declared result; nil if their total determines
	// the counts.
	ResSegs []int32
}

// New returns a new operation that is in no block. It copies the slices of s except
// Regions, Segs and ResSegs.
func New(s State) *Op {
	attrs, r := s.parts(nil)
	return s.make(attrs, r.shared(), nil)
}

// parts separates the attributes of s. The first result contains the attributes that the
// definition declares. The second result contains all other attributes, together with the
// regions, the successors and the segment counts. If s has no form, parts sets it to the
// first form of the definition. If s has no segment counts, the second result contains
// the default counts. The memory of the results is allocated from m, or on the heap if m
// is nil.
func (s *State) parts(m *slabs) ([]Attr, rest) {
	s.Def.prepare()
	if s.Form == nil {
		s.Form = s.Def.Forms[0]
	}
	r := rest{regions: s.Regions, succs: slices.Clone(s.Succs), segs: s.Segs, resSegs: s.ResSegs}
	var attrs []Attr
	if n := len(s.Def.Attrs); n > 0 {
		attrs = m.attributes(n)
	}
	extra := 0
	for _, a := range s.Attrs {
		if i := s.Def.attrIndex(a.Name); i >= 0 {
			attrs[i] = a.Attr
		} else {
			extra++
		}
	}
	if extra > 0 {
		r.extra = s.extraAttrs(m.namedAttrs(extra))
	}
	if r.segs == nil {
		r.segs = defaultSegs(s.Form.Operands, len(s.Operands))
	}
	if r.resSegs == nil {
		r.resSegs = defaultSegs(s.Form.Results, len(s.Results))
	}
	return attrs, r
}

// extraAttrs selects the attributes of s that the definition does not declare. It appends
// them, sorted by name, to the slice in the parameter into, and returns the extended
// slice. A later entry replaces an earlier one of the same name, and a zero Attr removes
// it. The slice must have enough capacity for all of these attributes.
func (s *State) extraAttrs(into []NamedAttr) []NamedAttr {
	for _, a := range s.Attrs {
		if s.Def.attrIndex(a.Name) < 0 {
			into = append(into, a)
		}
	}
	slices.SortStableFunc(into, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	kept := into[:0]
	for i, a := range into {
		if later := i+1 < len(into) && into[i+1].Name == a.Name; !later && !a.Attr.IsZero() {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// placeOf returns the index of the attribute with the given name in attrs, which must be
// sorted by name. If the attribute is missing, it returns the index at which to insert
// it.
func placeOf(attrs []NamedAttr, name string) int {
	return sort.Search(len(attrs), func(i int) bool { return attrs[i].Name >= name })
}

// make returns a new operation with the operands and results of s. attrs are its
// attributes, and r contains its less frequent components, such as regions and
// successors. It allocates from m, or on the heap if m is nil.
func (s *State) make(attrs []Attr, r *rest, m *slabs) *Op {
	op := m.op(len(s.Operands), len(s.Results))
	op.def, op.form = s.Def, s.Form
	op.SetLoc(s.Loc)
	op.attrs, op.rest = attrs, r
	for i, v := range s.Operands {
		op.operands[i].init(op, v)
	}
	for i, t := range s.Results {
		v := &op.results[i]
		v.typ, v.op, v.index = t, op, int32(i)
	}
	for _, r := range s.Regions {
		r.op = op
	}
	return op
}

// setOperands replaces all operands by vs and updates the use lists. It reuses the memory
// of the old operands if it is large enough.
func (op *Op) setOperands(vs []*Value) {
	for i := range op.operands {
		op.operands[i].drop()
	}
	if n := len(vs); n <= cap(op.operands) {
		op.operands = op.operands[:n]
	} else {
		op.operands = make([]Use, n)
	}
	for i, v := range vs {
		op.operands[i].init(op, v)
	}
}

// Def returns the definition of the operation: its name, operands, attributes and rules.
func (op *Op) Def() *Def { return op.def }

// Is reports whether d is the definition of op.
func (op *Op) Is(d *Def) bool { return op.def == d }

// Name returns the full name, such as "arith.addi".
func (op *Op) Name() string { return op.def.Name }

// Form returns the form of the definition in which the operation is written, for example
// SSA or destination-passing style.
func (op *Op) Form() *Form { return op.form }

// Loc returns the location of the operation.
func (op *Op) Loc() Loc { return Loc{op.src, int(op.off), op.said} }

// SetLoc changes the location.
func (op *Op) SetLoc(l Loc) { op.src, op.off, op.said = l.src, uint32(l.off), l.said }

// NumOperands returns the number of operands.
func (op *Op) NumOperands() int { return len(op.operands) }

// Operand returns the value of the operand with index i.
func (op *Op) Operand(i int) *Value { return op.operands[i].value }

// SetOperand replaces operand i by v and updates the use lists.
func (op *Op) SetOperand(i int, v *Value) { op.operands[i].Set(v) }

// Operands returns the operands in a new slice.
func (op *Op) Operands() []*Value {
	vs := make([]*Value, len(op.operands))
	for i := range op.operands {
		vs[i] = op.operands[i].value
	}
	return vs
}

// AddArg appends v as the optional operand with the given name. The operand must be
// absent before.
func (op *Op) AddArg(name string, v *Value) { op.setArg(name, []*Value{v}) }

// RemoveArg removes the values of the optional operand with the given name.
func (op *Op) RemoveArg(name string) { op.setArg(name, nil) }

// setArg replaces the values of the operand with the given name.
func (op *Op) setArg(name string, values []*Value) {
	args := op.Form().Operands
	var operands []*Value
	counts := make([]int32, len(args))
	for i, a := range args {
		vs := op.Args(a.Name)
		if a.Name == name {
			vs = values
		}
		operands = append(operands, vs...)
		counts[i] = int32(len(vs))
	}
	op.SetOperands(operands, Segments(args, counts))
}

// SetOperands replaces all operands by vs. segs are the number of operands of each
// argument. It may be nil if the total number of operands determines these numbers.
func (op *Op) SetOperands(vs []*Value, segs []int32) {
	op.setOperands(slices.Clone(vs))
	if segs == nil {
		segs = defaultSegs(op.form.Operands, len(vs))
	}
	if segs != nil || op.segs != nil {
		r := *op.rest
		r.segs = segs
		op.rest = r.shared()
	}
}

// Args returns the operands of the argument with the given name in a new slice. It
// returns nil if the form has no argument of that name.
func (op *Op) Args(name string) []*Value {
	i := slices.IndexFunc(op.form.Operands, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	from, to := segment(op.form.Operands, op.segs, i, len(op.operands))
	vs := make([]*Value, 0, to-from)
	for k := from; k < to; k++ {
		vs = append(vs, op.operands[k].value)
	}
	return vs
}

// Arg returns an operand of op. A form (syntax) of an instruction declares arguments, and
// each argument has any number of operands. Arg returns the first operand of the argument
// with the given name. It returns nil if the argument has no operand, or if the form of
// op has no argument with this name.
func (op *Op) Arg(name string) *Value {
	for i := range op.form.Operands {
		if op.form.Operands[i].Name != name {
			continue
		}
		if from, to := segment(op.form.Operands, op.segs, i, len(op.operands)); from < to {
			return op.operands[from].value
		}
		return nil
	}
	return nil
}

// ArgRange returns the index range [from, to) of the operands that belong to argument i
// of the form. An optional or variadic argument can have any number of operands.
func (op *Op) ArgRange(i int) (from, to int) {
	return segment(op.form.Operands, op.segs, i, len(op.operands))
}

// ResultRange returns which results of op belong to the result declaration with index i
// in the form of op. These are the results from index from to index to-1. A variadic
// declaration can represent several results, and an optional one can represent none.
func (op *Op) ResultRange(i int) (from, to int) {
	return segment(op.form.Results, op.resSegs, i, len(op.results))
}

// OperandArgs yields the index of each operand, with the declaration of its argument in
// the form.
func (op *Op) OperandArgs() iter.Seq2[int, Arg] {
	return func(yield func(int, Arg) bool) {
		for i, a := range op.form.Operands {
			for k, to := op.ArgRange(i); k < to; k++ {
				if !yield(k, a) {
					return
				}
			}
		}
	}
}

// ResultArgs yields the index of each result, with its declaration in the form.
func (op *Op) ResultArgs() iter.Seq2[int, Arg] {
	return func(yield func(int, Arg) bool) {
		for i, a := range op.form.Results {
			for k, to := op.ResultRange(i); k < to; k++ {
				if !yield(k, a) {
					return
				}
			}
		}
	}
}

// NumResults returns the number of results.
func (op *Op) NumResults() int { return len(op.results) }

// Result returns the result with index i.
func (op *Op) Result(i int) *Value { return &op.results[i] }

// Results returns the results in a new slice.
func (op *Op) Results() []*Value {
	vs := make([]*Value, len(op.results))
	for i := range op.results {
		vs[i] = &op.results[i]
	}
	return vs
}

// Attr returns the value of the attribute with the given name. If the operation lacks it,
// Attr returns the default of the definition, or the zero Attr for an attribute without default.
func (op *Op) Attr(name string) Attr {
	if i := op.def.attrIndex(name); i >= 0 {
		if a := op.attrs[i]; !a.IsZero() {
			return a
		}
		return op.def.Attrs[i].Default
	}
	if i := placeOf(op.extra, name); i < len(op.extra) && op.extra[i].Name == name {
		return op.extra[i].Attr
	}
	return Attr{}
}

// HasAttr reports whether the operation itself has the attribute with the given name. A
// default value of the definition does not count.
func (op *Op) HasAttr(name string) bool {
	if i := op.def.attrIndex(name); i >= 0 {
		return !op.attrs[i].IsZero()
	}
	i := placeOf(op.extra, name)
	return i < len(op.extra) && op.extra[i].Name == name
}

// SetAttr sets the attribute with the given name to a; the zero Attr removes it.
// Operations may share their attribute slices, so SetAttr changes a copy.
func (op *Op) SetAttr(name string, a Attr) {
	if i := op.def.attrIndex(name); i >= 0 {
		if op.attrs[i] != a {
			op.attrs = slices.Clone(op.attrs)
			op.attrs[i] = a
			op.block.forget(op)
		}
		return
	}
	r := *op.rest
	r.extra = withAttr(r.extra, NamedAttr{name, a})
	op.rest = r.shared()
}

// withAttr returns a copy of attrs, which is sorted by name, with one attribute changed.
// The parameter a has the name and the new value of this attribute. If attrs has no
// attribute of this name, it is inserted. If the new value is zero, the attribute is
// removed.
func withAttr(attrs []NamedAttr, a NamedAttr) []NamedAttr {
	i := placeOf(attrs, a.Name)
	behind := attrs[i:]
	if i < len(attrs) && attrs[i].Name == a.Name {
		behind = behind[1:]
	}
	if !a.Attr.IsZero() {
		return slices.Concat(attrs[:i], []NamedAttr{a}, behind)
	}
	return slices.Concat(attrs[:i], behind)
}

// OwnAttrs yields the declared attributes that are set on the operation itself, without
// defaults, in the order of their declaration.
func (op *Op) OwnAttrs() iter.Seq[NamedAttr] {
	return func(yield func(NamedAttr) bool) {
		for i, a := range op.attrs {
			if !a.IsZero() && !yield(NamedAttr{op.def.Attrs[i].Name, a}) {
				return
			}
		}
	}
}

// ExtraAttrs returns the discardable attributes (those that the definition does not
// declare), sorted by name. The caller must not change the slice.
func (op *Op) ExtraAttrs() []NamedAttr { return op.extra }

// AllAttrs yields the attributes that are set on the operation itself: those of OwnAttrs,
// then those of ExtraAttrs.
func (op *Op) AllAttrs() iter.Seq[NamedAttr] {
	return func(yield func(NamedAttr) bool) {
		for a := range op.OwnAttrs() {
			if !yield(a) {
				return
			}
		}
		for _, a := range op.extra {
			if !yield(a) {
				return
			}
		}
	}
}

// Regions returns the regions. The caller must not change the slice.
func (op *Op) Regions() []*Region { return op.regions }

// Region returns the region with index i.
func (op *Op) Region(i int) *Region { return op.regions[i] }

// Successors returns the blocks to which a terminator may branch. The caller must not
// change the slice.
func (op *Op) Successors() []*Block { return op.succs }

// SuccRange returns the index range [from, to) of the operands that become the arguments
// of successor i. The range is within the operands even if the operation is invalid.
func (op *Op) SuccRange(i int) (from, to int) {
	if op.def.SuccOperands == nil {
		return 0, 0
	}
	from, to = op.def.SuccOperands(op, i)
	to = min(max(to, 0), len(op.operands))
	return min(max(from, 0), to), to
}

// SetSuccessor makes b the successor with index i of the terminator op.
func (op *Op) SetSuccessor(i int, b *Block) { op.succs[i] = b }

// Block returns the block that contains the operation, or nil.
func (op *Op) Block() *Block { return op.block }

// Prev returns the operation that precedes op in its block, or nil.
func (op *Op) Prev() *Op { return op.prev }

// Next returns the operation that follows op in its block, or nil.
func (op *Op) Next() *Op { return op.next }

// Parent returns the operation whose region contains op, or nil.
func (op *Op) Parent() *Op {
	if op.block == nil || op.block.region == nil {
		return nil
	}
	return op.block.region.op
}

// Root returns the outermost enclosing operation, usually the module, or op itself.
func (op *Op) Root() *Op {
	for p := op.Parent(); p != nil; p = op.Parent() {
		op = p
	}
	return op
}

// ParentOf returns the nearest enclosing operation of definition d, or nil.
func (op *Op) ParentOf(d *Def) *Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.def == d {
			return p
		}
	}
	return nil
}

// Encloses reports whether the given operation is op itself or is inside a region of op.
func (op *Op) Encloses(other *Op) bool {
	for ; other != nil; other = other.Parent() {
		if other == op {
			return true
		}
	}
	return false
}

// HasTrait reports whether the definition has at least one of the traits in t.
func (op *Op) HasTrait(t Trait) bool { return op.def.Traits&t != 0 }

// Remove removes op from its block without destroying it. Its operands and the uses of
// its results stay intact.
func (op *Op) Remove() {
	if op.block == nil {
		return
	}
	op.block.unlink(op)
}

// Erase removes op from its block and destroys it with all operations in its regions. It
// panics if a result still has uses.
func (op *Op) Erase() {
	for i := range op.results {
		if op.results[i].uses != nil {
			panic("BUG: erasing " + op.def.Name + " whose result is still used")
		}
	}
	op.Remove()
	op.dropAll()
}

// dropAll removes the operands of op, and of all operations in its regions, from the use
// lists. It then clears def, so that code with a stale pointer to op panics.
func (op *Op) dropAll() {
	for i := range op.operands {
		op.operands[i].drop()
	}
	for _, r := range op.regions {
		for b := r.first; b != nil; b = b.next {
			for o := b.first; o != nil; o = o.next {
				o.dropAll()
			}
		}
	}
	op.def = nil
}

// Walk yields op and every operation in its regions, in preorder: an operation precedes
// those in its regions. The loop body may erase or replace the current operation.
func (op *Op) Walk() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		if active.Load() == 0 {
			op.walk(yield)
			return
		}
		n := 0
		op.walk(func(o *Op) bool {
			if n++; n%askEvery == 0 {
				ask(op, 0)
			}
			return yield(o)
		})
	}
}

// walk implements Walk: it calls yield, the loop body, for op and all operations in its
// regions. It returns false if yield stopped the iteration. It reads the regions and the
// next operation before it calls yield, because yield may erase op.
func (op *Op) walk(yield func(*Op) bool) bool {
	regions := op.regions
	if !yield(op) {
		return false
	}
	if op.def == nil { // erased by the caller
		return true
	}
	for _, r := range regions {
		for b := r.first; b != nil; {
			nextBlock := b.next
			for o := b.first; o != nil; {
				next := o.next
				if !o.walk(yield) {
					return false
				}
				o = next
			}
			b = nextBlock
		}
	}
	return true
}
