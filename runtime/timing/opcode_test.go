package timing

import (
	"testing"

	"ptogo/dialect/pto"
	_ "ptogo/dialect/pto/isa"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// byOpcode are the kinds of instructions whose duration opcodes determines.
func byOpcode(kind ir.Meaning) bool {
	switch kind.(type) {
	case sem.TileMap, sem.TileCompare, sem.TileIndex, sem.TilePad, sem.TileTri:
		return true
	}
	return false
}

// functionsOf returns the functions of elements for which the model of a kind needs a
// vector instruction.
func functionsOf(kind ir.Meaning) (fns []*scalar.Fn) {
	switch kind := kind.(type) {
	case sem.TileMap:
		for _, step := range kind.Then {
			fns = append(fns, step.Fn)
		}
	case sem.TileReduce:
		fns = append(fns, kind.Fn)
	case sem.TilePart:
		fns = append(fns, kind.Fn)
	case sem.TileExpand:
		fns = append(fns, kind.Fn, kind.Then)
	}
	return fns
}

// TestOpcodes verifies that each elementwise tile instruction of the vector unit and each
// function has a vector instruction, and that chips.tsv has constants for them.
func TestOpcodes(t *testing.T) {
	for _, d := range pto.Dialect.All() {
		info := pto.InfoOf(d)
		if info == nil || info.Pipe != sem.PipeV && info.PipeOf == nil {
			continue
		}
		if _, ok := opcodes[d]; !ok && byOpcode(d.Sem) {
			t.Errorf("opcodes has no row for %s: name its vector instruction, or unmeasured", d.Name)
		}
		for _, fn := range functionsOf(d.Sem) {
			if _, ok := functions[fn]; !ok && fn != nil {
				t.Errorf("functions has no row for %s of %s", fn.Name, d.Name)
			}
		}
	}
	chip := table()["910B3"]
	used := []opcode{vbitsort, vbrcb, vcadd, vcgadd, vcgmax, vcmax, vconv, vcopy, vdup, vgather, vmrgsort4, vnchwconv, vreducev2, vsel, copyUB, unmeasured}
	for _, o := range opcodes {
		used = append(used, o)
	}
	for _, o := range functions {
		used = append(used, o)
	}
	for _, o := range used {
		if _, ok := chip.Get("vec." + string(o)); !ok {
			t.Errorf("chips.tsv has no constant vec.%s", o)
		}
	}
}
