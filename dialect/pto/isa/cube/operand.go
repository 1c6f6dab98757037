// This file defines loads of the operand buffers.

package cube

import (
	"fmt"
	"slices"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/dma"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// This file defines the loads of the operands of a matrix product, from L1 into L0A,
// L0B and the buffers of scales. There are two ways to describe such a copy. Control
// operands are the fields of the hardware instruction: which fractals to copy, how
// many, and their distances. Shape operands describe the matrix, from which the
// controls follow. Both have the same types, so the number or the names of the operands
// distinguish the two.

// fieldLoad describes an instruction that loads an operand of the cube unit from L1.
// Its parameters are either the shape of a matrix, or the fields of the hardware
// instruction, such as the index of the first fractal to copy.
type fieldLoad struct {
	name, doc string
	to        sem.Space
	// shape and fields are the names of the parameters in the two groups: shape describes
	// the copied matrix by its size and start, and fields are the individual controls of
	// the hardware. An instruction has parameters of one group. The order is that in
	// which a program writes parameters without their names.
	shape, fields []string
	// scales reports whether the instruction loads the scales of an operand, which are
	// never transposed.
	scales bool
}

// These are operand names of the loads that copy a rectangle of a matrix from L1 to L0A
// or L0B. A program describes the rectangle in one of two ways. The first way is to
// give the fields of the hardware instruction: which fractals to copy, how many, and
// their distances. controls has the names of these fields for loads of data, and
// scaleControls those for loads of scale factors. The second way is to give the numbers of
// rows and columns, the first row and the first column. leftShape has the names of these
// operands for the left matrix of a product, and rightShape those for the right one.
var (
	controls      = []string{"m_start", "k_start", "m_step", "k_step", "src_stride", "dst_stride"}
	scaleControls = []string{"x_start", "y_start", "x_step", "y_step", "src_stride", "dst_stride"}
	leftShape     = []string{"m", "k", "start_row", "start_col"}
	rightShape    = []string{"k", "n", "start_row", "start_col"}
)

// Definitions of the loads of matrix operands, and of their scales, from L1.
var (
	MteL1L0a   = fieldLoad{name: "mte_l1_l0a", doc: "Copies the left operand of a product from L1.", to: sem.L0A, shape: leftShape, fields: controls}.def()
	MteL1L0b   = fieldLoad{name: "mte_l1_l0b", doc: "Copies the right operand of a product from L1.", to: sem.L0B, shape: rightShape, fields: controls}.def()
	MteL1L0aMx = fieldLoad{name: "mte_l1_l0a_mx", doc: "Copies the scales of the left operand from L1.", to: sem.L0A, shape: leftShape, fields: scaleControls, scales: true}.def()
	MteL1L0bMx = fieldLoad{name: "mte_l1_l0b_mx", doc: "Copies the scales of the right operand from L1.", to: sem.L0B, shape: rightShape, fields: scaleControls, scales: true}.def()
)

// def declares the instruction pto.NAME that l describes, a load of a matrix operand from
// L1, and returns its definition.
func (l fieldLoad) def() *ir.Def {
	return Define(l.name, func(name string) *ir.Def {
		o := Op{
			Name: l.name, Doc: l.doc, Pipe: sem.PipeMTE1, Sem: sem.LoadOperand{},
			Attrs:  []ir.AttrDef{{Name: "transpose", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "rows become columns"}},
			Rules:  []Rule{Check(l.groups)},
			Syntax: ir.Hook{ParseFn: l.parse, PrintFn: l.print},
			Notes:  []string{"start_row and start_col may be left out together, for 0."},
			Examples: []string{
				"pto." + l.name + " %p, %q" + dma.ExampleValues(4) + " : " + ptrPair("f16", sem.L1, l.to) + dma.ExampleTypes(4),
				"pto." + l.name + " %p, %q" + dma.ExampleValues(6) + " : " + ptrPair("f16", sem.L1, l.to) + dma.ExampleTypes(6),
			},
		}
		if l.scales {
			o.Sem, o.Attrs = sem.LoadScales{}, nil
			o.Rules = append(o.Rules, alignedPtr("source", 32), alignedPtr("destination", 16))
		} else {
			o.Rules = append(o.Rules, dma.SameWidth)
			o.Examples[0] = "pto." + l.name + " %p, %q" + dma.ExampleValues(4) + " {transpose = true} : " + ptrPair("f16", sem.L1, l.to) + dma.ExampleTypes(4)
		}
		for _, n := range append(slices.Clone(l.shape), l.fields...) {
			o.Ins = append(o.Ins, Opt(n, Count))
		}
		return cubeCopy(o, sem.L1, l.to)
	})
}

// positional returns the names of the instruction parameters if a program writes n
// parameters without names. If n is 2, the parameters are the numbers of rows and columns
// of the matrix. If n is 4, the first row and the first column follow these two. If n is
// 6, the parameters are the fields of the control words. For any other n, the result is
// nil.
func (l fieldLoad) positional(n int) []string {
	switch n {
	case 2, 4:
		return l.shape[:n]
	case 6:
		return l.fields
	}
	return nil
}

// parse parses an instruction that loads an operand of the cube unit: the source, the
// destination, the parameters of the load, the attributes and the types. The parameters
// are the shape of a matrix, or fields of the hardware instruction. The program may write
// them with or without their names.
func (l fieldLoad) parse(p *ir.Parser, st *ir.OpParse) {
	st.Operand("source", p.Operand())
	p.Expect(",")
	st.Operand("destination", p.Operand())
	fields := l.parseFields(p, st)
	st.AttrDict(p)
	p.Expect(":")
	for i, name := range append([]string{"source", "destination"}, fields...) {
		if i > 0 {
			p.Expect(",")
		}
		st.OperandType(name, p.Type())
		if p.Failed() {
			return
		}
	}
}

// parseFields parses the parameters of a load, either in the form %x, %y, ... or in the
// form name(%x), ..., and adds them to st as operands. It returns the names of the
// parameters.
func (l fieldLoad) parseFields(p *ir.Parser, st *ir.OpParse) []string {
	p.Expect(",")
	off := p.Offset()
	if p.AtOperand() {
		os := p.Operands(nil)
		names := l.positional(len(os))
		if names == nil && !p.Failed() {
			p.ErrorAt(off, "'%s' op expects %d shape operands or %d control operands here, but there are %d", st.Def.Name, len(l.shape), len(l.fields), len(os))
		}
		for i, n := range names {
			st.Operand(n, os[i])
		}
		return names
	}
	var names []string
	for !p.Failed() {
		off, name := p.Offset(), p.Keyword(append(slices.Clone(l.shape), l.fields...)...)
		if slices.Contains(names, name) {
			p.ErrorAt(off, "'%s' is given twice", name)
		}
		p.Expect("(")
		if p.Failed() {
			return names
		}
		st.Operand(name, p.Operand())
		p.Expect(")")
		names = append(names, name)
		if !p.Accept(",") {
			break
		}
	}
	return names
}

// print prints the operands of op. The optional operands are printed as name(operand).
// The names are omitted if the number of operands alone determines which operands are
// present.
func (l fieldLoad) print(w *ir.Printer, op *ir.Op) {
	names := l.given(op)
	w.Values(op.Arg("source"), op.Arg("destination"))
	bare := slices.Equal(l.positional(len(names)), names)
	for _, n := range names {
		w.Token(",")
		if bare {
			w.Value(op.Arg(n))
			continue
		}
		w.Token(n)
		w.Token("(")
		w.Value(op.Arg(n))
		w.Token(")")
	}
	w.AttrDict(op)
	w.Token(":")
	ts := []ir.Type{op.Arg("source").Type(), op.Arg("destination").Type()}
	for _, n := range names {
		ts = append(ts, op.Arg(n).Type())
	}
	w.Types(ts...)
}

// given returns the names of those parameters of the load that op has as operands. The
// parameters are the shape of a matrix, or fields of the hardware instruction.
func (l fieldLoad) given(op *ir.Op) []string {
	var names []string
	for _, n := range append(slices.Clone(l.shape), l.fields...) {
		if op.Arg(n) != nil {
			names = append(names, n)
		}
	}
	return names
}

// groups checks which optional operands op has. They belong to two groups: l.shape
// contains the names of the operands for the shape of the copied matrix, and l.fields
// those for the control fields of the hardware instruction. The program must use exactly
// one group, and must specify all its operands. As an exception, a shape may omit the
// first row and the first column, which are then 0. Constant operands must be in range.
// groups returns a message for a violation, and "" otherwise.
func (l fieldLoad) groups(op *ir.Op, _ ir.Target) string {
	names := l.given(op)
	shaped := slices.ContainsFunc(l.shape, func(n string) bool { return op.Arg(n) != nil })
	full := slices.ContainsFunc(l.fields, func(n string) bool { return op.Arg(n) != nil })
	want := l.fields
	switch {
	case shaped && full:
		return "must not have both shape operands and control operands"
	case !shaped && !full:
		return fmt.Sprintf("needs all shape operands, %q, or all control operands, %q", l.shape, l.fields)
	case shaped:
		want = l.shape
		if slices.Equal(names, l.shape[:2]) {
			want = names
		}
	}
	if msg := missing(op, want); msg != "" {
		return msg
	}
	if full && !l.scales {
		return controlFault(op)
	}
	for _, n := range names {
		if c, ok := ConstantInt(op.Arg(n)); ok && c < 0 {
			return fmt.Sprintf("operand \"%s\" must not be negative, but is %d", n, c)
		}
	}
	return ""
}

// controlFault checks an instruction that loads a matrix into an operand buffer of the
// cube unit. Several operands of the instruction select the fractals to load.
// controlFault checks those of them that are constant. It returns a message if one does
// not fit into its hardware field, and "" otherwise. Fields have 16 bits, or 8 bits for
// numbers of fractals. All these operands must be positive, except the first row and
// column, which may be 0.
func controlFault(op *ir.Op) string {
	for i, n := range controls {
		lo, hi := int64(1), int64(1<<16-1)
		switch i {
		case 0, 1:
			lo = 0
		case 2, 3:
			hi = 255
		}
		if c, ok := ConstantInt(op.Arg(n)); ok && (c < lo || c > hi) {
			return fmt.Sprintf("operand \"%s\" must be between %d and %d, but is %d", n, lo, hi, c)
		}
	}
	return ""
}

// alignedPtr returns a rule that requires the named pointer, if its address is a
// constant, to be a multiple of n bytes. Other pointers are checked at run time.
func alignedPtr(name string, n int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		from := op.Arg(name).Op()
		if from == nil || from.Def().Sem != any(sem.CastPtr{}) {
			return ""
		}
		if a, ok := ConstantInt(from.Operand(0)); ok && a%n != 0 {
			return fmt.Sprintf("operand \"%s\" must be a multiple of %d bytes, but is %d", name, n, a)
		}
		return ""
	})
}

