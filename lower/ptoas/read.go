// This file reads PTO-AS programs.

package ptoas

import (
	"slices"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// asReader reads the statements of a PTO-AS program into a block.
type asReader struct {
	p     *ir.Parser
	src   *ir.Source
	block *ir.Block
	// known maps a number to the index constant with this value, so that each constant is
	// created once.
	known map[int64]*ir.Value
}

// statement reads one directive or instruction, with the semicolon that can follow it.
func (r *asReader) statement() {
	p := r.p
	switch {
	case p.Accept(";"):
		return
	case p.At("."):
		r.directive()
	default:
		r.instruction()
	}
	p.Accept(";")
}

// directive reads a directive: .arg %a : type, or .const %c = 0 : type.
func (r *asReader) directive() {
	p, off := r.p, r.p.Offset()
	p.Expect(".")
	switch p.Keyword("arg", "const") {
	case "arg":
		r.argument()
	case "const":
		name := p.Operand()
		p.Expect("=")
		value := p.Attr()
		if p.Failed() {
			return
		}
		v := arith.Materialize(ir.AtEnd(r.block, p.LocAt(off)), value)
		if v == nil {
			p.ErrorAt(off, "a constant must be a number, but is %s", value)
			return
		}
		p.Define(name.Name, name.Off, v)
	}
}

// argument reads the rest of the directive .arg, which declares a function parameter. A
// memref becomes a parameter that is a pointer, because a launch can supply pointers.
// argument also adds an operation that creates a view with the shape of the memref from
// this pointer.
func (r *asReader) argument() {
	p := r.p
	name := p.Operand()
	p.Expect(":")
	typeOff := p.Offset()
	opaque := strings.HasPrefix(r.src.Text[typeOff:], "!pto.memref<")
	t := p.Type()
	if p.Failed() {
		return
	}
	view, ok := ir.As[pto.TensorView](t)
	if !opaque || !ok {
		p.Define(name.Name, name.Off, r.block.AddArg(t))
		return
	}
	if !view.Shape.Static() {
		p.ErrorAt(typeOff, "the shape of a memref argument must be known, but is %s", r.src.Text[typeOff:p.Offset()]).
			Note(p.LocAt(typeOff), "pass a !pto.ptr and make the view with make_tensor_view")
		return
	}
	ptr := r.block.AddArg(pto.Ptr(view.Elem, sem.GM))
	v := r.makeView(p.LocAt(name.Off), ptr, view)
	p.Define(name.Name, name.Off, v)
	ptr.SetName(v.Name())
}

// index returns a value of type index with the constant n. It creates the value on the
// first use of n, at location loc.
func (r *asReader) index(loc ir.Loc, n int64) *ir.Value {
	if r.known == nil {
		r.known = map[int64]*ir.Value{}
	}
	if r.known[n] == nil {
		r.known[n] = arith.Index(ir.AtEnd(r.block, loc), n)
	}
	return r.known[n]
}

// makeView inserts an operation that creates a row-major view of a whole tensor at the
// pointer ptr.
func (r *asReader) makeView(loc ir.Loc, ptr *ir.Value, view pto.TensorView) *ir.Value {
	// The stride of a dimension is the product of the sizes of the later
	// dimensions, in elements.
	shape := view.Shape.Slice()
	strides := make([]int64, len(shape))
	size := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = size
		size *= shape[i]
	}
	operands := []*ir.Value{ptr}
	for _, n := range slices.Concat(shape, strides) {
		operands = append(operands, r.index(loc, n))
	}
	rank := int32(len(shape))
	return ir.AtEnd(r.block, loc).Create(ir.State{
		Def: isabase.MakeTensorView, Operands: operands, Results: []ir.Type{ir.TypeOf(view)}, Segs: []int32{1, rank, rank},
	}).Result(0)
}

// instruction reads one instruction. The MLIR parser reads most instructions. It cannot
// read an instruction with an indexed operand, with an attribute among the operands, or
// with types in the syntax of the manual; the method build reads these.
func (r *asReader) instruction() {
	p, off := r.p, r.p.Offset()
	// The text decides which of the two parsers reads an instruction, before either
	// starts.
	if d := r.definition(off); d != nil && r.irregular(off) {
		r.build(d)
		return
	}
	op := p.Operation(r.block)
	if op == nil {
		return
	}
	if len(op.Regions()) > 0 || op.HasTrait(ir.Terminator|ir.IsSymbol) {
		p.ErrorAt(off, "'%s' is not allowed in PTO-AS, which is a list of instructions", op.Name())
	}
}

// definition returns the definition of the tile instruction at offset off, or nil if the
// text there is another operation.
func (r *asReader) definition(off int) *ir.Def {
	op := opcode(r.src.Text[off:])
	d := ir.Lookup(op)
	// The manual writes opcodes without the prefix of the dialect.
	if d == nil {
		d = ir.Lookup("pto." + op)
	}
	if d == nil || d.Form(ir.SSA) == nil {
		return nil
	}
	return d
}

// irregular reports whether the MLIR parser cannot read the instruction at offset off: it
// has brackets or an attribute among its operands, or result types without an arrow.
func (r *asReader) irregular(off int) bool {
	text := r.src.Text[off:]
	// Look at this instruction only: up to its semicolon or the end of its line,
	// without a comment.
	if n := strings.IndexAny(text, ";\n"); n >= 0 {
		text = text[:n]
	}
	text, _, _ = strings.Cut(text, "//")
	operands := text
	if n := strings.IndexAny(text, "{:"); n >= 0 {
		operands = text[:n]
	}
	// An instruction without results needs no arrow. One with results starts with
	// their names.
	arrow := strings.Contains(text, "->") || !strings.HasPrefix(text, "%")
	return strings.ContainsAny(operands, "[#") || strings.Contains(text, ":") && !arrow
}

