// This file checks that a program is at a given level.

package plan

import (
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Levels are the names of the build levels in flags. At level1 and level2 the
// compiler assigns addresses and scratch tiles; at level3 the program does.
var Levels = []string{"level1", "level2", "level3"}

// CheckLevel checks the requirements of a build level on a program. It returns true
// if it has reported no error.
func CheckLevel(module *ir.Op, level string, diags *ir.Diags) bool {
	c := &levelCheck{level: level, placed: level == "level3", diags: diags, ok: true}
	for op := range module.Walk() {
		c.op(op)
	}
	return (!c.placed || checkApart(module, diags)) && c.ok
}

// levelCheck is the state of CheckLevel, which checks that a program meets the
// requirements of a build level.
type levelCheck struct {
	level string
	// placed reports that the program must assign the addresses.
	placed bool
	diags  *ir.Diags
	ok     bool
}

// errorf reports that op violates the build level, which states whether the compiler or
// the program assigns addresses. text is the error, and way is a note on how to correct
// the program.
func (c *levelCheck) errorf(op *ir.Op, way, text string) {
	c.ok = false
	c.diags.Error(op.Loc(), "'"+op.Name()+"' op "+text).As(ir.CodeLevel).Note(ir.Loc{}, way)
}

// op reports an error if the operation in the parameter op violates the requirements of
// the build level. For example, if the compiler assigns addresses at this level, the
// program must not assign an address to a tile.
func (c *levelCheck) op(op *ir.Op) {
	switch kind := op.Def().Sem.(type) {
	case sem.AllocTile:
		c.alloc(op)
	case sem.PlaceTile:
		if !c.placed {
			c.errorf(op, "use --pto-level=level3, or allocate another tile", "moves a tile to an address, but at build level "+strings.TrimPrefix(c.level, "level")+" the compiler assigns addresses")
		}
	case sem.LocalBuffer:
		if kind.Imported {
			return
		}
		c.reserve(op)
	}
}

// alloc checks the address of a tile: the tile must have one exactly if the program (and
// not the compiler) assigns addresses at this level.
func (c *levelCheck) alloc(op *ir.Op) {
	switch addr := op.Arg("addr") != nil; {
	case c.placed && !addr:
		c.errorf(op, "write addr = %a, where %a is the address, or let pto-plan-memory assign the address", "needs the operand \"addr\": at build level 3 the program assigns addresses")
	case !c.placed && addr:
		c.errorf(op, "remove the operand \"addr\", or use --pto-level=level3", "has the operand \"addr\", but at build level "+strings.TrimPrefix(c.level, "level")+" the compiler assigns addresses")
	}
}

// reserve checks the instruction that reserves the buffer of a queue. At a level at which
// the program assigns addresses, the buffer must have an aligned address. At the other
// levels, it must not have an address.
func (c *levelCheck) reserve(op *ir.Op) {
	auto, _ := op.Attr("autoAlloc").AsBool()
	base, given := op.Attr("base").AsInt()
	s := pto.SpaceOfAttr(op.Attr("location"))
	switch {
	case c.placed && (auto || !given):
		c.errorf(op, "write auto = false, base = N, where N is the address", "requires the attribute \"base\": at build level 3 the program assigns addresses")
	case !c.placed && (given || !auto):
		c.errorf(op, "write auto = true and remove the attribute \"base\", or use --pto-level=level3", "has the attribute \"base\", but at build level "+strings.TrimPrefix(c.level, "level")+" the compiler assigns addresses")
	case c.placed && base%alignment(s) != 0:
		c.errorf(op, "round \"base\" up to the next such multiple", "attribute \"base\" must be a multiple of "+number(alignment(s))+", but is "+number(base))
	}
}

// number returns n in decimal.
func number(n int64) string { return strconv.FormatInt(n, 10) }

// IsLevel reports whether word is the name of a build level.
func IsLevel(word string) bool { return slices.Contains(Levels, word) }
