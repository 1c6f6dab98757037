// This file defines constraints for tile operands: element types, memory space and
// layout.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TileRule is a constraint that accepts tiles with certain element types, memory spaces
// and layouts: !pto.tile at Level 1 (tiles as values), and !pto.tile_buf at Level 2
// (tiles as buffers). Without spaces, it accepts tiles in any memory. Its methods return
// stricter rules.
type TileRule struct {
	on     On
	spaces sem.Spaces
	// more are additional memory spaces that only the profiles (targets) in where accept.
	more  sem.Spaces
	where sem.Profiles
	b, s  layoutWant
	// scratch marks the rule of a scratch tile, which holds intermediate values. With
	// feature LooseScratch, the rule accepts any tile in vec, and scratchType warns about
	// the other requirements.
	scratch bool
}

// layoutWant contains a tile layout and a set of profiles (targets). On these profiles, a
// tile must have this layout. On all others, it may have any layout.
type layoutWant struct {
	layout Layout
	where  sem.Profiles
}

// TileIn returns a constraint that accepts a tile in one of the given memory spaces. The
// parameter on maps each target to the accepted element types.
//
//go:noinline
func TileIn(on On, spaces ...sem.Space) TileRule {
	return TileRule{on: on, spaces: sem.SpacesOf(spaces...)}
}

// Also returns a copy of r that accepts the given memory spaces in addition. The
// parameter where is the set of profiles (targets) on which it accepts these spaces.
func (r TileRule) Also(where sem.Profiles, spaces ...sem.Space) TileRule {
	r.more, r.where = sem.SpacesOf(spaces...), where
	return r
}

// spacesOn returns the memory spaces that the rule accepts on target t. An empty set
// means that it accepts every space.
func (r TileRule) spacesOn(t ir.Target) sem.Spaces {
	if r.where.Has(t) || t == 0 {
		return r.spaces | r.more
	}
	return r.spaces
}

// VecTile returns a constraint that accepts a tile in vec, the unified buffer. The
// parameter on holds the set of accepted element types for each target.
//
//go:noinline
func VecTile(on On) TileRule { return TileIn(on, sem.UB) }

// RowMajorTile returns a constraint that accepts a tile in vec, the unified buffer. The
// parameter on holds the accepted element types for each target. On the profiles
// (targets) in where, the tile must have row-major storage.
//
//go:noinline
func RowMajorTile(on On, where sem.Profiles) TileRule { return VecTile(on).RowMajor(where) }

// RowMajor returns a copy of the rule with an additional requirement: row-major storage.
// The requirement applies only on the targets in the given set of profiles.
func (r TileRule) RowMajor(where sem.Profiles) TileRule {
	r.b = layoutWant{RowMajor, where}
	return r
}

// Unboxed returns a rule that requires storage without boxes (the inner blocks of tiles
// for the cube unit).
func (r TileRule) Unboxed(targets sem.Profiles) TileRule {
	r.s = layoutWant{NoneBox, targets}
	return r
}

// InnerOrder returns a rule that requires order s for the elements inside boxes, the
// inner blocks of tiles for the cube unit. The order of the boxes themselves is
// arbitrary.
func (r TileRule) InnerOrder(s Layout, targets sem.Profiles) TileRule {
	r.s = layoutWant{s, targets}
	return r
}

// Boxed returns a rule that requires storage in boxes, the inner blocks of tiles for the
// cube unit. b is the required order of the boxes, and s is the required order of the
// elements inside a box.
func (r TileRule) Boxed(b, s Layout, targets sem.Profiles) TileRule {
	r.b, r.s = layoutWant{b, targets}, layoutWant{s, targets}
	return r
}

// Check implements ir.Constraint. It reports whether t is a tile that satisfies the rule
// for the instruction and target in e.
func (r TileRule) Check(t ir.Type, e *ir.Env) bool {
	info, ok := tileFor(t, e)
	if ok && r.scratch && e.Features&LooseScratch != 0 {
		return info.Space == sem.UB
	}
	if !ok || !r.on.For(e.Target).Has(info.Elem) {
		return false
	}
	spaces := r.spacesOn(e.Target)
	return (spaces == 0 || spaces.Has(info.Space)) && r.layoutOK(info, e.Target)
}

