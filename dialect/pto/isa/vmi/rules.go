// This file defines constraints for VMI types.

package vmi

import (
	"fmt"
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// vmiOf is a constraint that accepts a VMI vector with lanes of the given types. signs
// restricts the signedness of integers; nil accepts any.
type vmiOf struct {
	on    Elems
	signs []ir.Sign
}

// Sets of signedness of integer lanes. Signless lanes count as unsigned.
var (
	onlySigned = []ir.Sign{ir.Signed}
	notSigned  = []ir.Sign{ir.Signless, ir.Unsigned}
)

// Has reports whether the constraint accepts lanes of type t.
func (r vmiOf) Has(t ir.Type) bool {
	i, isInt := ir.As[ir.IntegerType](t)
	return r.on.Has(t) && (!isInt || r.signs == nil || slices.Contains(r.signs, i.Sign))
}

// Check implements ir.Constraint. It reports whether t is the type of a VMI vector whose
// element type is in the set r.
func (r vmiOf) Check(t ir.Type, _ *ir.Env) bool {
	d, ok := ir.As[VMIVReg](t)
	return ok && r.Has(d.Elem)
}

// elems lists the accepted element types for messages.
func (r vmiOf) elems() string {
	if len(r.signs) == 1 && r.signs[0] == ir.Signed {
		return strings.TrimPrefix(strings.ReplaceAll(" "+r.on.String(), " i", " si"), " ")
	}
	return r.on.String()
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (r vmiOf) Want(*ir.Env) string {
	if r.on == VMIElems {
		return "a !pto.vmi.vreg"
	}
	return "a !pto.vmi.vreg of " + r.elems()
}

// Elems returns the element types that the constraint accepts, which are the same on
// all targets.
func (r vmiOf) Elems(ir.Target) Elems { return r.on }

// Constraints on VMI vectors and masks.
var (
	anyVMI     = vmiOf{on: VMIElems}
	anyVMIMask = ir.TypeIf("a !pto.vmi.mask", ir.Is[VMIMask])
	anyVMIPart = ir.TypeIf("a !pto.vreg or !pto.mask", func(t ir.Type) bool { return ir.Is[VReg](t) || ir.Is[Mask](t) })
)

// likeVMI is a constraint on vectors of any length. It accepts a vector with as many
// lanes as another operand; the first field is the name of this operand. If the field
// elem is true, both must have the same element type. If the field layout is true, both
// must have the same layout. An undecided layout is only equal to an undecided layout.
type likeVMI struct {
	of string
	// lanes is the constraint on the element type of the accepted vectors.
	lanes vmiOf
	// elem means that the element type must be that of the operand of.
	elem bool
	// layout means that the layout must be that of the operand of.
	layout bool
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (r likeVMI) Check(t ir.Type, e *ir.Env) bool {
	d, ok := ir.As[VMIVReg](t)
	if !ok || !r.lanes.Has(d.Elem) {
		return false
	}
	src := e.Type(r.of)
	lanes, layout, ok := VMILanesOf(src)
	return !ok || d.Lanes == lanes && (!r.elem || d.Elem == ir.ElementType(src)) && (!r.layout || d.Layout == layout)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (r likeVMI) Want(e *ir.Env) string {
	want := r.lanes.Want(e)
	if r.elem {
		want = "a !pto.vmi.vreg with the lanes"
		if r.layout {
			want += " and the layout"
		}
		return want + " of \"" + r.of + "\"" + TypeNote(e, r.of)
	}
	want += " with as many lanes as \"" + r.of + "\""
	if r.layout {
		want += " and its layout"
	}
	return want + TypeNote(e, r.of)
}

// vmiMaskFor is a constraint that accepts masks for the lanes of a vector; its value is
// the operand name of the vector. The mask must have as many lanes as the vector, and the
// same layout. The mask type may leave the lane width undecided. If it specifies a lane
// width, this width must be equal to that of the vector.
type vmiMaskFor string

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (of vmiMaskFor) Check(t ir.Type, e *ir.Env) bool {
	m, ok := ir.As[VMIMask](t)
	if !ok {
		return false
	}
	v, ok := ir.As[VMIVReg](e.Type(string(of)))
	return !ok || m.Lanes == v.Lanes && m.Layout == v.Layout && (m.Bits == 0 || int(m.Bits) == 8*ByteSize(v.Elem))
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (of vmiMaskFor) Want(e *ir.Env) string {
	v, ok := ir.As[VMIVReg](e.Type(string(of)))
	if !ok {
		return "a !pto.vmi.mask for the lanes of \"" + string(of) + "\""
	}
	concrete := ir.TypeOf(VMIMask{Lanes: v.Lanes, Bits: uint8(8 * ByteSize(v.Elem)), Layout: v.Layout}).String()
	if v.Layout.IsZero() {
		concrete = ir.TypeOf(VMIMask{Lanes: v.Lanes}).String() + " or " + concrete
	}
	return concrete + ", which fits \"" + string(of) + "\""
}

// vmiPtr is a constraint on a pointer into the unified buffer. The pointer must have the
// same element type as the operand whose name is in the field data. If packed is set, the
// pointer to bytes is legal for 32-bit lanes as well, which are then stored as bytes.
type vmiPtr struct {
	data   string
	packed bool
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (r vmiPtr) Check(t ir.Type, e *ir.Env) bool {
	if !PtrIn(sem.UB).Check(t, e) {
		return false
	}
	data := e.Type(r.data)
	elem, lane := ir.ElementType(t), ir.ElementType(data)
	if r.packed && (Ints8.Has(elem) && Ints32.Has(lane)) {
		return true
	}
	return r.data == "" || data.IsZero() || elem == lane
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (r vmiPtr) Want(e *ir.Env) string {
	want := PtrIn(sem.UB).Want(e)
	switch data := e.Type(r.data); {
	case r.data == "":
		return want
	case data.IsZero():
		return want + " to the lanes of \"" + r.data + "\""
	default:
		return want + " to " + ir.ElementType(data).String() + ", the lanes of \"" + r.data + "\""
	}
}

// perGroup is a constraint on a vector that holds one result for each group of lanes of
// another vector. The number of its lanes is the number of groups, and its element type
// is that of the other vector. The first field is the name of the operand with the other
// vector. The second field is the name of the attribute with the number of groups;
// without this attribute, all lanes form one group.
type perGroup struct{ of, attr string }

// groups returns the number of groups, which an attribute of the instruction contains. If
// the attribute is absent, the result n is 1 and the result given is false.
func (r perGroup) groups(e *ir.Env) (n int64, given bool) {
	n, given = e.Attr(r.attr).AsInt()
	if !given {
		n = 1
	}
	return n, given
}

// Check implements ir.Constraint. It reports whether type t is a vector with one lane per
// group and the element type of the grouped vector. The context e contains the types and
// attributes of the instruction.
func (r perGroup) Check(t ir.Type, e *ir.Env) bool {
	d, ok := ir.As[VMIVReg](t)
	if !ok {
		return false
	}
	n, given := r.groups(e)
	if src := e.Type(r.of); !src.IsZero() && d.Elem != ir.ElementType(src) || d.Lanes != n {
		return false
	}
	return !given || d.Layout.IsZero() || d.Layout.Kind == LayoutGroupSlots
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (r perGroup) Want(e *ir.Env) string {
	src := e.Type(r.of)
	if src.IsZero() { // on a reference page
		return "a !pto.vmi.vreg with one lane per group"
	}
	n, given := r.groups(e)
	want := ir.TypeOf(VMIVReg{Lanes: n, Elem: ir.ElementType(src)}).String()
	if given {
		return want + ", one lane per group, with no layout but num_groups"
	}
	return want + ", since all lanes are one group"
}

// splitsInto returns a rule on the attribute attr, which contains a number of groups. The
// number must be at least the parameter least, and it must divide the number of lanes of
// operand arg.
func splitsInto(arg, attr string, least int64) Rule {
	return Fact(func(op *ir.Op) string {
		n, given := op.Attr(attr).AsInt()
		lanes, _, ok := VMILanesOf(ir.EnvOf(op, 0).Type(arg))
		switch {
		case !given || !ok:
			return ""
		case n < least:
			return fmt.Sprintf("attribute %q must be at least %d, but is %d", attr, least, n)
		case lanes%n != 0:
			return fmt.Sprintf("attribute %q must divide the %d lanes of %q, but is %d", attr, lanes, arg, n)
		}
		return ""
	})
}

// layoutIs returns a rule that requires the layout of operand arg, unless it is
// undecided, to be of one of the given kinds.
func layoutIs(arg string, kinds ...VMILayoutKind) Fact {
	return Fact(func(op *ir.Op) string {
		_, l, ok := VMILanesOf(ir.EnvOf(op, 0).Type(arg))
		if !ok || l.IsZero() || slices.Contains(kinds, l.Kind) {
			return ""
		}
		var names []string
		for _, k := range kinds {
			names = append(names, k.String())
		}
		return fmt.Sprintf("the layout of %q must be %s, but is %s", arg, strings.Join(names, " or "), l)
	})
}

// layoutTogether returns a rule that requires either all of the named operands to have
// a layout, or none.
func layoutTogether(args ...string) Rule {
	return Fact(func(op *ir.Op) string {
		env := ir.EnvOf(op, 0)
		_, first, _ := VMILanesOf(env.Type(args[0]))
		for _, a := range args[1:] {
			if _, l, _ := VMILanesOf(env.Type(a)); l.IsZero() != first.IsZero() {
				return fmt.Sprintf("%q and %q must both have a layout, or neither", args[0], a)
			}
		}
		return ""
	})
}

// denseLayouts are the kinds of layouts in which registers hold all lanes of a vector. In
// the remaining kind of layout, registers hold one lane per group.
var denseLayouts = []VMILayoutKind{LayoutContiguous, LayoutDeinterleaved, LayoutBlockDeinterleaved}

// lanesIn returns a rule that requires the number of lanes of operand arg, a vector, to
// be one of counts.
func lanesIn(arg string, counts ...int64) Rule {
	return Fact(func(op *ir.Op) string {
		lanes, _, ok := VMILanesOf(ir.EnvOf(op, 0).Type(arg))
		if !ok || slices.Contains(counts, lanes) {
			return ""
		}
		last := len(counts) - 1
		list := strings.Trim(strings.ReplaceAll(fmt.Sprint(counts[:last]), " ", ", "), "[]")
		return fmt.Sprintf("%q must have %s or %d lanes, but has %d", arg, list, counts[last], lanes)
	})
}
