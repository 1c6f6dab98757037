// This file supports the custom syntax of operations.

package ir

import "slices"

// OpParse collects the components of one operation in custom syntax while its text is
// parsed. The text may contain operands and types in any order, so build resolves the
// operands at the end.
type OpParse struct {
	Def  *Def
	Form *Form
	// Off is the byte offset of the operation's name in the text.
	Off int

	// operands are the operands per argument of the form.
	operands [][]Operand
	// types are the operand types per argument of the form; an entry is empty if the text
	// omits the types.
	types [][]Type
	// results are the result types per declared result of the form.
	results [][]Type
	// flats are the operand lists whose operands have not been assigned to arguments yet.
	flats []flatList
	// attrs are the attributes in the order of the text.
	attrs []NamedAttr
	// regions, succs and loc are the regions, the successors and the location of the
	// operation.
	regions []*Region
	succs   []*Block
	loc     Loc
	// env is the context for type constraints that depend on the types of other operands
	// or results.
	env Env
}

// flatList is a list of operands that belong to the arguments args together. The
// assignment of operands to arguments is decided later, because some of the arguments are
// optional or variadic.
type flatList struct {
	args     []int
	operands []Operand
	types    []Type
}

// newOpParse returns an empty OpParse for an operation of definition d in form f, whose
// name is at offset off. It reuses the memory of an OpParse that is not needed any more.
func (p *Parser) newOpParse(d *Def, f *Form, off int) *OpParse {
	var st *OpParse
	if m := p.memory; len(m.pool) > 0 {
		n := len(m.pool) - 1
		st, m.pool = m.pool[n], m.pool[:n]
	} else {
		st = &OpParse{}
	}
	st.Def, st.Form, st.Off = d, f, off
	st.operands = resize(st.operands, len(f.Operands))
	st.types = resize(st.types, len(f.Operands))
	st.results = resize(st.results, len(f.Results))
	st.flats = st.flats[:0]
	st.attrs, st.succs, st.regions = st.attrs[:0], nil, nil
	st.loc = Loc{}
	return st
}

// resize returns s with length n, where every element is empty. It reuses the memory of
// the elements.
func resize[T any](s [][]T, n int) [][]T {
	if cap(s) < n {
		s = append(s[:cap(s)], make([][]T, n-cap(s))...)
	}
	s = s[:n]
	for i := range s {
		s[i] = s[i][:0]
	}
	return s
}

// argIndex returns the index of the operand with the given name. The operand belongs to
// the form that is parsed, one of the syntax variants of the instruction. argIndex panics
// if no such operand exists.
func (st *OpParse) argIndex(name string) int {
	for i := range st.Form.Operands {
		if st.Form.Operands[i].Name == name {
			return i
		}
	}
	panic("BUG: " + st.Def.Name + " has no operand " + name)
}

// Operand appends os to the operands of the argument with the given name.
func (st *OpParse) Operand(name string, os ...Operand) {
	i := st.argIndex(name)
	st.operands[i] = append(st.operands[i], os...)
}

// OperandType appends ts to the types of the operands of the argument with the given
// name.
func (st *OpParse) OperandType(name string, ts ...Type) {
	i := st.argIndex(name)
	st.types[i] = append(st.types[i], ts...)
}

// OperandTypes returns the types that the text has specified so far for the argument with
// the given name.
func (st *OpParse) OperandTypes(name string) []Type { return st.types[st.argIndex(name)] }

// ResultType appends ts to the types of the declared result with the given name.
func (st *OpParse) ResultType(name string, ts ...Type) {
	for i := range st.Form.Results {
		if st.Form.Results[i].Name == name {
			st.results[i] = append(st.results[i], ts...)
			return
		}
	}
	panic("BUG: " + st.Def.Name + " has no result " + name)
}

// Attr sets the attribute with the given name to a for the operation that is being
// parsed. It ignores the zero Attr.
func (st *OpParse) Attr(name string, a Attr) {
	if !a.IsZero() {
		st.attrs = append(st.attrs, NamedAttr{name, st.canonical(name, a)})
	}
}

// canonical returns the attribute a, which has the given name in the operation, in the
// form that the printer writes. It changes only attributes that a program may write in
// several ways.
func (st *OpParse) canonical(name string, a Attr) Attr {
	if d := st.Def.Attr(name); d != nil {
		if s, ok := d.Type.(speller); ok {
			return s.Canonical(a)
		}
	}
	return a
}