// layoutOK reports whether the layout of a tile satisfies the rule on target t. info
// describes the tile.
func (r TileRule) layoutOK(info TileInfo, t ir.Target) bool {
	if r.b.where.Has(t) && info.BLayout != r.b.layout && !oneDim(info) {
		return false
	}
	return !r.s.where.Has(t) || info.SLayout == r.s.layout
}

// oneDim reports whether a tile has a single element, so that row-major and column-major
// storage are the same.
func oneDim(t TileInfo) bool { return t.SLayout == NoneBox && t.Cols == 1 && t.Rows == 1 }

// tileFor returns the description of the tile type t. ok is false if t is not a tile
// type, or if t is a tile type of the other level: values (!pto.tile) belong to Level 1,
// and buffers (!pto.tile_buf) to Level 2.
func tileFor(t ir.Type, e *ir.Env) (TileInfo, bool) {
	switch d := t.Data().(type) {
	case Tile:
		return d.TileInfo, e.Form.Level != ir.DPS
	case TileBuf:
		return d.TileInfo, e.Form.Level != ir.SSA
	}
	return TileInfo{}, false
}

// Want implements ir.Constraint. It describes the accepted tiles for error messages.
func (r TileRule) Want(e *ir.Env) string {
	elems := r.on.For(e.Target)
	if elems == AnyElem.A5 {
		return tileWord(e) + r.wantPlace(e)
	}
	return tileWord(e) + " of " + elems.String() + r.wantPlace(e)
}

// wantPlace describes the accepted memory spaces and layouts for error messages, such as
// " in vec, blayout=row_major".
func (r TileRule) wantPlace(e *ir.Env) string {
	s := r.spacesOn(e.Target).In()
	if r.b.where.Has(e.Target) {
		s += ", blayout=" + r.b.layout.String()
	}
	if r.s.where.Has(e.Target) {
		s += ", slayout=" + r.s.layout.String()
	}
	return s
}

// ParseTypeBody implements ir.TypeBody. It parses the rest of a tile type after its name.
// l is the level of the instruction: the result is a buffer type at Level 2, and the type
// of a tile value at Level 1.
func (TileRule) ParseTypeBody(p *ir.Parser, l ir.Level) ir.Type { return tileType(p, l == ir.DPS) }

// AnyElem contains every element type except 4-bit integers, which only conversion
// instructions accept.
var AnyElem = Both(^I4)

// FactorElem contains the element types of tables with one factor per column. It excludes
// pairs of 4-bit numbers, because a column would then have two factors.
var FactorElem = Both(^(I4 | FP4))

// tileWord returns the name of the tile types for messages, with an article: !pto.tile
// for an instruction of Level 1, where tiles are values, and !pto.tile_buf for one of
// Level 2, where tiles are buffers.
func tileWord(e *ir.Env) string {
	if e.Form.Level == ir.SSA {
		return "a !pto.tile"
	}
	return "a !pto.tile_buf"
}

// Hint implements ir.Hinter. It returns a note for an error about type t that suggests
// how to correct the program, or "".
func (r TileRule) Hint(t ir.Type, e *ir.Env) string {
	switch {
	case e.Form.Level == ir.SSA && ir.Is[TileBuf](t):
		return "an instruction on !pto.tile_buf names what it reads in ins(...) and what it writes in outs(...)"
	case e.Form.Level == ir.DPS && ir.Is[Tile](t):
		return "an instruction on !pto.tile returns its result: %d = " + e.Def.Name + " ... -> !pto.tile<...>"
	case ir.Is[ir.MemRefType](t) && SpaceOf(t) != sem.GM:
		return internalIR
	case ir.Is[TensorView](t) || ir.Is[PartitionView](t):
		return "'pto.tload' copies a part of a tensor into a tile"
	case I4.Has(ir.ElementType(t)):
		return "'pto.tcvt' converts 4-bit integers from and to f16 on A2/A3; 'pto.treshape' reinterprets two of them as one byte"
	}
	if info, ok := tileFor(t, e); ok {
		return r.tileHint(info, e)
	}
	return ""
}

