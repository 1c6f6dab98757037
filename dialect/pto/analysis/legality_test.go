package analysis

import (
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

func TestCheckSignal(t *testing.T) {
	for id, want := range map[int64]string{
		0: "", 31: "",
		-1: "uses signal -1, but signals are numbered 0 to 31",
		32: "uses signal 32, but signals are numbered 0 to 31",
	} {
		if got := CheckSignal(id); got != want {
			t.Errorf("signal %d: %q, want %q", id, got, want)
		}
	}
}

func TestCheckStoreAtomic(t *testing.T) {
	add := &sem.Store{Atomic: sem.Atomic{Format: num.F32, Fn: scalar.Add}}
	if got := CheckStoreAtomic(add, num.S32); got != "" {
		t.Errorf("32 bits into 32 bits: %q", got)
	}
	if got, want := CheckStoreAtomic(add, num.F16), "combines elements of f16 as f32, which pto-run does not support"; got != want {
		t.Errorf("32 bits into 16 bits: %q, want %q", got, want)
	}
	if got := CheckStoreAtomic(&sem.Store{}, num.F16); got != "" {
		t.Errorf("a store that does not combine: %q", got)
	}
}

func TestBoxFromAccumulator(t *testing.T) {
	move := ir.New(ir.State{Def: &ir.Def{Name: "test.move", Forms: []*ir.Form{{}}, Sem: sem.TileMove{}}})
	boxed := pto.TileInfo{Space: sem.UB, Elem: ir.F32, Rows: 16, Cols: 48, SLayout: pto.RowMajor, Fractal: 512}
	if cols, problem := BoxFromAccumulator(move, boxed); cols != 16 || problem != "" {
		t.Errorf("48 columns of f32: boxes of %d columns, %q", cols, problem)
	}
	boxed.Cols = 24
	if _, problem := BoxFromAccumulator(move, boxed); problem != "moves to a tile of 16x24 elements, but its columns must be a multiple of 16, the width of a box" {
		t.Errorf("24 columns of f32: %q", problem)
	}
	boxed.BLayout = pto.ColMajor
	if cols, problem := BoxFromAccumulator(move, boxed); cols != 8 || problem != "" {
		t.Errorf("f32 in columns of boxes of 512 bytes: boxes of %d columns, %q", cols, problem)
	}
	window := ir.New(ir.State{Def: &ir.Def{Name: "test.window", Forms: []*ir.Form{{}}, Sem: sem.TileMove{Dst: true}}})
	if _, problem := BoxFromAccumulator(window, boxed); problem == "" {
		t.Error("24 columns of f32 in a window are accepted")
	}
	boxed.Fractal = 1024
	if _, problem := BoxFromAccumulator(move, boxed); problem == "" {
		t.Error("24 columns of f32 in boxes of 1024 bytes are accepted")
	}
	boxed.SLayout = pto.ColMajor
	if _, problem := BoxFromAccumulator(move, boxed); problem != "" {
		t.Errorf("24 columns in boxes by columns: %q", problem)
	}
}

func TestCheckShuffle(t *testing.T) {
	def := &ir.Def{Name: "test.shuffle", Forms: []*ir.Form{{}}, Attrs: []ir.AttrDef{{Name: "width"}}}
	for width, want := range map[int64]string{
		1: "", 32: "",
		0:  "shuffles groups of 0 lanes, but a subgroup has 32",
		33: "shuffles groups of 33 lanes, but a subgroup has 32",
	} {
		op := ir.New(ir.State{Def: def})
		op.SetAttr("width", ir.IntAttr(ir.I32, width))
		if got := CheckShuffle(op); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}
