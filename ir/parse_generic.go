// This file parses operations in generic form and completes their state.

package ir

import (
	"slices"
	"strconv"
)

// generic holds the components of an operation in generic syntax, except the operands.
// The operands are separate so that their slice can be on the stack.
type generic struct {
	// off is the offset of the operation name.
	off int
	// known is the cache entry for operations with the same name.
	known *knownOp
	// succs are the successor blocks of a terminator.
	succs []*Block
	// props is the dictionary between < and >, or nil if the text has none.
	props *dict
	// regions are the regions in the order of the text.
	regions []*Region
	// attrs is the attribute dictionary, or nil if the text has none.
	attrs *dict
	// typesOff is the byte offset of the signature in the text.
	typesOff int
	// types is the signature, that is, the operand and result types of the operation.
	types *signature
}

// genericOp reads an operation in generic form:
//
//	"name"(operands)[successors]<{properties}>({regions}) {attributes} : (types) -> types
func (p *Parser) genericOp(off int) *Op {
	g := generic{off: off, known: p.knownOp(off)}
	if p.bad {
		return nil
	}
	mark := p.memory.markEntries()
	p.expect('(')
	operands := p.Operands(p.memory.takeOperands())
	p.expect(')')
	if p.accept('[') {
		p.List("]", func() { g.succs = append(g.succs, p.Successor()) })
		p.expect(']')
	}
	if p.kind == '<' && p.lexer.at(p.end) == '{' {
		p.next()
		g.props = p.cachedDict(g.known.props)
		p.expect('>')
	}
	if p.accept('(') {
		g.regions = p.genericRegions(g.known.def)
	}
	if p.kind == '{' {
		g.attrs = p.cachedDict(g.known.attrs)
	}
	p.expect(':')
	g.typesOff = p.start
	g.types = p.cachedSignature(g.known.types)
	values := p.genericOperands(operands, &g)
	p.memory.giveOperands(operands)
	if p.bad {
		return nil
	}
	op := p.makeGeneric(&g, values)
	p.memory.dropEntries(mark)
	return op
}

// genericOperands returns the values of the operands of an operation in generic syntax.
// The types of the operands are in g. It reports an error and returns nil if the numbers
// of operands and types differ. The result is in temporary memory that the next operation
// reuses.
func (p *Parser) genericOperands(operands []Operand, g *generic) []*Value {
	if p.bad {
		return nil
	}
	types := g.types.ins
	if len(types) != len(operands) {
		p.ErrorAt(g.typesOff, "expected %s as in the operand list, found %d", Count(len(operands), "operand type"), len(types)).As(CodeCounts)
		return nil
	}
	values := p.memory.values[:0]
	for i, o := range operands {
		values = append(values, p.Resolve(o, types[i]))
	}
	p.memory.values = values
	return values
}

// genericRegions parses the regions of an operation in generic syntax, including the
// closing parenthesis. It may pass function bodies to other goroutines.
func (p *Parser) genericRegions(def *Def) []*Region {
	var regions []*Region
	p.List(")", func() {
		r := p.newRegion()
		regions = append(regions, r)
		switch {
		case def.Traits&IsolatedFromAbove == 0:
			p.RegionInto(r, nil, false)
		case def.Traits&SymbolTable == 0:
			p.Body(r, nil)
		default:
			p.RegionInto(r, nil, true)
		}
	})
	p.expect(')')
	return regions
}

// newRegion returns an empty region, allocated in blocks of memory that the parser owns.
func (p *Parser) newRegion() *Region { return &take(&p.memory.slabs.regions, 1)[0] }

// finishGeneric completes s, an operation that is parsed in generic form. It adds the
// attributes and types in g to s. It also adds the numbers of operands that belong to
// each argument, and checks all of these items. It returns false after an error. The
// caller skips this step for an operation whose types and attributes equal those of a
// previous operation with the same name.
func (p *Parser) finishGeneric(g *generic, s *State) bool {
	props, attrs := g.props.all(), g.attrs.all()
	s.Attrs = append(append(p.memory.given[:0], props...), attrs...)
	p.memory.given = s.Attrs
	for i, a := range s.Attrs {
		if d := s.Def.Attr(a.Name); d != nil && d.OldPrefix[0] != "" {
			s.Attrs[i].Attr = p.withoutOld(g.off, a.Attr, d.OldPrefix)
		}
	}
	for _, a := range attrs {
		if slices.ContainsFunc(props, func(b NamedAttr) bool { return a.Name == b.Name }) {
			p.ErrorAt(g.off, "attribute '%s' is given twice", a.Name)
			return false
		}
	}
	return p.finishState(g.off, s)
}

// finishState chooses the form of an operation in generic syntax and checks the numbers
// of operands, results and regions. It reports errors at byte offset off, and returns
// false after an error.
func (p *Parser) finishState(off int, s *State) bool {
	if msg := s.Def.checkRegions(len(s.Regions)); msg != "" {
		p.ErrorAt(off, "'%s' op %s, found %d", s.Def.Name, msg, len(s.Regions)).As(CodeCounts)
		return false
	}
	s.Form = pickForm(s)
	var ok bool
	if s.Segs, ok = p.segments(off, s, operandSegments, s.Form.Operands, len(s.Operands)); !ok {
		return false
	}
	s.ResSegs, ok = p.segments(off, s, resultSegments, s.Form.Results, len(s.Results))
	return ok
}

