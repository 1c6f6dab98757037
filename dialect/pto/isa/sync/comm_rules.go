// This file checks communication instructions.

package sync

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rules on the operands of communication instructions.

// samePong returns a rule on two staging tiles: they must have the same type. The
// parameters ping and pong are the names of their operands. An instruction may omit the
// second tile; the rule then accepts it.
func samePong(ping, pong string) Rule {
	return Fact(func(op *ir.Op) string {
		env := ir.EnvOf(op, 0)
		a, b := env.Type(ping), env.Type(pong)
		if b.IsZero() || a == b {
			return ""
		}
		return fmt.Sprintf("\"%s\" and \"%s\" must have the same type, but are %s and %s", ping, pong, a, b)
	})
}

// knownExtents returns a rule that requires the named operand, a tensor in global memory,
// to have positive constant dimensions. If dynamic is set and the operand is a
// rectangular region of a tensor (!pto.partition_tensor_view), its dimensions may also be
// dynamic.
func knownExtents(name string, dynamic bool) Rule {
	return Fact(func(op *ir.Op) string {
		typ := ir.EnvOf(op, 0).Type(name)
		if msg := extentFault(typ, dynamic); msg != "" {
			return "extents of \"" + name + "\" must be " + msg
		}
		return ""
	})
}

// extentFault returns a message if an extent of a tensor type is not legal, and ""
// otherwise. A legal extent is positive. If the parameter dynamic is set, the extents of
// a partition may also be dynamic (known only at run time).
func extentFault(view ir.Type, dynamic bool) string {
	dims, _ := ViewDims(view)
	for i := range dims.Len() {
		switch d := dims.At(i); {
		case d == ir.Dynamic && !dynamic:
			return fmt.Sprintf("static, but extent %d of %s is not", i, view)
		case d == ir.Dynamic && ir.Is[TensorView](view):
			return fmt.Sprintf("static except in a !pto.partition_tensor_view, but extent %d of %s is not", i, view)
		case d <= 0 && d != ir.Dynamic:
			return fmt.Sprintf("positive, but extent %d of %s is %d", i, view, d)
		}
	}
	return ""
}

// wholeChunks returns rules about two operands: a tensor, the parameter view, and the
// staging tile through which it is copied, the parameter tile. A tensor that is larger
// than the tile must be divisible into chunks of the size of the tile. The reason is that
// a tile with a constant valid region cannot hold a smaller last chunk.
//
// Public programs have tensors with fewer columns or rows than the tile, which the same
// assertion refuses, so these are warnings.
func wholeChunks(view, tile string) []Rule {
	rule := DeviceRule{
		On: sem.OnAll, Class: "chunks",
		Does:   "the NPU headers copy a tensor that is larger than the tile in chunks of the tile, and assert that rows and columns are multiples of a constant valid region",
		Header: "gShape3 % tileValidRow == 0 and gShape4 % tileValidCol == 0 in comm/a2a3/TPut.hpp, TGet.hpp and the collectives of pto-isa",
		Way:    "leave the valid region of the tile open (valid=?x?), so that the last chunk can be smaller",
	}
	larger, smaller := rule, rule
	larger.Broken = func(op *ir.Op, _ ir.Target, x DeviceOperands) string { return ragged(op, x, view, tile, false) }
	smaller.Warns = sem.OnAll
	smaller.Broken = func(op *ir.Op, _ ir.Target, x DeviceOperands) string { return ragged(op, x, view, tile, true) }
	return []Rule{larger, smaller}
}

