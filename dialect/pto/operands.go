package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"strconv"
	"strings"
)

var Count = ir.Written(ir.I64)

// Counts declares operands of 64 bits.
func Counts(names ...string) Args {
	args := make(Args, len(names))
	for i, n := range names {
		args[i] = In(n, Count)
	}
	return args
}

// ConstantInt returns the value of v if it is a constant integer.
func ConstantInt(v *ir.Value) (int64, bool) {
	if v == nil || v.Op() == nil || !v.Op().HasTrait(ir.ConstantLike) {
		return 0, false
	}
	return v.Op().Attr("value").AsInt()
}

// ConstantIn asks for an operand that is a constant between lo and hi.
func ConstantIn(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		v := op.Arg(arg)
		c, ok := ConstantInt(v)
		switch {
		case !ok:
			return "operand \"" + arg + "\" must be a constant"
		case c < lo || c > hi:
			return "operand \"" + arg + "\" must be between " + strconv.FormatInt(lo, 10) + " and " +
				strconv.FormatInt(hi, 10) + ", but is " + strconv.FormatInt(c, 10)
		}
		return ""
	})
}

// ConstantBetween asks that an operand lies between lo and hi if it is a
// constant.
func ConstantBetween(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		n, ok := ConstantInt(op.Arg(arg))
		if !ok || n >= lo && n <= hi {
			return ""
		}
		return "operand \"" + arg + "\" must be between " + Itoa(lo) + " and " + Itoa(hi) + ", but is " + Itoa(n)
	})
}

// IntIn accepts integers of type t between lo and hi.
func IntIn(t ir.Type, lo, hi int64) ir.AttrConstraint {
	return &intRange{ir.IntOf(t), lo, hi}
}

type intRange struct {
	ir.AttrConstraint
	lo, hi int64
}

// CheckAttr implements ir.AttrConstraint.
func (r *intRange) CheckAttr(a ir.Attr) bool {
	n, ok := a.AsInt()
	return ok && r.AttrConstraint.CheckAttr(a) && n >= r.lo && n <= r.hi
}

// WantAttr implements ir.AttrConstraint.
func (r *intRange) WantAttr() string {
	if r.hi == 1<<31-1 {
		return r.AttrConstraint.WantAttr() + ", at least " + Itoa(r.lo)
	}
	return r.AttrConstraint.WantAttr() + " between " + Itoa(r.lo) + " and " + Itoa(r.hi)
}

// Unwrap lets the text leave out the type of the number.
func (r *intRange) Unwrap() ir.AttrConstraint { return r.AttrConstraint }

func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// PtrTo accepts a pointer to elements of the given types, described by want,
// in one of the given spaces.
func PtrTo(want string, on Elems, spaces ...sem.Space) ir.Constraint {
	in := PtrIn(spaces...)
	return ir.TypeIf(in.Want(nil)+" to "+want, func(t ir.Type) bool {
		return in.Check(t, nil) && on.Has(ir.ElementType(t))
	})
}

var WrittenI32 = ir.Written(ir.I32)

var WrittenI16 = ir.Written(ir.I16)

// uint returns the unsigned integer type of the given width.
func UintType(width uint32) ir.Type {
	return ir.TypeOf(ir.IntegerType{Width: width, Sign: ir.Unsigned})
}

// VregType is the register type with elements t.
func VregType(t ir.Type) ir.Type {
	return ir.TypeOf(VReg{int64(VectorBytes / ByteSize(t)), t})
}

// TypeNote is the type of an argument for messages.
func TypeNote(e *ir.Env, name string) string {
	if t := e.Type(name); !t.IsZero() {
		return ", " + t.String()
	}
	return ""
}

// AnyTile accepts every tile, of either level.
var AnyTile = ir.TypeIf("a !pto.tile_buf or !pto.tile", IsTile)

var TileOrView = ir.TypeIf("a tile or view", func(t ir.Type) bool {
	return IsTile(t) || ir.Is[TensorView](t) || ir.Is[PartitionView](t) || ir.Is[ir.MemRefType](t)
})

func MaskType(bits int) ir.Type { return ir.TypeOf(Mask{uint8(bits)}) }

// SampleElem returns the element type that examples use: f32 if it is legal,
// else the widest up to 32 bits.
func SampleElem(on Elems) ir.Type {
	for _, c := range []struct {
		e Elems
		t ir.Type
	}{
		{F32, ir.F32}, {I32, ir.I32}, {U32, UintType(32)}, {F16, ir.F16}, {BF16, ir.BF16},
		{I16, ir.I16}, {U16, UintType(16)}, {I8, ir.I8}, {U8, UintType(8)},
	} {
		if on&c.e != 0 {
			return c.t
		}
	}
	panic("BUG: no sample of " + on.String())
}

var ReadsSource = []Access{{Arg: "source", Read: true}}

var WritesDestination = []Access{{Arg: "destination", Write: true}}

// AttrWanted returns the fault of an instruction that lacks the attribute name, or
// that has it although it is not wanted.
func AttrWanted(name string, wanted bool) string {
	if wanted {
		return "needs the attribute \"" + name + "\""
	}
	return "must not have the attribute \"" + name + "\""
}

// Spelled accepts the given words. They may also be written with a prefix, or
// as the other spellings that others maps to them.
func Spelled(prefix string, others map[string]string, words ...string) ir.AttrConstraint {
	return &spellings{ir.StrIn(words...), prefix, others}
}

type spellings struct {
	ir.AttrConstraint
	prefix string
	others map[string]string
}

// Canonical implements ir.Speller.
func (s *spellings) Canonical(a ir.Attr) ir.Attr {
	word, ok := a.AsString()
	if !ok {
		return a
	}
	if w, ok := s.others[word]; ok {
		return ir.Str(w)
	}
	if w := strings.TrimPrefix(word, s.prefix); s.CheckAttr(ir.Str(w)) {
		return ir.Str(w)
	}
	return a
}

// PtrNoMemRef accepts a pointer into any space.
var PtrNoMemRef = ir.TypeIf("a !pto.ptr", ir.Is[PtrType])
