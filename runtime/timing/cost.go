// This file computes the duration of instructions.

package timing

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// cost is the duration of an instruction on its pipe, in core cycles.
type cost struct {
	// busy is the time after which the pipe accepts the next instruction.
	busy float64
	// rest is the time from the end of busy until the result is available.
	rest float64
	// miss is the additional time if the data is not in the L2 cache.
	miss float64
	// rate is the maximum rate between global memory and the core, in bytes per cycle.
	rate float64
	// class is the reliability class of the least certain constant that determines the
	// cost.
	class Class
	// moves means that the instruction transfers bytes of global memory. The model of
	// global memory adds the time of the transfer to busy.
	moves bool
}

// costs returns the cost on chip c of each distinct instruction in the recording r.
// Instructions with equal operands and sizes share one cost.
func costs(r *Recorder, c *Chip) []cost {
	m := model{chip: c, target: r.launch.Target}
	all := make([]cost, len(r.works))
	for i := range r.works {
		all[i] = m.cost(&r.works[i])
	}
	return all
}

// model computes the costs of instructions, in cycles, for a kernel that is compiled for
// a target and runs on a certain chip.
type model struct {
	chip   *Chip
	target ir.Target
}

// cost returns the cost of the instruction w in core cycles. The pipe of the instruction
// determines how the model computes the cost.
func (m *model) cost(w *work) cost {
	switch w.pipe {
	case sem.PipeM:
		return m.product(w)
	case sem.PipeMTE1:
		return m.operandLoad(w)
	case sem.PipeFix:
		return m.fixpipe(w)
	case sem.PipeMTE2, sem.PipeMTE3:
		return m.copy(w)
	case sem.PipeV:
		if w.cycles > 0 {
			return cost{busy: w.cycles, class: w.class}
		}
		return m.vector(w)
	case sem.PipeS:
		if w.bytes > 0 {
			k := m.chip.must("scalar.memory")
			return cost{busy: k.Value, class: k.Class}
		}
	}
	return cost{class: Assumed}
}

// tile returns the type and the valid region of the tile operand with the given name. The
// result ok is false if the instruction does not have this operand.
func (w *work) tile(name string) (t pto.TileInfo, at extent, ok bool) {
	v := w.op.Arg(name)
	if v == nil {
		return t, at, false
	}
	k := 0
	for _, o := range w.op.Operands() {
		t, isTile := pto.TileOf(o.Type())
		if !isTile {
			continue
		}
		if o == v && k < len(w.tiles) {
			return t, w.tiles[k], true
		}
		k++
	}
	return t, at, false
}

// product returns the cost of a matrix product: a constant start-up time, plus the time
// of the multiplications. Fractals that the matrices fill only partially cost as much as
// complete ones.
func (m *model) product(w *work) cost {
	rows, cols, depth, elem := w.factors()
	if rows == 0 || elem == (ir.Type{}) {
		return cost{class: Assumed}
	}
	key, short := m.cubeRate(elem)
	k, head := m.chip.must(key), m.chip.must("cube.head")
	macs := float64(up(rows, 16)) * float64(up(cols, 16)) * float64(up(depth, short))
	return cost{busy: head.Value + macs/k.Value, class: k.Class}
}

// cubeRate returns the key of the constant that contains the multiplications per cycle of
// the cube unit for the element type elem. The result short is the extent, in elements,
// of a fractal (an inner block of a matrix) along the common dimension of the product.
func (m *model) cubeRate(elem ir.Type) (key string, short int64) {
	switch bits := bitsOf(elem); {
	case bits == 32:
		return "cube.mac.f32", 8
	case bits == 8 && m.chip.Profile == "a5" && !isInt(elem):
		return "cube.mac.f8", 32
	case bits == 8:
		return "cube.mac.i8", 32
	case bits == 4:
		return "cube.mac.f4", 64
	}
	return "cube.mac.f16", 16
}

