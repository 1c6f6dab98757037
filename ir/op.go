package ir

import (
	"iter"
	"slices"
	"sort"
)

// Op is an operation: what a Def describes, with its operands, results,
// attributes, regions and successors. Operations of a block form a list. A
// large program has millions of them, so what most do without is set aside.
type Op struct {
	def        *Def
	form       *Form
	block      *Block
	prev, next *Op
	operands   []Use
	results    []Value
	attrs      []Attr // slot i is def.Attrs[i]
	*rest
	src   *Source      // where it comes from, with off
	said  *explicitLoc // an explicit location
	off   uint32
	order int32 // position in the block, valid while block.ordered
}

// rest is what few operations have. Operations may share one, as they may
// share attrs: neither is ever written to, but replaced by a changed copy.
type rest struct {
	extra   []NamedAttr // discardable attributes, sorted by name
	regions []*Region
	succs   []*Block // belongs to one operation: SetSuccessor writes to it
	segs    []int32  // operands per argument, when the form has several of variable length
	resSegs []int32  // the same for results
}

// noRest is shared by all operations that have nothing of it.
var noRest = &rest{}

func (r *rest) empty() bool {
	return r.extra == nil && r.regions == nil && r.succs == nil && r.segs == nil && r.resSegs == nil
}

// shared returns r, or noRest if there is nothing in it.
func (r rest) shared() *rest {
	if r.empty() {
		return noRest
	}
	return &r
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

// New makes an operation that is in no block yet. The slices of s are copied,
// but for the regions and the counts.
func New(s State) *Op {
	attrs, r := s.parts(nil)
	return s.make(attrs, r.shared(), nil)
}

// parts sorts out what s says besides operands and results: the attributes
// that the definition declares, and the rest. Its memory comes from m, if there
// is one.
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

// extraAttrs appends the attributes that the definition does not declare, sorted
// by name, to into, which has the capacity for them.
func (s *State) extraAttrs(into []NamedAttr) []NamedAttr {
	for _, a := range s.Attrs {
		if s.Def.attrIndex(a.Name) >= 0 {
			continue
		}
		i := placeOf(into, a.Name)
		switch known := i < len(into) && into[i].Name == a.Name; {
		case known && a.Attr.IsZero():
			into = slices.Delete(into, i, i+1)
		case known:
			into[i] = a
		case !a.Attr.IsZero():
			into = slices.Insert(into, i, a)
		}
	}
	if len(into) == 0 {
		return nil
	}
	return into
}

// placeOf returns where an attribute of a name is among sorted ones, or would be.
func placeOf(attrs []NamedAttr, name string) int {
	return sort.Search(len(attrs), func(i int) bool { return attrs[i].Name >= name })
}

// make makes the operation of s with its parts in memory from m, or in memory
// of its own if m is nil.
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

// Def returns the definition.
func (op *Op) Def() *Def { return op.def }

// Is reports whether op is an operation of definition d.
func (op *Op) Is(d *Def) bool { return op.def == d }

// Name returns the full name, such as "arith.addi".
func (op *Op) Name() string { return op.def.Name }

// Form returns the form the operation is written in.
func (op *Op) Form() *Form { return op.form }

// Loc returns where the operation comes from.
func (op *Op) Loc() Loc { return Loc{op.src, int(op.off), op.said} }

// SetLoc changes the location.
func (op *Op) SetLoc(l Loc) { op.src, op.off, op.said = l.src, uint32(l.off), l.said }

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

// AddArg gives op the operand name, which is optional and absent.
func (op *Op) AddArg(name string, v *Value) {
	args := op.Form().Operands
	var operands []*Value
	counts := make([]int32, len(args))
	for i, a := range args {
		vs := op.Args(a.Name)
		if a.Name == name {
			vs = []*Value{v}
		}
		operands = append(operands, vs...)
		counts[i] = int32(len(vs))
	}
	op.SetOperands(operands, Segments(args, counts))
}

// SetOperands replaces all operands; segs says how many belong to each
// argument and may be nil where that follows from their number.
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

// withAttr returns the attributes, sorted by name, with the one of a's name
// replaced by a or, where a is no attribute, removed. It leaves attrs alone.
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

// Root returns the outermost operation around op, such as its module, or op itself.
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