// ragged describes why a tensor cannot be copied in whole chunks of a tile, or returns
// "". below selects extents that are less than the chunk.
func ragged(op *ir.Op, x DeviceOperands, view, tile string, below bool) string {
	fixed, ok := ConstantOperands{Op: op}.Tile(tile)
	now, _ := x.Tile(tile)
	v, ok2 := x.View(view)
	if !ok2 {
		v, ok2 = viewOfType(op, view)
	}
	if !ok || !ok2 {
		return ""
	}
	rows := int64(1)
	for _, n := range v.Size[:4] {
		if n == ir.Dynamic {
			rows = n
			break
		}
		rows *= n
	}
	known := rows != ir.Dynamic && v.Size[4] != ir.Dynamic
	small := known && rows <= now.VRows && v.Size[4] <= now.VCols
	for _, c := range []struct {
		what           string
		size, chunk, n int64
	}{{"rows", v.Size[3], fixed.VRows, rows}, {"columns", v.Size[4], fixed.VCols, v.Size[4]}} {
		switch {
		case c.chunk == ir.Dynamic || c.size == ir.Dynamic || c.n == 0:
		case c.chunk <= 0:
			if !below {
				return fmt.Sprintf("\"%s\" must have valid %s, but has %d", tile, c.what, c.chunk)
			}
		case !small && c.size%c.chunk != 0 && c.size < c.chunk == below && (known || !below):
			return fmt.Sprintf("\"%s\" is copied in chunks of %d %s, so it must have a multiple of that, but has %d", view, c.chunk, c.what, c.size)
		}
	}
	return ""
}

// viewOfType returns the sizes of the named tensor operand of op, as far as its type
// contains them. The bool result is false if the operand is not a tensor.
func viewOfType(op *ir.Op, name string) (v ViewInfo, ok bool) {
	dims, ok := ViewDims(ir.EnvOf(op, 0).Type(name))
	if !ok || dims.Len() > ViewRank {
		return v, false
	}
	shift := ViewRank - dims.Len()
	for i := range v.Size {
		v.Size[i], v.Stride[i] = 1, ir.Dynamic
		if i >= shift {
			v.Size[i] = dims.At(i - shift)
		}
	}
	return v, true
}

// signalView is the rule that a signal between ranks has elements of type i32.
var signalView = Fact(func(op *ir.Op) string {
	if e := ir.ElementType(ir.EnvOf(op, 0).Type("signal")); e != ir.I32 {
		return "\"signal\" must have elements of type i32, but has " + e.String()
	}
	return ""
})

// collectiveGroup returns a rule on the operands of a collective operation. The group
// must contain at least one tensor, all its tensors must have the same type, and the root
// must be a member. data is the name of one further operand. If sameType is set, the type
// of this operand must be equal to the type of the tensors. If it is not set, only the
// element types must be equal.
func collectiveGroup(data string, sameType bool) Rule {
	return Fact(func(op *ir.Op) string {
		group := op.Args("group")
		if len(group) == 0 {
			return "needs a group"
		}
		want, first := ir.EnvOf(op, 0).Type(data), group[0].Type()
		for i, g := range group {
			if g.Type() != first {
				return fmt.Sprintf("members of the group must have the same type, but member 0 is %s and member %d is %s", first, i, g.Type())
			}
		}
		switch root, _ := op.Attr("root").AsInt(); {
		case root < 0 || root >= int64(len(group)):
			return fmt.Sprintf("root must be a rank of the group, 0 to %d, but is %d", len(group)-1, root)
		case ir.ElementType(first) != ir.ElementType(want):
			return fmt.Sprintf("members of the group must have elements of type %s, as \"%s\" has, but are %s", ir.ElementType(want), data, first)
		case sameType && first != want:
			return fmt.Sprintf("members of the group must have the type of \"%s\", %s, but are %s", data, want, first)
		}
		if msg := extentFault(first, false); msg != "" {
			return "extents of the group must be " + msg
		}
		return ""
	})
}

// flatView returns a rule that requires the named tensor to be contiguous in memory. All
// its extents except the last must be 1, and the last must be positive. The headers of the
// device library also read this extent at run time.
func flatView(name string) Rule {
	return Fact(func(op *ir.Op) string {
		view := ir.EnvOf(op, 0).Type(name)
		dims, _ := ViewDims(view)
		for i := range dims.Len() {
			switch d := dims.At(i); {
			case i == dims.Len()-1 && d == ir.Dynamic:
				if msg := OnlyInLibrary(op, fmt.Sprintf("extents of \"%s\" must be static, but it is %s", name, view)); msg != "" {
					return msg
				}
			case i == dims.Len()-1 && d <= 0:
				return fmt.Sprintf("the last extent of \"%s\" must be positive, but it is %s", name, view)
			case i < dims.Len()-1 && d != 1:
				return fmt.Sprintf("\"%s\" must be contiguous, with all extents except the last equal to 1, but it is %s", name, view)
			}
		}
		return ""
	})
}