// factors returns the extents of a matrix product (rows x depth times depth x cols) and
// the element type of its left operand.
func (w *work) factors() (rows, cols, depth int64, elem ir.Type) {
	switch kind := w.op.Def().Sem.(type) {
	case sem.TileMatmul:
		l, a, _ := w.tile(kind.Lhs)
		_, b, _ := w.tile(kind.Rhs)
		return int64(a.rows), int64(b.cols), int64(min(a.cols, b.rows)), l.Elem
	case sem.Mad:
		if v := w.op.Arg("lhs"); v != nil {
			return w.imm[0], w.imm[1], w.imm[2], ir.ElementType(v.Type())
		}
	}
	return 0, 0, 0, ir.Type{}
}

// up returns the smallest multiple of the parameter by that is not less than n.
func up(n, by int64) int64 { return (n + by - 1) / by * by }

// bitsOf returns the number of bits of an element of type t.
func bitsOf(t ir.Type) int {
	if pto.FP4.Has(t) {
		return 4
	}
	return pto.ByteSize(t) * 8
}

// isInt reports whether the element type t is an integer type.
func isInt(t ir.Type) bool {
	f, ok := ir.FormatOf(t)
	return ok && f.IsInt()
}

// operandLoad returns the cost of a copy from L1 to a buffer of the cube unit (L0A or
// L0B). The slower of the two memories determines the rate.
func (m *model) operandLoad(w *work) cost {
	key := "bw.L1_L0A"
	if w.dst == sem.L0B {
		key = "bw.L1_L0B"
	}
	k, head := m.chip.must(key), m.chip.must("mte1.head")
	rate := m.chip.perCycle(k.Value)
	if read, ok := m.chip.Get("mte1.read"); ok && !gathersPatches(w.op) {
		rate = min(rate, read.Value)
	}
	return cost{busy: head.Value + float64(w.bytes)/rate, class: head.Class}
}

// gathersPatches reports whether op is img2col, which copies the elements under each
// position of a convolution window. The windows overlap, so this copy reads each byte of
// its source in L1 once but writes it several times.
func gathersPatches(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.TileImg2Col)
	return ok
}

// fixpipe returns the cost in cycles of instruction w, a copy out of the accumulator
// (L0C).
func (m *model) fixpipe(w *work) cost {
	head, rate, row := m.chip.must("fixpipe.head"), m.chip.must("fixpipe.rate"), m.chip.must("fixpipe.row")
	rows := 0.0
	if _, at, ok := w.tile("src"); ok {
		rows = float64(at.rows)
	}
	c := cost{rest: head.Value, class: rate.Class, rate: rate.Value}
	if w.dst == sem.GM || w.dst == sem.NoSpace {
		c.moves, c.busy = true, 0
		return c
	}
	path := rate.Value
	for _, key := range []string{"bw.L0C_UB", "bw.L0C_L1"} {
		if k, ok := m.chip.Get(key); ok && (key == "bw.L0C_UB") == (w.dst == sem.UB) {
			path = m.chip.perCycle(k.Value)
		}
	}
	c.busy = head.Value + max(rows*row.Value, float64(w.bytes)/path)
	return c
}

// copy returns the cost of a copy between global memory and L1 or the unified buffer. It
// does not include the transfer of the bytes, which the model of global memory adds.
func (m *model) copy(w *work) cost {
	lat, burst := m.chip.must("gm.latency"), m.chip.must("gm.burst")
	path := "bw.GM_UB"
	switch {
	case w.pipe == sem.PipeMTE3 && (w.dst == sem.L1 || w.dst == sem.UB):
		// This is a copy from one local memory to another.
		k, ok := m.chip.Get("bw.UB_L1")
		if !ok {
			k = m.chip.must("bw.UB_GM")
		}
		return cost{busy: float64(w.bytes) / m.chip.perCycle(k.Value), class: k.Class}
	case w.pipe == sem.PipeMTE3 && w.src == sem.L1:
		path = "bw.L1_GM"
	case w.pipe == sem.PipeMTE3:
		path = "bw.UB_GM"
	case w.dst == sem.L1:
		path = "bw.GM_L1"
	}
	k := m.chip.must(path)
	c := cost{rest: lat.Value, rate: m.chip.perCycle(k.Value), class: k.Class, moves: true, busy: burst.Value}
	if w.pipe == sem.PipeMTE2 {
		c.miss = m.chip.num("gm.latency.miss")
	}
	return c
}
