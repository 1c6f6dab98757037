// This file defines rules between operands, in particular on valid regions.

package pto

import (
	"fmt"
	"strconv"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rule is a condition that relates the operands of an instruction to each other. The
// verifier reports violations that are known before the run. The runtime checks the
// remaining cases and reports the same message.
type Rule interface {
	// Verify reports violations that are known before the program runs.
	Verify(op *ir.Op, v *ir.Verifier)
}

// Extent is the size of a valid region, the part of a tile that holds data. Sizes that
// are unknown before the run are ir.Dynamic.
type Extent struct{ Rows, Cols int64 }

// ValidOf returns the valid region of a tile of type t. Sizes that the type leaves open
// are ir.Dynamic.
func ValidOf(t ir.Type) Extent {
	info, _ := TileOf(t)
	return info.valid()
}

// ValidRule is a Rule on the valid regions of one or two tiles. The verifier checks it if
// the regions are known, and the runtime otherwise.
type ValidRule struct {
	On sem.Profiles
	// A and B are the names of operands or results. B is "" for a rule on A alone.
	A, B string
	// Lax are the targets on which a violation at run time is only a warning, and
	// elements outside of the valid region of A are read from its storage.
	//
	// The ISA manual computes over the valid region of B regardless of that of A, and
	// does not define the elements outside of A ("Tiles And Valid Regions"). The page of
	// TADD specifies ones for NPUs, and the CPU simulator reads the storage. Some pages
	// nevertheless compare valid regions at run time; rules of their instructions are not
	// lax.
	Lax sem.Profiles
	// Tests are the conditions.
	Tests []ValidTest
}

// Violation checks the rule for two tile operands. The parameter a is the size of the
// valid region of the first operand, and b is that of the second operand. Violation
// returns a message if the sizes violate the rule, and "" otherwise. Unknown sizes never
// violate it.
func (r ValidRule) Violation(a, b Extent) string {
	for _, t := range r.Tests {
		if msg := t.broken(r, a, b); msg != "" {
			return msg
		}
	}
	return ""
}

// Shortage compares the valid region a of a tile, the operand A of the rule, with the
// valid region b of another tile, the operand B. It returns a message if the region a is
// too small for the rule, and "" otherwise. In contrast to Violation, it accepts a region
// a that is larger than b. The runtime calls Shortage for rules that apply only in this
// weak form on a target (the field Lax).
func (r ValidRule) Shortage(a, b Extent) string {
	return r.Violation(Extent{min(a.Rows, b.Rows), min(a.Cols, b.Cols)}, b)
}

// Lax returns copies of the given rules. At run time, a violation of a copy is a warning
// instead of an error, on all targets on which the rule applies.
func Lax(rules ...ValidRule) []Rule {
	var rs []Rule
	for _, r := range rules {
		r.Lax = r.On
		rs = append(rs, r)
	}
	return rs
}

// LikeDst returns rules that require each named operand to have the valid region of dst.
// Unless strict is set, violations at run time are only warnings.
func LikeDst(strict bool, names ...string) []Rule {
	var rs []Rule
	for _, name := range names {
		r := SameValid(sem.OnAll, name, "dst")
		if !strict {
			r.Lax = sem.OnAll
		}
		rs = append(rs, r)
	}
	return rs
}

// Verify implements Rule. It reports an error if the types of the operands already show
// that op violates the rule. The runtime checks all other cases.
func (r ValidRule) Verify(op *ir.Op, v *ir.Verifier) {
	if msg := r.broken(op, v); msg != "" {
		repeatHint(v.Errorf(op, "%s", msg), op, r)
	}
}

// broken returns a message if the types of the operands of op show, before the program
// runs, that op violates the rule. It returns "" otherwise.
func (r ValidRule) broken(op *ir.Op, v *ir.Verifier) string {
	if !r.On.Has(v.Target) {
		return ""
	}
	env := v.Env(op)
	a, ok := TileOf(env.Type(r.A))
	b, two := TileOf(env.Type(r.B))
	if !ok || r.B != "" && !two {
		return ""
	}
	msg := r.Violation(a.valid(), b.valid())
	if msg == "" && two {
		msg = r.noRoom(a, b)
	}
	return onProfile(v.Target, msg)
}

// noRoom tests whether the rule can hold at all. The rule requires the valid region of A
// to have at least as many rows or columns as that of B. If the storage of A has fewer,
// noRoom returns a message; otherwise it returns "".
func (r ValidRule) noRoom(a, b TileInfo) string {
	for _, t := range r.Tests {
		if t.Kind != TestEqual && t.Kind != TestCovers {
			continue
		}
		room, want := Extent{a.Rows, a.Cols}.along(t.Axis), b.valid().along(t.Axis)
		if want != ir.Dynamic && room < want {
			what := axisNames[t.Axis]
			return fmt.Sprintf("\"%s\" has %d valid %s, but the storage of \"%s\" has only %d", r.B, want, what, r.A, room)
		}
	}
	return ""
}

// valid returns the valid region of the tile, with ir.Dynamic for sizes that are only
// known at run time.
func (t TileInfo) valid() Extent { return Extent{t.VRows, t.VCols} }

// SameValid returns a rule that requires operands a and b to have equal valid regions.
func SameValid(targets sem.Profiles, a, b string) ValidRule {
	return ValidRule{On: targets, A: a, B: b, Tests: []ValidTest{{Kind: TestEqual, Axis: 0}, {Kind: TestEqual, Axis: 1}}}
}

// SameValidCols returns a rule that requires operands a and b to have equal numbers of
// valid columns.
func SameValidCols(targets sem.Profiles, a, b string) ValidRule {
	return ValidRule{On: targets, A: a, B: b, Tests: []ValidTest{{Kind: TestEqual, Axis: 1}}}
}

// SameValidRows returns a rule that requires operands a and b to have equal numbers of
// valid rows. It applies on the targets in the set on.
func SameValidRows(on sem.Profiles, a, b string) ValidRule {
	return ValidRule{On: on, A: a, B: b, Tests: []ValidTest{{Kind: TestEqual, Axis: 0}}}
}

// NonEmptyValid returns a rule on a tile operand. The rule requires that the tile has at
// least one valid row and one valid column. The parameter a is the name of the operand,
// and the parameter on is the set of targets on which the rule applies.
func NonEmptyValid(on sem.Profiles, a string) Rule {
	return ValidRule{On: on, A: a, Tests: []ValidTest{{Kind: TestNonEmpty}}}
}

// OpenRules returns the rules of op that must be checked at run time on target t. These
// are rules about valid regions whose extents the types of the operands do not determine.
func OpenRules(op *ir.Op, t ir.Target) []ValidRule {
	info := InfoOf(op.Def())
	if info == nil {
		return nil
	}
	var all []ValidRule
	for _, rule := range info.Rules {
		if r, ok := rule.(ValidRule); ok && r.On.Has(t) && r.isOpen(op) {
			all = append(all, r)
		}
	}
	return all
}

// isOpen reports whether the rule must be checked at run time: all its operands are
// tiles, and the size of a valid region is unknown.
func (r ValidRule) isOpen(op *ir.Op) bool {
	open := false
	for _, name := range []string{r.A, r.B} {
		if name == "" {
			continue
		}
		v := op.Arg(name)
		if v == nil {
			return false
		}
		info, ok := TileOf(v.Type())
		if !ok {
			return false
		}
		open = open || !info.StaticValid()
	}
	return open
}

// TiedExtents considers the operand of d with the given name. It returns the names of all
// operands that must have as many valid rows (axis 0) or columns (axis 1) as this
// operand, according to the rules for target t. To examine a rule about two operands,
// TiedExtents tests it twice: with equal valid regions, and with regions that differ
// along the axis. If the rule accepts the equal regions and rejects the others, the two
// operands must have the same number.
func TiedExtents(d *ir.Def, name string, axis int, t ir.Target) []string {
	info := InfoOf(d)
	if info == nil {
		return nil
	}
	// Also for packed pairs: neither extent is half of the other, or one less than that.
	same, other := Extent{Rows: 4, Cols: 4}, Extent{Rows: 6, Cols: 4}
	if axis == 1 {
		other = Extent{Rows: 4, Cols: 6}
	}
	var names []string
	for _, rule := range info.Rules {
		r, ok := rule.(ValidRule)
		if !ok || !r.On.Has(t) || r.B == "" || r.Violation(same, same) != "" || r.Violation(same, other) == "" {
			continue
		}
		switch name {
		case r.A:
			names = append(names, r.B)
		case r.B:
			names = append(names, r.A)
		}
	}
	return names
}

// Check is a Rule in the form of a function. It returns a message if op violates the rule
// on target t, and "" otherwise.
type Check func(op *ir.Op, t ir.Target) string

// Verify implements Rule. It reports the violation that c returns, if any.
func (c Check) Verify(op *ir.Op, v *ir.Verifier) { refuse(op, v, c.broken(op, v)) }

func (c Check) broken(op *ir.Op, v *ir.Verifier) string { return onProfile(v.Target, c(op, v.Target)) }

// refuse reports msg as an error about op, unless msg is "".
func refuse(op *ir.Op, v *ir.Verifier, msg string) {
	if msg != "" {
		v.Errorf(op, "%s", msg)
	}
}

// onProfile adds the name of the target to msg, the description of a violation. It
// returns "" if msg is "".
func onProfile(t ir.Target, msg string) string {
	if msg == "" {
		return ""
	}
	return "on target " + sem.ProfileName(t) + ": " + msg
}

// Fact is a Rule given by a function whose result does not depend on the target. The
// function returns a message if an operation violates the rule, and "" otherwise.
type Fact func(op *ir.Op) string

// Verify implements Rule. It reports the violation that f returns, if any.
func (f Fact) Verify(op *ir.Op, v *ir.Verifier) {
	if msg := f(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
}

// Apart is a Rule that requires operands A and B to be different tiles, because the
// instruction cannot work in place. If the function When is not nil, the rule applies
// only to operations for which When returns true.
type Apart struct {
	On   sem.Profiles
	A, B string
	When func(op *ir.Op) bool
	// Late means that only the runtime checks the rule. The verifier skips it, because
	// public programs that are compiled but never run violate it.
	Late bool
}

// Holds reports whether the verifier must check this rule for op on target t. It does not
// check whether op satisfies the rule.
func (r Apart) Holds(op *ir.Op, t ir.Target) bool {
	return r.On.Has(t) && (r.When == nil || r.When(op))
}

// Overwritten returns rules that require dst and each of the named sources to be
// different tiles on A2/A3. The library of A2/A3 writes dst before it has finished
// reading the sources.
func Overwritten(sources ...string) []Rule {
	var rs []Rule
	for _, s := range sources {
		rs = append(rs, Apart{On: sem.OnA2A3, A: s, B: "dst", Late: true})
	}
	return rs
}

// Verify implements Rule. It reports an error if operands A and B are the same tile.
func (r Apart) Verify(op *ir.Op, v *ir.Verifier) {
	if a := op.Arg(r.A); !r.Late && r.Holds(op, v.Target) && a != nil && a == op.Arg(r.B) {
		v.Errorf(op, "on target %s: \"%s\" and \"%s\" must be different tiles", sem.ProfileName(v.Target), r.A, r.B)
	}
}

// TileCheck is a Rule on the tiles of several operands of an instruction. The rule
// applies only to instructions that have all of these operands.
type TileCheck struct {
	On   sem.Profiles
	Args []string
	// Check returns a message if the tiles, in the order of Args, violate the rule, and
	// "" otherwise.
	Check func(op *ir.Op, tiles []TileInfo) string
}

// Verify implements Rule. It reports the violation that r.Check returns, if any.
func (r TileCheck) Verify(op *ir.Op, v *ir.Verifier) { refuse(op, v, r.broken(op, v)) }

func (r TileCheck) broken(op *ir.Op, v *ir.Verifier) string {
	if !r.On.Has(v.Target) {
		return ""
	}
	tiles := make([]TileInfo, len(r.Args))
	for i, name := range r.Args {
		t, ok := TileArg(op, name)
		if !ok {
			return ""
		}
		tiles[i] = t
	}
	return onProfile(v.Target, r.Check(op, tiles))
}

// TileArg returns the tile type of the operand or result of op with the given name. The
// bool result is false if op does not have it or it is not a tile.
func TileArg(op *ir.Op, name string) (TileInfo, bool) {
	if v := op.Arg(name); v != nil { // the usual case, without a copy of all types
		return TileOf(v.Type())
	}
	return TileOf(ir.EnvOf(op, 0).Type(name))
}

// EqualElements returns a rule that requires operands a and b to have the same element
// type.
func EqualElements(a, b string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		env := ir.EnvOf(op, 0)
		x, y := ir.ElementType(env.Type(a)), ir.ElementType(env.Type(b))
		if x == y {
			return ""
		}
		return fmt.Sprintf("element types of \"%s\" and \"%s\" must be equal, but are %s and %s", a, b, x, y)
	})
}