// MovesTo and Converts describe what the instructions tmov (move) and tcvt (convert)
// support; error messages use them for notes.
//
// MovesTo receives the memory space of a tile and a set of memory spaces. It returns a
// space from this set to which the tile can be moved, or sem.NoSpace. Converts returns the
// types to which elements of type elem can be converted.
//
// The package that defines the two instructions assigns these variables. It imports this
// package, so this package cannot call it directly.
var (
	MovesTo  = func(from sem.Space, to sem.Spaces, t ir.Target) (sem.Space, bool) { return sem.NoSpace, false }
	Converts = func(elem ir.Type, t ir.Target) Elems { return 0 }
)

// otherSign returns the integer type of the same width as t with the other signedness:
// unsigned for signless or signed integers, signless for unsigned ones.
func otherSign(t ir.Type) (ir.Type, bool) {
	d, ok := ir.As[ir.IntegerType](t)
	if !ok || d.Width < 8 {
		return ir.Type{}, false
	}
	if d.Sign == ir.Unsigned {
		d.Sign = ir.Signless
	} else {
		d.Sign = ir.Unsigned
	}
	return ir.TypeOf(d), true
}

// tileHint returns a note for an error about a tile, which info describes. The note names
// the instruction with which a program can move or convert the tile so that the rule
// accepts it. The result is "" if no instruction can do that.
func (r TileRule) tileHint(info TileInfo, e *ir.Env) string {
	spaces := r.spacesOn(e.Target)
	switch {
	case spaces != 0 && !spaces.Has(info.Space):
		if to, ok := MovesTo(info.Space, spaces, e.Target); ok {
			return "'pto.tmov' moves tiles from " + info.Space.Loc() + " to " + to.Loc()
		}
	case !r.on.For(e.Target).Has(info.Elem):
		wanted := r.on.For(e.Target)
		if bits, ok := otherSign(info.Elem); ok && wanted.Has(bits) {
			return "'pto.treshape' reads the same bits as " + bits.String()
		}
		if to := wanted & Converts(info.Elem, e.Target); spaces.Has(sem.UB) && to != 0 {
			return "'pto.tcvt' converts elements of type " + info.Elem.String() + " to " + to.String()
		}
	case !r.layoutOK(info, e.Target) && r.b.layout == RowMajor && info.Cols == 1:
		return "'pto.treshape' turns a column into a row, and a row into a column"
	}
	return ""
}

// TargetName implements ir.Targeted. It returns the name of target t for messages.
func (r TileRule) TargetName(t ir.Target) string { return sem.ProfileName(t) }

// Elems returns the element types that the rule accepts on target t.
func (r TileRule) Elems(t ir.Target) Elems { return r.on.For(t) }

// Legal returns the element types that constraint c accepts on target t. The bool result
// is false if c does not restrict element types.
func Legal(c ir.Constraint, t ir.Target) (Elems, bool) {
	r, ok := c.(interface{ Elems(ir.Target) Elems })
	if !ok {
		return 0, false
	}
	return r.Elems(t), true
}

// LikeTile returns a constraint that accepts tiles with the element type and the memory
// space of the operand with the given name. If the program omits the type of a result
// with this constraint, the type is inferred to be that of the operand.
func LikeTile(name string) LikeRule { return LikeRule{name: name} }

// LikeRule is a constraint that accepts tiles with the element type of another operand.
// LikeTile returns it; its methods return stricter rules.
type LikeRule struct {
	name string
	// spaces are the accepted memory spaces. If the set is empty, the tile must be in the
	// memory space of the operand name, whose element type the rule also requires.
	spaces sem.Spaces
	b, s   layoutWant
}

// RowMajor returns a copy of the rule with one additional requirement: the tile must have
// row-major storage.
func (c LikeRule) RowMajor(targets sem.Profiles) LikeRule {
	c.b = layoutWant{RowMajor, targets}
	return c
}

