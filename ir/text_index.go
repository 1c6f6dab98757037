// This file records, for editors, where a text defines and uses names.

package ir

import (
	"cmp"
	"slices"
)

// TextIndex records, for editors, where a text defines and uses values and where its
// operations and regions are. The parser fills it if ParseOptions.Index is set. It
// also describes a text with errors, as far as the parser could read it.
type TextIndex struct {
	// Defs are the definitions of values, in the order of the text.
	Defs []*ValueDef
	// Uses are the uses of values, in the order of the text.
	Uses []ValueUse
	// Ops are the operations; an operation follows those that it contains.
	Ops []OpSpan
	// Regions are the regions in the order of their opening braces.
	Regions []RegionSpan

	// at maps offsets to the definitions there.
	at map[int]*ValueDef
	// open is the index in Regions of the innermost open region, or -1.
	open int
	// pending maps names without a definition so far to the indices of their uses in
	// Uses.
	pending map[string][]int
	// isolated reports that the next region does not see outer values.
	isolated bool
}

// ValueDef is the definition of a name in the text.
type ValueDef struct {
	// Name is the name with the %.
	Name string
	// Off is the offset of the name.
	Off int
	// Values is one value, or several for a group such as %x:2.
	Values []*Value
	// Region is the index of the region that the name is visible in, or -1 for the
	// top of the file.
	Region int
	// Uses are the offsets of the uses in the order of the text.
	Uses []int
}

// ValueUse is the use of a name in the text.
type ValueUse struct {
	// Name is the name with the %.
	Name string
	// Off is the offset of the name.
	Off int
	// Def is the definition, or nil if the name is not defined.
	Def *ValueDef
}

// OpSpan is the text of an operation, from its first result name to its end.
type OpSpan struct {
	// Op is the operation.
	Op *Op
	// Start is the offset of the first result name, or of the operation name if there is
	// none.
	Start int
	// Name is the offset of the operation name.
	Name int
	// End is the offset after the last byte.
	End int
}

// RegionSpan is the text of a region, from the first argument of its entry block, if
// that precedes the brace, to the closing brace.
type RegionSpan struct {
	// Start and End are the offsets of the first byte and after the last one.
	Start, End int
	// Outer is the index of the enclosing region, or -1.
	Outer int
	// Isolated reports that the region does not see the values of the enclosing one.
	Isolated bool
}

// reset empties the index for another reading of the text.
func (x *TextIndex) reset() {
	if x != nil {
		*x = TextIndex{at: map[int]*ValueDef{}, open: -1, pending: map[string][]int{}}
	}
}

// finish sorts the definitions and uses by offset.
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

// isolate starts a text that does not see outer values. The function that it returns
// ends the text.
func (x *TextIndex) isolate() (leave func()) {
	if x == nil {
		return func() {}
	}
	saved := x.pending
	x.pending, x.isolated = map[string][]int{}, true
	return func() { x.pending, x.isolated = saved, false }
}

// enter records the start of a region whose brace is at offset open. leave records
// its end.
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

// define records the definition of a name and resolves the earlier uses of it.
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

// use records the use of a name. def is the offset of its definition, or -1 if the
// text has not defined the name yet.
func (x *TextIndex) use(o Operand, def int) {
	u := ValueUse{Name: o.Name, Off: o.Off, Def: x.at[def]}
	if u.Def == nil {
		x.pending[o.Name] = append(x.pending[o.Name], len(x.Uses))
	} else {
		u.Def.Uses = append(u.Def.Uses, o.Off)
	}
	x.Uses = append(x.Uses, u)
}

// indexUse records the use of a name at an operand.
func (p *Parser) indexUse(o Operand) {
	def := -1
	if e := &p.find(o.Name).val; e.scope == p.scope && !e.poisoned() {
		def = e.off
	}
	p.opts.Index.use(o, def)
}

// op records the text of an operation.
func (x *TextIndex) op(op *Op, start, name, end int) {
	if x != nil {
		x.Ops = append(x.Ops, OpSpan{op, start, name, end})
	}
}

// DefAt returns the definition of the name at an offset, which may be one of its
// uses, or nil.
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

// VisibleAt returns the definitions before an offset that an operation there may
// use, in the order of the text. An operation cannot use its own results.
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