// MaybeEqual reports whether two sizes may be equal: they are equal, or one of them is
// ir.Dynamic.
func MaybeEqual(a, b int64) bool { return a == b || a == ir.Dynamic || b == ir.Dynamic }

// ConstantInt returns the value of v if it is an integer constant of the program. The
// bool result is false otherwise.
func ConstantInt(v *ir.Value) (int64, bool) {
	if v == nil || v.Op() == nil || !v.Op().HasTrait(ir.ConstantLike) {
		return 0, false
	}
	return v.Op().Attr("value").AsInt()
}

// ConstantIn returns a rule that requires the named operand to be a constant from lo to
// hi.
func ConstantIn(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		v := op.Arg(arg)
		c, ok := ConstantInt(v)
		switch {
		case !ok:
			return "operand \"" + arg + "\" must be a constant"
		case c < lo || c > hi:
			return "operand \"" + arg + "\" must be between " + Itoa(lo) + " and " + Itoa(hi) + ", but is " + Itoa(c)
		}
		return ""
	})
}

// ConstantBetween returns a rule that requires the named operand to be from lo to hi if
// it is a constant. Other operands are accepted.
func ConstantBetween(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		n, ok := ConstantInt(op.Arg(arg))
		if !ok || n >= lo && n <= hi {
			return ""
		}
		return "operand \"" + arg + "\" must be between " + Itoa(lo) + " and " + Itoa(hi) + ", but is " + Itoa(n)
	})
}

// AttrWanted returns an error message about the attribute with the given name: the
// instruction requires the attribute if wanted is true, and must not have it otherwise.
func AttrWanted(name string, wanted bool) string {
	if wanted {
		return "requires the attribute \"" + name + "\""
	}
	return "must not have the attribute \"" + name + "\""
}

// Itoa returns n in decimal digits.
func Itoa(n int64) string { return strconv.FormatInt(n, 10) }