// Definitions of the loads of matrix operands for which each hardware control is a
// separate operand, such as the first row and the number of fractals. 4-bit elements have
// separate instructions.
var (
	LoadCbufToCa   = controlLoad("load_cbuf_to_ca", sem.L0A, "f16", notFP4)
	LoadCbufToCb   = controlLoad("load_cbuf_to_cb", sem.L0B, "f16", notFP4)
	LoadCbufToCaS4 = controlLoad("load_cbuf_to_ca_s4", sem.L0A, "!pto.f4E2M1x2", onlyFP4)
	LoadCbufToCbS4 = controlLoad("load_cbuf_to_cb_s4", sem.L0B, "!pto.f4E2M1x2", onlyFP4)
	LoadCbufToCaMx = scaleLoad("load_cbuf_to_ca_mx", sem.L0A)
	LoadCbufToCbMx = scaleLoad("load_cbuf_to_cb_mx", sem.L0B)
)

// controlLoad declares the instruction pto.NAME, which copies fractals of a matrix
// operand from L1 to an operand buffer. The parameter to is the memory space of this
// buffer. The instruction has one operand for each hardware control. elem is the element
// type in the example, and types4 is the rule about 4-bit elements.
func controlLoad(name string, to sem.Space, elem string, types4 Rule) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Doc: "Copies fractals of an operand from L1.", Pipe: sem.PipeMTE1, Page: VptoODS,
			Ins:   Counts(controls...),
			Attrs: []ir.AttrDef{{Name: "transpose", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "rows become columns"}},
			Sem:   sem.LoadOperand{},
			Rules: []Rule{types4, dma.SameWidth, Check(func(op *ir.Op, _ ir.Target) string { return controlFault(op) })},
			Examples: []string{
				"pto." + name + " %p, %q" + dma.ExampleValues(6) + " {transpose = true} : " + ptrPair(elem, sem.L1, to) + dma.ExampleTypes(6),
			},
		}
		if elem != "f16" { // here it is an operand
			o.Ins, o.Attrs = append(o.Ins, In("transpose", Count)), nil
			o.Rules = append(o.Rules, ConstantBetween("transpose", 0, 1))
			o.Examples = []string{"pto." + name + " %p, %q" + dma.ExampleValues(7) + " : " + ptrPair(elem, sem.L1, to) + dma.ExampleTypes(7)}
		}
		return cubeCopy(o, sem.L1, to)
	})
}

