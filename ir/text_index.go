// This file records, for editors, where a text defines and uses names.

package ir

import (
	"cmp"
	"slices"
)

// TextIndex records, for editors, the source positions of the definitions and uses of
// values, of operations and of regions. The parser fills it if ParseOptions.Index is set.
// If the text has errors, the index describes the text as far as the parser could read
// it.
type TextIndex struct {
	// Defs are the definitions of values, in the order of the text.
	Defs []*ValueDef
	// Uses are the uses of values, in the order of the text.
	Uses []ValueUse
	// Ops are the operations. An operation comes after all operations in its regions.
	Ops []OpSpan
	// Regions are the regions in the order of their opening braces.
	Regions []RegionSpan

	// at maps each byte offset at which a name is defined to that definition.
	at map[int]*ValueDef
	// open is the index in Regions of the innermost open region, or -1.
	open int
	// pending maps each name that has no definition so far to its uses, as indices in
	// Uses.
	pending map[string][]int
	// isolated reports that values from outside are not visible in the next region.
	isolated bool
}

// ValueDef is the definition of a name in the text.
type ValueDef struct {
	// Name is the name with the %.
	Name string
	// Off is the byte offset of the name in the text.
	Off int
	// Values is one value, or several for a group such as %x:2.
	Values []*Value
	// Region is the index of the region that the name is visible in, or -1 for the
	// top of the file.
	Region int
	// Uses are the byte offsets of the uses in the order of the text.
	Uses []int
}

// ValueUse is the use of a name in the text.
type ValueUse struct {
	// Name is the name with the %.
	Name string
	// Off is the byte offset of the name in the text.
	Off int
	// Def is the definition, or nil if the name is not defined.
	Def *ValueDef
}

// OpSpan is the range of source text of an operation, from its first result name to its
// end.
type OpSpan struct {
	// Op is the operation.
	Op *Op
	// Start is the byte offset of the first result name, or of the operation name if
	// there are no results.
	Start int
	// Name is the offset of the operation name.
	Name int
	// End is the byte offset after the last byte of the operation.
	End int
}

// RegionSpan is the range of source text of a region. It ends with the closing brace. It
// starts with the opening brace, or with the first argument of the entry block if that
// precedes the brace.
type RegionSpan struct {
	// Start is the byte offset of the first byte, End is the byte offset after the last
	// byte.
	Start, End int
	// Outer is the index of the enclosing region, or -1.
	Outer int
	// Isolated reports that values of enclosing regions are not visible in the region.
	Isolated bool
}

// reset clears the index before the text is parsed again. x may be nil.
func (x *TextIndex) reset() {
	if x != nil {
		*x = TextIndex{at: map[int]*ValueDef{}, open: -1, pending: map[string][]int{}}
	}
}

// finish sorts the definitions and uses by their source offset. x may be nil.
func (x *TextIndex) finish() {
	if x == nil {
		return
	}
	slices.SortFunc(x.Defs, func(a, b *ValueDef) int { return cmp.Compare(a.Off, b.Off) })
	slices.SortStableFunc(x.Uses, func(a, b ValueUse) int { return cmp.Compare(a.Off, b.Off) })
	for _, d := range x.Defs {
		slices.Sort(d.Uses)
	}
}

// isolate records that the text which follows belongs to the body of an operation that is
// isolated from above. Values that were defined before this text are not visible in it.
// The caller calls the returned function at the end of the body. The receiver x may be
// nil.
func (x *TextIndex) isolate() (leave func()) {
	if x == nil {
		return func() {}
	}
	saved := x.pending
	x.pending, x.isolated = map[string][]int{}, true
	return func() { x.pending, x.isolated = saved, false }
}