// Unboxed returns a copy of the rule with one additional requirement: the storage of the
// tile must not have boxes (inner blocks).
func (c LikeRule) Unboxed(targets sem.Profiles) LikeRule {
	c.s = layoutWant{NoneBox, targets}
	return c
}

// Boxed returns a copy of the rule with an additional requirement: storage in boxes
// (inner blocks) with elements in order s inside each box. The requirement applies only
// on the targets in the given set of profiles.
func (c LikeRule) Boxed(s Layout, where sem.Profiles) LikeRule {
	c.s = layoutWant{s, where}
	return c
}

// InSpaces returns a copy of the rule with other memory spaces: the tile must be in one
// of the given spaces. The rule c itself usually requires the memory space of the operand
// with which it compares the tile.
func (c LikeRule) InSpaces(spaces ...sem.Space) LikeRule {
	c.spaces = sem.SpacesOf(spaces...)
	return c
}

// place returns a TileRule with the memory spaces and the layout that c requires. The
// returned rule accepts every element type, although c requires that of another operand.
func (c LikeRule) place() TileRule { return TileRule{spaces: c.spaces, b: c.b, s: c.s} }

// want returns what the rule requires in the instruction that e describes. The result r
// is a rule on the memory space and the layout, and elem is the required element type. ok
// is false if the instruction does not have the operand on which the rule depends.
func (c LikeRule) want(e *ir.Env) (r TileRule, elem ir.Type, ok bool) {
	src := e.Type(c.name)
	r = c.place()
	if r.spaces == 0 {
		r.spaces = sem.SpacesOf(SpaceOf(src))
	}
	return r, ir.ElementType(src), !src.IsZero()
}

// Check implements ir.Constraint. It reports whether t is a tile with the required
// element type, memory space and layout.
func (c LikeRule) Check(t ir.Type, e *ir.Env) bool {
	info, isTile := tileFor(t, e)
	r, elem, known := c.want(e)
	if !isTile || !known {
		return isTile
	}
	return info.Elem == elem && (r.spaces == 0 || r.spaces.Has(info.Space)) && r.layoutOK(info, e.Target)
}

// Want implements ir.Constraint. It describes the accepted tiles for error messages and
// reference pages.
func (c LikeRule) Want(e *ir.Env) string {
	if e.Type(c.name).IsZero() { // on a reference page
		return tileWord(e) + " with the element type of \"" + c.name + "\"" + c.place().wantPlace(e)
	}
	r, elem, _ := c.want(e)
	if c.spaces != 0 {
		return tileWord(e) + " of " + elem.String() + ", as \"" + c.name + "\" has," + r.wantPlace(e)
	}
	return tileWord(e) + " of " + elem.String() + r.wantPlace(e) + ", as \"" + c.name + "\" is"
}

// Follows implements ir.Follower. It returns the name of the operand on whose type the
// rule depends.
func (c LikeRule) Follows() string { return c.name }

// Infer implements ir.Inferrer. It returns the type of the operand on which the rule
// depends if this is a Level 1 tile (a value), and the zero type otherwise.
func (c LikeRule) Infer(e *ir.Env) ir.Type {
	if t := e.Type(c.name); ir.Is[Tile](t) && c.spaces == 0 {
		return t
	}
	return ir.Type{}
}

// ScalarOf returns a constraint that accepts a scalar of the element type of the named
// operand. A signless integer is also accepted for a tile of signed or unsigned integers,
// because scalar arithmetic only has signless integers.
func ScalarOf(name string) ir.Constraint { return scalarOf(name) }

// scalarOf is a constraint that accepts scalars with the element type of an operand; its
// value is the name of this operand. Its methods implement ir.Constraint.
type scalarOf string

func (c scalarOf) Check(t ir.Type, e *ir.Env) bool {
	src := e.Type(string(c))
	return !src.IsZero() && SameElement(t, ir.ElementType(src))
}

func (c scalarOf) Follows() string { return string(c) }

