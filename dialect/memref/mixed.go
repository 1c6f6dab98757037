// This file parses lists of values and constants.

package memref

import "ptogo/ir"

// parseMixed parses a list such as [%i, 4], which contains SSA values and constants. It
// appends the SSA values to an operand of the operation; the parameter values is the name
// of this operand. It returns the constants, with ir.Dynamic in place of each SSA value.
func parseMixed(p *ir.Parser, st *ir.OpParse, values string) []int64 {
	ns, os := p.MixedList("[", "]")
	st.Operand(values, os...)
	return ns
}

// printMixed prints a list of constants and values such as [%i, 4]. static is the name of
// the attribute with the constants. arg is the index of the operand declaration that
// contains the values.
func printMixed(w *ir.Printer, op *ir.Op, static string, arg int) {
	from, to := op.ArgRange(arg)
	w.MixedList("[", "]", Static(op, static), op.Operands()[from:to])
}

// Static returns one list of offsets, sizes or strides of op, which the attribute with
// the given name contains. For example, the name is static_offsets. A number that is
// known only at run time is an operand of op; the corresponding entry of the list is
// ir.Dynamic.
func Static(op *ir.Op, name string) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr(name))
	return d.Ints()
}

// The operations subview and reinterpret_cast have a list of offsets, a list of sizes and
// a list of strides. Each list consists of an attribute and of operands. The attribute
// has the constants, and the operands are the values that are known only at run time.
//
// lists contains the names of the three attributes, and listAttrs contains their
// definitions. listValues contains the names of the three groups of operands. listArgs
// contains the definitions of all operands: first the operand source, and then these
// groups.
var (
	lists      = []string{"static_offsets", "static_sizes", "static_strides"}
	listValues = []string{"offsets", "sizes", "strides"}
	listAttrs  = []ir.AttrDef{
		{Name: lists[0], Type: ir.AnyInts, Doc: "where the view starts; the smallest integer marks a dynamic value"},
		{Name: lists[1], Type: ir.AnyInts, Doc: "extents of the view"},
		{Name: lists[2], Type: ir.AnyInts, Doc: "steps between elements"},
	}
	listArgs = []ir.Arg{
		{Name: "source", Type: ir.AnyMemRef},
		{Name: listValues[0], Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
		{Name: listValues[1], Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
		{Name: listValues[2], Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
	}
)

// fitsLists reports whether the operands of op have one value for each ir.Dynamic in
// its lists of offsets, sizes and strides.
func fitsLists(op *ir.Op) bool {
	for i, name := range lists {
		if from, to := op.ArgRange(i + 1); !ir.FitsMixed(Static(op, name), to-from) {
			return false
		}
	}
	return true
}

// verifyLists checks the three lists of op: the offsets, the sizes and the strides. Each
// list consists of an attribute with constants and of operands. It must have one operand
// for each entry that the attribute marks as dynamic. lengths are the required length of
// each list. Constant sizes must not be negative. verifyLists reports the first violation
// and returns false; without a violation, it returns true.
func verifyLists(op *ir.Op, v *ir.Verifier, lengths [3]int) bool {
	for i, name := range lists {
		from, to := op.ArgRange(i + 1)
		if !ir.FitsMixed(Static(op, name), to-from) {
			v.Errorf(op, "has %s for its dynamic %s, but the attribute \"%s\" has another number of dynamic entries",
				ir.Count(to-from, "operand"), listValues[i], name)
			return false
		}
	}
	for i, name := range lists {
		if n := len(Static(op, name)); n != lengths[i] {
			v.Errorf(op, "has %d %s, but requires %d", n, listValues[i], lengths[i])
			return false
		}
	}
	for _, n := range Static(op, lists[1]) {
		if n < 0 && n != ir.Dynamic {
			v.Errorf(op, "has the extent %d, but extents must not be negative", n)
			return false
		}
	}
	return true
}