// asOperand is an operand of an instruction with the indices in brackets after it.
type asOperand struct {
	// name is the name of the operand in the text, and value the SSA value.
	name  ir.Operand
	value *ir.Value
	// index are the indices in brackets; it is nil if there are none.
	index []*ir.Value
}

// build reads an instruction of definition d in the syntax [%r, ... =] opcode operands
// [{attributes}] [: types], and creates it.
func (r *asReader) build(d *ir.Def) {
	p := r.p
	var results []ir.Operand
	for p.AtOperand() {
		results = append(results, p.Operand())
		if !p.Accept(",") {
			p.Expect("=")
			break
		}
	}
	off := p.Offset()
	p.Ident() // the opcode
	s := ir.State{Def: d, Form: d.Form(ir.SSA), Loc: p.LocAt(off)}
	var operands []asOperand
	operands = r.operands(&s, operands)
	s.Attrs = append(s.Attrs, p.AttrDictOf(d)...)
	var outs []ir.Type
	typed := p.Accept(":")
	if typed {
		outs = r.types(operands)
	}
	if p.Failed() {
		return
	}
	r.finish(off, s, operands, outs, results)
}

// operands reads the operands of an instruction: values, values with indices in brackets,
// and attributes. It appends the values to os and returns the extended list. An attribute
// without a name is stored in s under the first attribute name whose declaration accepts
// it.
func (r *asReader) operands(s *ir.State, os []asOperand) []asOperand {
	p := r.p
	for {
		off := p.Offset()
		if !p.AtOperand() {
			a := p.Attr()
			if name := acceptor(s.Def, a, s.Attrs); name != "" {
				s.Attrs = append(s.Attrs, ir.NamedAttr{Name: name, Attr: a})
			} else if !p.Failed() {
				p.ErrorAt(off, "'%s' op has no attribute that may be %s", s.Def.Name, a)
			}
		} else {
			o := asOperand{name: p.Operand()}
			// The types come after the operands, so the expected type is not known
			// yet. Without one, the value must be defined earlier in the text.
			o.value = p.Resolve(o.name, ir.Type{})
			if p.At("[") {
				o.index = r.indices()
			}
			os = append(os, o)
		}
		if !p.Accept(",") {
			return os
		}
	}
}

// acceptor returns the name of an attribute of definition d that accepts the value a. The
// parameter given contains the attributes that already have values. If several attributes
// accept a, the result is the first one without a value. The result is "" if there is
// none.
func acceptor(d *ir.Def, a ir.Attr, given []ir.NamedAttr) string {
	for _, def := range d.Attrs {
		taken := false
		for _, g := range given {
			taken = taken || g.Name == def.Name
		}
		if !taken && !a.IsZero() && def.Type.CheckAttr(a) {
			return def.Name
		}
	}
	return ""
}

// indices reads a list such as [%i, 0]: SSA values or numbers, which become constants.
func (r *asReader) indices() []*ir.Value {
	p := r.p
	index := []*ir.Value{}
	p.Expect("[")
	p.List("]", func() {
		off := p.Offset()
		if p.AtInteger() {
			index = append(index, r.index(p.LocAt(off), p.Integer()))
		} else {
			index = append(index, p.Resolve(p.Operand(), ir.Index))
		}
	})
	p.Expect("]")
	return index
}

// types reads the types after an instruction, and compares them with the types of the
// operands os. It returns the types of the results.
//
// Types before an arrow are those of operands, and types after it are those of results.
// The text may omit the type of an operand. After the type of a view with indices, it may
// contain the types of the indices. In a text without an arrow, every type that does not
// match an operand is the type of a result.
func (r *asReader) types(os []asOperand) (outs []ir.Type) {
	p, off := r.p, r.p.Offset()
	var ts []ir.Type
	switch {
	case p.At("->"):
	case p.At("("):
		ts = p.TypesInParens()
	default:
		ts = p.Types()
	}
	arrow := p.Accept("->")
	if arrow {
		outs = p.ResultTypes()
	}
	if p.Failed() {
		return nil
	}
	rest := withoutOperands(ts, os)
	if len(rest) > 0 && arrow {
		p.ErrorAt(off, "no operand has the type %s", rest[0])
	}
	return append(rest, outs...)
}

// withoutOperands returns the list ts of types without those that belong to the operands
// os. Types of operands occur in ts in the order of the operands, but some operands have
// no type in ts.
func withoutOperands(ts []ir.Type, os []asOperand) []ir.Type {
	var rest []ir.Type
	for len(ts) > 0 {
		i := slices.IndexFunc(os, func(o asOperand) bool { return o.value.Type() == ts[0] })
		if i < 0 {
			rest = append(rest, ts[0])
			ts = ts[1:]
			continue
		}
		// Operands up to the match have no type in the text, since types are in the
		// order of the operands. The types of the indices may follow that of the
		// view.
		n := len(os[i].index)
		ts, os = ts[1:], os[i+1:]
		for ; n > 0 && len(ts) > 0 && ts[0] == ir.Index; n-- {
			ts = ts[1:]
		}
	}
	return rest
}