// GetAttr returns an attribute of the operation that is being parsed; the parameter name
// is the name of the attribute. It returns the zero Attr if the text has not set the
// attribute so far.
func (st *OpParse) GetAttr(name string) Attr {
	for _, a := range st.attrs {
		if a.Name == name {
			return a.Attr
		}
	}
	return Attr{}
}

// Become continues as an operation of definition def, which must have as many operands and
// results. A dialect calls it where the types in the text determine the operation.
func (st *OpParse) Become(def *Def) { st.Def, st.Form = def.Made(), def.Made().Forms[0] }

// AddRegion appends r to the regions of the operation that is being parsed.
func (st *OpParse) AddRegion(r *Region) { st.regions = append(st.regions, r) }

// Region parses a region whose entry block has the arguments args, and adds it to the
// operation. It also appends the terminator if the text omits an implicit one. The region
// can use outside values unless the operation is isolated from above.
func (st *OpParse) Region(p *Parser, args []BlockArg) {
	i := len(st.regions)
	r := p.Region(args, st.Def.Traits&IsolatedFromAbove != 0)
	st.AddRegion(r)
	st.implicitTerminator(p, i, r)
}

// AddSuccessor appends b to the successors of the operation that is being parsed.
func (st *OpParse) AddSuccessor(b *Block) { st.succs = append(st.succs, b) }

// AttrDict parses an attribute dictionary, if the current token starts one, and adds its
// entries to the operation.
func (st *OpParse) AttrDict(p *Parser) {
	if !p.At("{") {
		return
	}
	off := p.Offset()
	dict := p.dictBody(st.Def)
	given := func(name string) bool { return !st.GetAttr(name).IsZero() }
	if len(dict) >= manyAttrs {
		seen := attrNames(st.attrs)
		given = func(name string) bool {
			was := seen[name]
			seen[name] = true
			return was
		}
	}
	for _, a := range dict {
		a.Name = st.Def.attrName(a.Name)
		if given(a.Name) {
			p.ErrorAt(off, "attribute '%s' is given twice", a.Name)
			return
		}
		st.Attr(a.Name, a.Attr)
	}
}

// Operands parses one list of operands. They belong to the arguments with the indices
// args in the definition of the operation. If each of these arguments has exactly one
// operand, Operands assigns the operands immediately. If some arguments are optional or
// variadic, it stores the list, and the operands are assigned when the operation is
// built, because the assignment depends on the types.
func (st *OpParse) Operands(p *Parser, args []int) {
	if variable(st.argDefs(args)) > 0 {
		st.flats = append(st.flats, flatList{args: args, operands: p.Operands(nil)})
		return
	}
	for n, i := range args {
		if n > 0 && !p.Accept(",") {
			p.misread = p.Errorf("'%s' op expects %s here, found %d", st.Def.Name, Count(len(args), "operand"), n).As(CodeCounts)
			return
		}
		st.operands[i] = append(st.operands[i], p.Operand())
	}
	if p.At(",") {
		p.misread = p.Errorf("'%s' op expects only %s here", st.Def.Name, Count(len(args), "operand")).As(CodeCounts)
	}
}

// argDefs returns the declarations of the arguments with the given indices.
func (st *OpParse) argDefs(args []int) []Arg {
	defs := make([]Arg, len(args))
	for n, i := range args {
		defs[n] = st.Form.Operands[i]
	}
	return defs
}

// Types assigns the types ts of the text, which start at byte offset off, to operands.
// args are the indices of the arguments whose operands receive types, in order. The text
// may list fewer types than there are operands. In that case, Types skips operands whose
// argument allows only one type. An operand without a type in the text has the type of
// the value that it refers to.
func (st *OpParse) Types(p *Parser, off int, args []int, ts []Type) {
	for i := range st.flats {
		if slices.Equal(st.flats[i].args, args) {
			st.flats[i].types = ts
			return
		}
	}
	all := len(ts) > st.countOperands(args, false)
	n := 0
	for _, i := range args {
		if !all && isFixed(&st.Form.Operands[i]) {
			continue
		}
		for range st.operands[i] {
			if n < len(ts) {
				st.types[i] = append(st.types[i], ts[n])
				n++
			}
		}
	}
	if n < len(ts) {
		p.ErrorAt(off, "'%s' op has %s here, but %s", st.Def.Name, Count(n, "operand"), Count(len(ts), "type")).As(CodeCounts)
	}
}

