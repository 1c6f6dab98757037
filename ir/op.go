package ir

import (
	"iter"
	"slices"
	"sort"
)

// Op is an operation: what a Def describes, with its operands, results,
// attributes, regions and successors. Operations of a block form a list.
type Op struct {
	def        *Def
	form       *Form
	block      *Block
	prev, next *Op
	operands   []Use
	results    []Value
	attrs      []Attr      // slot i is def.Attrs[i]
	extra      []NamedAttr // discardable attributes, sorted by name
	regions    []*Region
	succs      []*Block
	segs       []int32 // operands per argument, when the form has several of variable length
	resSegs    []int32 // the same for results
	order      int32   // position in the block, valid while block.ordered
	loc        Loc
}

// smallOp gives the common operation its operands, result and attribute in
// one allocation.
type smallOp struct {
	Op
	operands [3]Use
	results  [1]Value
	attrs    [1]Attr
}

// State is what a new operation is made from.
type State struct {
	Def      *Def
	Form     *Form // nil means the first form of Def
	Loc      Loc
	Operands []*Value
	Results  []Type
	Attrs    []NamedAttr
	Regions  []*Region
	Succs    []*Block
	Segs     []int32 // operands per argument; nil when the counts follow from the number
	ResSegs  []int32
}

// New makes an operation that is in no block yet. The slices of s are copied.
func New(s State) *Op {
	form := s.Form
	if form == nil {
		form = s.Def.Forms[0]
	}
	sm := &smallOp{}
	op := &sm.Op
	op.def, op.form, op.loc = s.Def, form, s.Loc
	op.operands = sm.operands[:0:len(sm.operands)]
	op.results = sm.results[:0:len(sm.results)]
	op.attrs = sm.attrs[:0:len(sm.attrs)]
	op.setOperands(s.Operands)
	if n := len(s.Results); n <= cap(op.results) {
		op.results = op.results[:n]
	} else {
		op.results = make([]Value, n)
	}
	for i, t := range s.Results {
		v := &op.results[i]
		v.typ, v.op, v.index = t, op, int32(i)
	}
	if n := len(s.Def.Attrs); n <= cap(op.attrs) {
		op.attrs = op.attrs[:n]
	} else {
		op.attrs = make([]Attr, n)
	}
	for _, a := range s.Attrs {
		op.SetAttr(a.Name, a.Attr)
	}
	for _, r := range s.Regions {
		r.op = op
	}
	op.regions, op.succs = s.Regions, slices.Clone(s.Succs)
	op.segs, op.resSegs = s.Segs, s.ResSegs
	if op.segs == nil {
		op.segs = defaultSegs(form.Operands, len(s.Operands))
	}
	if op.resSegs == nil {
		op.resSegs = defaultSegs(form.Results, len(s.Results))
	}
	return op
}

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
		u := &op.operands[i]
		u.owner, u.value = op, v
		if v != nil {
			u.attach()
		}
	}
}

// Def returns the definition.
func (op *Op) Def() *Def { return op.def }

// Is reports whether op is an operation of definition d.
func (op *Op) Is(d *Def) bool { return op.def == d }

// Name returns the full name, such as "arith.addi".
func (op *Op) Name() string { return op.def.Name }

// Form returns the form the operation is written in.
func (op *Op) Form() *Form { return op.form }

// Loc returns where the operation comes from.
func (op *Op) Loc() Loc { return op.loc }

// SetLoc changes the location.
func (op *Op) SetLoc(l Loc) { op.loc = l }

// NumOperands returns the number of operands.
func (op *Op) NumOperands() int { return len(op.operands) }

// Operand returns operand i.
func (op *Op) Operand(i int) *Value { return op.operands[i].value }

// SetOperand makes operand i refer to v.
func (op *Op) SetOperand(i int, v *Value) { op.operands[i].Set(v) }

// Operands returns the operands in a new slice.
func (op *Op) Operands() []*Value {
	vs := make([]*Value, len(op.operands))
	for i := range op.operands {
		vs[i] = op.operands[i].value
	}
	return vs
}

// SetOperands replaces all operands; segs says how many belong to each
// argument and may be nil where that follows from their number.
func (op *Op) SetOperands(vs []*Value, segs []int32) {
	op.setOperands(slices.Clone(vs))
	if segs == nil {
		segs = defaultSegs(op.form.Operands, len(vs))
	}
	op.segs = segs
}

// Args returns the operands of the argument that the form calls name.
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

// Arg returns the operand of the argument that the form calls name, or nil
// where it is absent.
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

// ArgRange returns the numbers of the operands that belong to argument i of
// the form: from inclusive, to exclusive.
func (op *Op) ArgRange(i int) (from, to int) {
	return segment(op.form.Operands, op.segs, i, len(op.operands))
}