// NumberFor returns a constraint on a scalar that the instruction converts to the element
// type of the named operand, as in a call of a C++ function. The constraint accepts a
// scalar of exactly this element type. If this type is a float or an integer of at least
// 8 bits, it also accepts signless integers and floats of at least 8 bits.
func NumberFor(name string) ir.Constraint { return numberFor{scalarOf(name)} }

// numberFor is the constraint for a scalar that is converted to the element type of a
// named operand, like an argument of a C++ function. The embedded constraint scalarOf
// names the operand and accepts a scalar of exactly its element type. If this type is a
// float or an integer of at least 8 bits, numberFor also accepts scalars of all other
// such types.
type numberFor struct{ scalarOf }

func (c numberFor) Check(t ir.Type, e *ir.Env) bool {
	return c.scalarOf.Check(t, e) || !e.Type(string(c.scalarOf)).IsZero() && isNumber(t) && isNumber(ir.ElementType(e.Type(string(c.scalarOf))))
}

func (c numberFor) Want(e *ir.Env) string {
	return "a scalar, which is converted to " + strings.TrimPrefix(c.scalarOf.Want(e), "a scalar of ")
}

// isNumber reports whether t is a float, or an integer of at least 8 bits.
func isNumber(t ir.Type) bool {
	f, ok := ir.FormatOf(t)
	return ok && t != ir.Index && !ir.Is[ElemType](t) && f.Bits() >= 8
}

// SameElement reports whether a scalar of type t can be an element of a tile with element
// type elem. Integers of the same width match regardless of signedness, because scalars
// are signless.
func SameElement(t, elem ir.Type) bool {
	if t == elem {
		return true
	}
	a, ok := ir.As[ir.IntegerType](t)
	b, ok2 := ir.As[ir.IntegerType](elem)
	return ok && ok2 && a.Width == b.Width && a.Sign == ir.Signless
}

func (c scalarOf) Want(e *ir.Env) string {
	src := e.Type(string(c))
	if src.IsZero() { // on a reference page
		return "a scalar of the element type of \"" + string(c) + "\""
	}
	return ir.ElementType(src).String() + ", the element type of \"" + string(c) + "\""
}

// VRegOf returns a constraint that accepts a vector register.
func VRegOf(elems On) ir.Constraint { return vregRule{elems} }

// vregRule is a constraint that accepts vector registers with certain element types. Its
// methods implement ir.Constraint.
type vregRule struct{ on On }

func (r vregRule) Check(t ir.Type, e *ir.Env) bool {
	d, ok := ir.As[VReg](t)
	return ok && r.on.For(e.Target).Has(d.Elem)
}

func (r vregRule) Want(e *ir.Env) string {
	return "a !pto.vreg of " + r.on.For(e.Target).String()
}

func (r vregRule) TargetName(t ir.Target) string { return sem.ProfileName(t) }

func (r vregRule) Elems(t ir.Target) Elems { return r.on.For(t) }

// AnyVReg accepts every vector register.
var AnyVReg = ir.TypeIf("a !pto.vreg", ir.Is[VReg])

// MaskFor returns a constraint that accepts a mask with one bit per lane of the named
// register operand.
func MaskFor(name string) ir.Constraint { return maskFor(name) }

// maskFor is a constraint that accepts masks for the lanes of an operand; its value is
// the name of this operand. Its methods implement ir.Constraint.
type maskFor string

func (c maskFor) Check(t ir.Type, e *ir.Env) bool {
	m, ok := ir.As[Mask](t)
	if !ok {
		return false
	}
	v, ok := ir.As[VReg](e.Type(string(c)))
	return !ok || int(m.Bits) == LaneBits(v.Elem)
}

func (c maskFor) Want(e *ir.Env) string {
	if v, ok := ir.As[VReg](e.Type(string(c))); ok {
		return ir.TypeOf(Mask{uint8(LaneBits(v.Elem))}).String() + ", which fits the lanes of \"" + string(c) + "\""
	}
	return "a !pto.mask"
}

// LaneBits returns the lane width in bits of masks for registers with elements of type t.
// Lanes wider than 32 bits use masks for 32-bit lanes.
func LaneBits(t ir.Type) int { return min(8*ByteSize(t), 32) }