// pickForm returns the form of s.Def that fits the parsed operands best: the form that
// accepts the types of the largest number of operands. It considers the segment sizes in
// the text, because two forms may differ only in the order of their operands.
func pickForm(s *State) *Form {
	d := s.Def
	if len(d.Forms) == 1 {
		return d.Forms[0]
	}
	var segs, resSegs []int32
	if i := s.attr(operandSegments); i >= 0 {
		segs, _ = segmentSizes(s.Attrs[i].Attr)
	}
	if i := s.attr(resultSegments); i >= 0 {
		resSegs, _ = segmentSizes(s.Attrs[i].Attr)
	}
	best, bestScore := d.Forms[0], -1
	for _, f := range d.Forms {
		if checkSegments(f.Operands, segs, len(s.Operands)) != "" || checkSegments(f.Results, resSegs, len(s.Results)) != "" {
			continue
		}
		if score := fitForm(d, f, s.Operands, segs, s.Results); score > bestScore {
			best, bestScore = f, score
		}
	}
	return best
}

// fitForm checks operands against the form f of instruction d. It returns the number of
// operands whose type the form accepts, so that the parser can select the form that fits
// best. segs is the number of operands for each operand name. If segs is nil, fitForm
// derives these numbers from the total number of operands. results are the types of the
// results, because constraints on operands may refer to them.
func fitForm(d *Def, f *Form, operands []*Value, segs []int32, results []Type) int {
	if segs == nil {
		segs = defaultSegs(f.Operands, len(operands))
	}
	env := &Env{Def: d, Form: f, Results: results, Segs: segs}
	for _, v := range operands {
		env.Operands = append(env.Operands, v.typ)
	}
	score := 0
	for i := range f.Operands {
		from, to := segment(f.Operands, env.Segs, i, len(operands))
		for k := from; k < to; k++ {
			if f.Operands[i].Type.Check(operands[k].typ, env) {
				score++
			}
		}
	}
	return score
}

// attr returns the index in s.Attrs of the attribute with the given name, or -1 if s has
// no such attribute.
func (s *State) attr(name string) int {
	return slices.IndexFunc(s.Attrs, func(a NamedAttr) bool { return a.Name == name })
}

// segmentSizes returns the elements of the attribute a if it is an array<i32: ...>; the
// result ok is false for any other attribute.
func segmentSizes(a Attr) (sizes []int32, ok bool) {
	d, ok := AttrAs[DenseArrayAttr](a)
	if !ok || d.Elem != I32 {
		return nil, false
	}
	if d.Raw == "" {
		return nil, true
	}
	sizes = make([]int32, len(d.Raw)/4)
	for i := range sizes {
		sizes[i] = int32(d.Raw[4*i]) | int32(d.Raw[4*i+1])<<8 | int32(d.Raw[4*i+2])<<16 | int32(d.Raw[4*i+3])<<24
	}
	return sizes, true
}

// segments returns the number of values of each argument in args. The attribute with the
// given name holds these counts, and segments removes this attribute from s. It reports
// an error at byte offset off if the sum of the counts is not n, the number of all
// values. The bool result is false after an error.
func (p *Parser) segments(off int, s *State, name string, args []Arg, n int) ([]int32, bool) {
	var segs []int32
	if i := s.attr(name); i >= 0 && s.Def.Traits&Unregistered == 0 {
		var ok bool
		if segs, ok = segmentSizes(s.Attrs[i].Attr); !ok {
			p.ErrorAt(off, "'%s' op attribute '%s' must be array<i32: ...>", s.Def.Name, name)
			return nil, false
		}
		s.Attrs = slices.Delete(s.Attrs, i, i+1)
	}
	if msg := checkSegments(args, segs, n); msg != "" {
		what := "operand"
		if name[0] == 'r' {
			what = "result"
		}
		p.ErrorAt(off, "'%s' op has %s, but %s", s.Def.Name, Count(n, what), msg).As(CodeCounts)
		return nil, false
	}
	if variable(args) < 2 {
		return nil, true
	}
	if segs == nil {
		segs = defaultSegs(args, n)
	}
	return segs, true
}

// checkSegments checks the number of values of an operation, n, against the declarations
// args. segs are the number of values for each declaration, or is nil if the text does
// not state it. The result is an error message if the declarations do not permit these
// numbers, and "" otherwise.
func checkSegments(args []Arg, segs []int32, n int) string {
	required, open := 0, false
	limit := 0
	for i := range args {
		switch args[i].Arity {
		case One:
			required++
		case Optional:
			limit++
		case Variadic:
			open = true
		}
	}
	switch {
	case n < required && (open || limit > 0):
		return "expects at least " + strconv.Itoa(required)
	case n != required && !open && limit == 0:
		return "expects " + strconv.Itoa(required)
	case n > required+limit && !open:
		return "expects at most " + strconv.Itoa(required+limit)
	}
	if segs == nil {
		return ""
	}
	if len(segs) != len(args) {
		return "its segment sizes are " + strconv.Itoa(len(segs)) + " for " + strconv.Itoa(len(args)) + " arguments"
	}
	sum := 0
	for i, k := range segs {
		sum += int(k)
		if k < 0 || args[i].Arity == One && k != 1 || args[i].Arity == Optional && k > 1 {
			return "its segment sizes give " + strconv.Itoa(int(k)) + " to \"" + args[i].Name + "\""
		}
	}
	if sum != n {
		return "its segment sizes add up to " + strconv.Itoa(sum)
	}
	return ""
}