// ResultRange is ArgRange for results.
func (op *Op) ResultRange(i int) (from, to int) {
	return segment(op.form.Results, op.resSegs, i, len(op.results))
}

// NumResults returns the number of results.
func (op *Op) NumResults() int { return len(op.results) }

// Result returns result i.
func (op *Op) Result(i int) *Value { return &op.results[i] }

// Results returns the results in a new slice.
func (op *Op) Results() []*Value {
	vs := make([]*Value, len(op.results))
	for i := range op.results {
		vs[i] = &op.results[i]
	}
	return vs
}

// Attr returns the attribute name, its default where the definition has one,
// or no attribute.
func (op *Op) Attr(name string) Attr {
	if i := op.def.attrIndex(name); i >= 0 {
		if a := op.attrs[i]; !a.IsZero() {
			return a
		}
		return op.def.Attrs[i].Default
	}
	for _, e := range op.extra {
		if e.Name == name {
			return e.Attr
		}
	}
	return Attr{}
}

// HasAttr reports whether the attribute is written on the operation.
func (op *Op) HasAttr(name string) bool {
	if i := op.def.attrIndex(name); i >= 0 {
		return !op.attrs[i].IsZero()
	}
	return slices.ContainsFunc(op.extra, func(e NamedAttr) bool { return e.Name == name })
}

// SetAttr sets the attribute name; no attribute removes it.
func (op *Op) SetAttr(name string, a Attr) {
	if i := op.def.attrIndex(name); i >= 0 {
		op.attrs[i] = a
		return
	}
	i := sort.Search(len(op.extra), func(i int) bool { return op.extra[i].Name >= name })
	found := i < len(op.extra) && op.extra[i].Name == name
	switch {
	case found && a.IsZero():
		op.extra = slices.Delete(op.extra, i, i+1)
	case found:
		op.extra[i].Attr = a
	case !a.IsZero():
		op.extra = slices.Insert(op.extra, i, NamedAttr{name, a})
	}
}

// OwnAttrs yields the attributes that the definition declares and the
// operation has, in the order of the definition.
func (op *Op) OwnAttrs() iter.Seq[NamedAttr] {
	return func(yield func(NamedAttr) bool) {
		for i, a := range op.attrs {
			if !a.IsZero() && !yield(NamedAttr{op.def.Attrs[i].Name, a}) {
				return
			}
		}
	}
}

// ExtraAttrs returns the discardable attributes, sorted by name.
func (op *Op) ExtraAttrs() []NamedAttr { return op.extra }

// Regions returns the regions.
func (op *Op) Regions() []*Region { return op.regions }

// Region returns region i.
func (op *Op) Region(i int) *Region { return op.regions[i] }

// Successors returns the blocks a terminator may continue in.
func (op *Op) Successors() []*Block { return op.succs }

// SuccRange returns the numbers of the operands that become the arguments of
// successor i: from inclusive, to exclusive.
func (op *Op) SuccRange(i int) (from, to int) {
	if op.def.SuccOperands == nil {
		return 0, 0
	}
	from, to = op.def.SuccOperands(op, i)
	to = min(max(to, 0), len(op.operands))
	return min(max(from, 0), to), to
}

// SetSuccessor replaces successor i.
func (op *Op) SetSuccessor(i int, b *Block) { op.succs[i] = b }

// Block returns the block that contains the operation, or nil.
func (op *Op) Block() *Block { return op.block }

// Prev returns the operation before op in its block, or nil.
func (op *Op) Prev() *Op { return op.prev }

// Next returns the operation after op in its block, or nil.
func (op *Op) Next() *Op { return op.next }

// Parent returns the operation whose region contains op, or nil.
func (op *Op) Parent() *Op {
	if op.block == nil || op.block.region == nil {
		return nil
	}
	return op.block.region.op
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

// Encloses reports whether other is op or lies in a region below it.
func (op *Op) Encloses(other *Op) bool {
	for ; other != nil; other = other.Parent() {
		if other == op {
			return true
		}
	}
	return false
}

// HasTrait reports whether the definition has the trait.
func (op *Op) HasTrait(t Trait) bool { return op.def.Traits&t != 0 }

// Remove takes op out of its block without destroying it.
func (op *Op) Remove() {
	if op.block == nil {
		return
	}
	op.block.unlink(op)
}

// Erase destroys op and all below it. Its results must have no uses.
func (op *Op) Erase() {
	for i := range op.results {
		if op.results[i].uses != nil {
			panic("BUG: erasing " + op.def.Name + " whose result is still used")
		}
	}
	op.Remove()
	op.dropAll()
}

// dropAll releases every operand in op and below, then poisons op, so that a
// stale reference fails loudly.
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

// Walk yields op and every operation below it, outer ones first. The
// operation yielded may be erased or replaced.
func (op *Op) Walk() iter.Seq[*Op] {
	return func(yield func(*Op) bool) { op.walk(yield) }
}

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