// enter records the start of a region. open is the byte offset of its opening brace, and
// args are the arguments of its entry block. The caller calls the returned function with
// the offset of the end of the region. If x is nil, the parser does not build an index,
// and both functions do nothing.
func (x *TextIndex) enter(open int, args []BlockArg) (leave func(end int)) {
	if x == nil {
		return func(int) {}
	}
	start := open
	if len(args) > 0 {
		start = min(start, args[0].Off)
	}
	x.Regions = append(x.Regions, RegionSpan{Start: start, Outer: x.open, Isolated: x.isolated})
	saved, mine := x.open, len(x.Regions)-1
	x.open, x.isolated = mine, false
	return func(end int) { x.Regions[mine].End, x.open = end, saved }
}

// define records the definition of a name at offset off and connects the earlier uses of
// the name to it. vs contains the values with this name. The receiver x may be nil.
func (x *TextIndex) define(name string, off int, vs []*Value) {
	if x == nil {
		return
	}
	d := &ValueDef{Name: name, Off: off, Values: slices.Clone(vs), Region: x.open}
	x.Defs = append(x.Defs, d)
	x.at[off] = d
	for _, i := range x.pending[name] {
		x.Uses[i].Def = d
		d.Uses = append(d.Uses, x.Uses[i].Off)
	}
	delete(x.pending, name)
}

// use records that the text refers to the name o. def is the offset of the definition of
// this name, or -1 if the text has not defined the name yet.
func (x *TextIndex) use(o Operand, def int) {
	u := ValueUse{Name: o.Name, Off: o.Off, Def: x.at[def]}
	if u.Def == nil {
		x.pending[o.Name] = append(x.pending[o.Name], len(x.Uses))
	} else {
		u.Def.Uses = append(u.Def.Uses, o.Off)
	}
	x.Uses = append(x.Uses, u)
}

// indexUse records the operand o as a use of its name in the index of p.
func (p *Parser) indexUse(o Operand) {
	def := -1
	if e := &p.find(o.Name).val; e.scope == p.scope && !e.poisoned() {
		def = e.off
	}
	p.opts.Index.use(o, def)
}

// op records the offsets of the start, the name and the end of the operation op. x may be
// nil.
func (x *TextIndex) op(op *Op, start, name, end int) {
	if x != nil {
		x.Ops = append(x.Ops, OpSpan{op, start, name, end})
	}
}

// DefAt returns the definition of the value whose name is at byte offset off, or nil if
// no value name is there. The name may be the definition or one of its uses.
func (x *TextIndex) DefAt(off int) *ValueDef {
	for _, d := range x.Defs {
		if d.Off <= off && off <= d.Off+len(d.Name) {
			return d
		}
	}
	for _, u := range x.Uses {
		if u.Off <= off && off <= u.Off+len(u.Name) {
			return u.Def
		}
	}
	return nil
}

// OpAt returns the innermost operation whose text contains an offset. ok is false if
// there is none.
func (x *TextIndex) OpAt(off int) (at OpSpan, ok bool) {
	for _, s := range x.Ops { // inner operations are first
		if s.Start <= off && off <= s.End {
			return s, true
		}
	}
	return OpSpan{}, false
}

// regionAt returns the index of the innermost region that contains an offset, or -1.
func (x *TextIndex) regionAt(off int) int {
	in := -1
	for i, r := range x.Regions { // outer regions are first
		if r.Start <= off && off < r.End {
			in = i
		}
	}
	return in
}

// VisibleAt returns the values that an operation at offset off may use, in the order of
// their definitions in the text. If an operation contains off, its own results are not
// included.
func (x *TextIndex) VisibleAt(off int) (defs []*ValueDef) {
	visible := map[int]bool{}
	for i := x.regionAt(off); ; i = x.Regions[i].Outer {
		visible[i] = true
		if i < 0 || x.Regions[i].Isolated {
			break
		}
	}
	around := map[*Op]bool{}
	for _, o := range x.Ops {
		if o.Start <= off && off <= o.End {
			around[o.Op] = true
		}
	}
	for _, d := range x.Defs {
		if d.Off < off && visible[d.Region] && !around[d.Values[0].Op()] {
			defs = append(defs, d)
		}
	}
	return defs
}