// countOperands returns how many operands have been parsed for the arguments whose
// indices are in args. If the parameter fixed is false, the result does not count the
// operands of arguments that allow only one type.
func (st *OpParse) countOperands(args []int, fixed bool) int {
	n := 0
	for _, i := range args {
		if fixed || !isFixed(&st.Form.Operands[i]) {
			n += len(st.operands[i])
		}
	}
	return n
}

// isFixed reports whether an argument allows only one type, which the text therefore
// omits.
func isFixed(a *Arg) bool {
	_, ok := a.Type.(fixed)
	return ok
}

// build creates the parsed operation: it resolves the names of the operands and their
// types. It returns nil after an error.
func (st *OpParse) build(p *Parser) *Op {
	if p.bad {
		return nil
	}
	s := State{Def: st.Def, Form: st.Form, Loc: LocAt(p.src, st.Off), Attrs: st.attrs, Regions: st.regions, Succs: st.succs}
	if st.loc.Known() {
		s.Loc = st.loc
	}
	for i := range st.flats {
		st.distribute(p, &st.flats[i])
	}
	if !st.takeSegments(p, &s) {
		return nil
	}
	var opBuf [8]*Value
	var typeBuf [8]Type
	s.Operands, st.env.Operands = opBuf[:0], typeBuf[:0]
	st.resolveOperands(p, &s)
	if p.bad {
		return nil
	}
	st.resolveResults(p, &s)
	if p.bad {
		return nil
	}
	if msg := checkSegments(st.Form.Operands, s.Segs, len(s.Operands)); msg != "" {
		p.ErrorAt(st.Off, "'%s' op has %s, but %s", st.Def.Name, Count(len(s.Operands), "operand"), msg).As(CodeCounts)
		return nil
	}
	if t := st.Form.twin; t != nil && fitForm(st.Def, t, s.Operands, s.Segs, nil) == len(s.Operands) {
		s.Form = t // the choice that the generic form makes, too
	}
	return p.newOp(s)
}

// newOp returns a new operation with the content of s. It allocates the operation in
// blocks of memory that the parser owns.
func (p *Parser) newOp(s State) *Op {
	attrs, r := s.parts(&p.memory.slabs)
	return s.make(attrs, r.shared(), &p.memory.slabs)
}

// takeSegments stores in s how many operands and results each argument of the operation
// has. The custom text determines these counts. Some printers also write them into the
// attribute dictionary (operandSegmentSizes and resultSegmentSizes); takeSegments removes
// these attributes from s. It returns false after an error.
func (st *OpParse) takeSegments(p *Parser, s *State) bool {
	if variable(st.Form.Operands) >= 2 {
		s.Segs = make([]int32, len(st.operands))
		for i := range st.operands {
			s.Segs[i] = int32(len(st.operands[i]))
		}
	}
	if variable(st.Form.Results) >= 2 {
		s.ResSegs = make([]int32, len(st.results))
		for i := range st.results {
			s.ResSegs[i] = int32(len(st.results[i]))
		}
	}
	kept := s.Attrs[:0]
	for _, a := range s.Attrs {
		if a.Name != "operandSegmentSizes" && a.Name != "resultSegmentSizes" {
			kept = append(kept, a)
		}
	}
	s.Attrs = kept
	return true
}

// resolveOperands looks up the values of the operands by name, and checks their types. If
// the text contains a type for the operand, the value must have this type. If the text
// contains no type, and the declaration of the operand allows only one type, the value
// must have that type. In all other cases, the verifier checks the type later.
func (st *OpParse) resolveOperands(p *Parser, s *State) {
	st.env = Env{Def: st.Def, Form: st.Form, Operands: st.env.Operands, Segs: s.Segs, ResSegs: s.ResSegs, attr: st.GetAttr}
	for i := range st.operands {
		arg := &st.Form.Operands[i]
		for k, o := range st.operands[i] {
			var t Type
			switch {
			case k < len(st.types[i]):
				t = st.types[i][k]
			default:
				if f, ok := arg.Type.(fixed); ok {
					t = f.fixedType()
				}
			}
			v := p.Resolve(o, t)
			if p.bad {
				return
			}
			s.Operands = append(s.Operands, v)
			st.env.Operands = append(st.env.Operands, v.typ)
		}
	}
}