// scaleLoad declares the instruction with the given name, which copies the scales of a
// matrix operand from L1. The parameter to is the memory space of the destination.
func scaleLoad(name string, to sem.Space) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return cubeCopy(Op{
			Name: name, Doc: "Copies scales of an operand from L1.", Pipe: sem.PipeMTE1, Page: VptoODS,
			Ins:      Counts(scaleControls...),
			Sem:      sem.LoadScales{},
			Examples: []string{"pto." + name + " %p, %q" + dma.ExampleValues(6) + " : !pto.ptr<!pto.f8E8M0, l1>, " + dma.PtrText("f8E4M3FN", to) + dma.ExampleTypes(6)},
		}, sem.L1, to)
	})
}

// notFP4 is the rule that the operands source and destination of a load must not refer to
// elements of 4-bit floats. Another instruction, with the suffix _s4, loads such
// elements.
var notFP4 = Check(func(op *ir.Op, t ir.Target) string {
	for _, name := range []string{"source", "destination"} {
		if e := ir.ElementType(ir.EnvOf(op, t).Type(name)); FP4.Has(e) {
			return fmt.Sprintf("\"%s\" has elements of type %s, which only the instruction with the suffix _s4 loads", name, e)
		}
	}
	return ""
})

// onlyFP4 is the rule that requires the same 4-bit element type at the source and the
// destination.
var onlyFP4 = Check(func(op *ir.Op, t ir.Target) string {
	env := ir.EnvOf(op, t)
	for _, name := range []string{"source", "destination"} {
		if e := ir.ElementType(env.Type(name)); !FP4.Has(e) {
			return fmt.Sprintf("\"%s\" must have elements of type !pto.f4E1M2x2 or !pto.f4E2M1x2, but has %s", name, e)
		}
	}
	if a, b := ir.ElementType(env.Type("source")), ir.ElementType(env.Type("destination")); a != b {
		return fmt.Sprintf("\"source\" and \"destination\" must have the same elements, but have %s and %s", a, b)
	}
	return ""
})

// allOrNone returns a rule that requires either all of the named optional operands or
// none.
func allOrNone(names ...string) Rule {
	return Fact(func(op *ir.Op) string { return missing(op, names) })
}

// missing returns a message if op has some of the operands with the given names, but not
// all of them. The message contains the name of an absent operand. If op has all or none
// of them, missing returns "".
func missing(op *ir.Op, names []string) string {
	given := slices.IndexFunc(names, func(n string) bool { return op.Arg(n) != nil })
	for _, n := range names {
		if given >= 0 && op.Arg(n) == nil {
			return fmt.Sprintf("has operand \"%s\", so it needs \"%s\"", names[given], n)
		}
	}
	return ""
}