// AnyMask accepts every mask.
var AnyMask = ir.TypeIf("a !pto.mask", ir.Is[Mask])

// PtrIn returns a constraint that accepts a pointer or memref into one of the given
// memory spaces, or into any space if the list is empty.
func PtrIn(spaces ...sem.Space) ir.Constraint { return ptrRule{sem.SpacesOf(spaces...)} }

// ptrRule is a constraint (ir.Constraint) that accepts pointers and memrefs. They must
// point into one of the given memory spaces.
type ptrRule struct{ spaces sem.Spaces }

func (r ptrRule) Check(t ir.Type, _ *ir.Env) bool {
	switch t.Data().(type) {
	case PtrType, ir.MemRefType:
		return r.spaces == 0 || r.spaces.Has(SpaceOf(t))
	}
	return false
}

func (r ptrRule) Want(*ir.Env) string {
	if r.spaces == 0 {
		return "a !pto.ptr or memref"
	}
	return "a !pto.ptr or memref in " + r.spaces.Names(sem.Space.String)
}

// ParseTypeBody implements ir.TypeBody. It parses the rest of a pointer type after its
// name.
func (ptrRule) ParseTypeBody(p *ir.Parser, _ ir.Level) ir.Type { return parsePtr(p) }

// AnyPtr accepts a pointer or memref into any memory space.
var AnyPtr = PtrIn()

// Constraints on scalars and views. Index and WrittenIx both accept only the type index.
// The program states the type of a WrittenIx, and omits that of an Index.
var (
	Index     = ir.Exactly(ir.Index)
	WrittenIx = ir.Written(ir.Index)
	AnyScalar = ir.TypeIf("a scalar", func(t ir.Type) bool { return ir.IsScalar(t) || ir.Is[ElemType](t) })
	AnyView   = ir.TypeIf("a !pto.tensor_view", ir.Is[TensorView])
	AnyPart   = ir.TypeIf("a !pto.partition_tensor_view", func(t ir.Type) bool { return ir.Is[PartitionView](t) })
	// IntOrIndex accepts the types of counts and addresses.
	IntOrIndex = ir.IntOrIndexAny
)

// Count is the constraint of an operand that must have the type i64. The printer always
// writes this type, although no other type is legal.
var Count = ir.Written(ir.I64)

// WrittenI32 accepts an i32 operand whose type is stated in the program.
var WrittenI32 = ir.Written(ir.I32)

// WrittenI16 accepts an i16 operand whose type is stated in the program.
var WrittenI16 = ir.Written(ir.I16)

// AnyTile accepts every tile type: !pto.tile of Level 1 and !pto.tile_buf of Level 2.
var AnyTile = ir.TypeIf("a !pto.tile_buf or !pto.tile", IsTile)

// TileOrView accepts a tile, a view (a tensor in global memory), or a memref.
var TileOrView = ir.TypeIf("a tile or view", func(t ir.Type) bool {
	return IsTile(t) || ir.Is[TensorView](t) || ir.Is[PartitionView](t) || ir.Is[ir.MemRefType](t)
})

// PtrTo returns a constraint that accepts a pointer into one of the given memory spaces,
// or into any space if the list is empty. The parameter on is the set of accepted element
// types, and want describes these types in messages.
func PtrTo(want string, on Elems, spaces ...sem.Space) ir.Constraint {
	in := PtrIn(spaces...)
	return ir.TypeIf(in.Want(nil)+" to "+want, func(t ir.Type) bool {
		return in.Check(t, nil) && on.Has(ir.ElementType(t))
	})
}

// PtrNoMemRef accepts a !pto.ptr into any memory space, but no memref.
var PtrNoMemRef = ir.TypeIf("a !pto.ptr", ir.Is[PtrType])

// TypeNote returns the type of the operand with the given name for messages, with a
// preceding comma. It returns "" if the instruction omits the operand.
func TypeNote(e *ir.Env, name string) string {
	if t := e.Type(name); !t.IsZero() {
		return ", " + t.String()
	}
	return ""
}