// resolveResults sets the result types of s to the types in the text. If the text omits
// the type of a result, resolveResults infers it from the operands, as the constraint of
// this result defines.
func (st *OpParse) resolveResults(p *Parser, s *State) {
	var buf [4]Type
	s.Results = buf[:0]
	for i := range st.results {
		arg := &st.Form.Results[i]
		if len(st.results[i]) > 0 || arg.Arity != One {
			s.Results = append(s.Results, st.results[i]...)
			continue
		}
		st.env.Results = s.Results
		var t Type
		if inf, ok := arg.Type.(Inferrer); ok {
			t = inf.Infer(&st.env)
		}
		if t.IsZero() {
			p.ErrorAt(st.Off, "'%s' op needs the type of its result: write -> type after the operand types", st.Def.Name)
			return
		}
		s.Results = append(s.Results, t)
	}
}

// distribute assigns the operands of the list l to its arguments. It tries all possible
// numbers of operands for the optional and variadic arguments, and chooses the assignment
// in which most operands have a legal type.
func (st *OpParse) distribute(p *Parser, l *flatList) {
	if p.bad {
		return
	}
	args := st.argDefs(l.args)
	if msg := checkSegments(args, nil, len(l.operands)); msg != "" {
		p.ErrorAt(st.Off, "'%s' op has %s here, but %s", st.Def.Name, Count(len(l.operands), "operand"), msg).As(CodeCounts)
		return
	}
	if len(l.types) > len(l.operands) {
		p.ErrorAt(st.Off, "'%s' op has %s here, but %s", st.Def.Name, Count(len(l.operands), "operand"), Count(len(l.types), "type")).As(CodeCounts)
		return
	}
	ts := make([]Type, len(l.operands))
	for i, o := range l.operands {
		if i < len(l.types) {
			ts[i] = l.types[i]
		} else if v := p.lookup(o); v != nil {
			ts[i] = v.typ
		}
	}
	n := 0
	for i, k := range bestSegments(args, ts, st) {
		for range k {
			st.operands[l.args[i]] = append(st.operands[l.args[i]], l.operands[n])
			if n < len(l.types) {
				st.types[l.args[i]] = append(st.types[l.args[i]], ts[n])
			}
			n++
		}
	}
}

// bestSegments returns the number of values for each argument in args, for values with
// the types ts. It chooses the counts for which most values have a legal type; among
// equally good ones it assigns more values to earlier arguments.
func bestSegments(args []Arg, ts []Type, st *OpParse) []int32 {
	if variable(args) == 1 {
		segs := make([]int32, len(args))
		for i := range args {
			from, to := segment(args, nil, i, len(ts))
			segs[i] = int32(to - from)
		}
		return segs
	}
	best, bestScore := defaultSegs(args, len(ts)), -1
	cur := make([]int32, len(args))
	form := &Form{Operands: args}
	var try func(i, rest int)
	try = func(i, rest int) {
		if i == len(args) {
			if rest == 0 {
				if s := scoreSegments(args, cur, ts, st, form); s > bestScore {
					bestScore = s
					copy(best, cur)
				}
			}
			return
		}
		lo, hi := 1, 1
		switch args[i].Arity {
		case Optional:
			lo = 0
		case Variadic:
			lo, hi = 0, rest
		}
		for k := min(hi, rest); k >= lo; k-- {
			cur[i] = int32(k)
			try(i+1, rest-k)
		}
	}
	try(0, len(ts))
	return best
}

// scoreSegments rates a distribution of values over the arguments in args, in which
// segs[i] values belong to args[i]. ts contains the types of the values. The result is
// the number of values whose type is legal for their argument.
func scoreSegments(args []Arg, segs []int32, ts []Type, st *OpParse, form *Form) int {
	env := &Env{Def: st.Def, Form: form, Operands: ts, Segs: segs, attr: st.GetAttr}
	score, n := 0, 0
	for i, k := range segs {
		for range k {
			if !ts[n].IsZero() && args[i].Type.Check(ts[n], env) {
				score++
			}
			n++
		}
	}
	return score
}
