package timing

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Roofline compares the rate that a unit has reached with the two upper bounds of any
// kernel: the compute rate of the unit, and the rate at which global memory delivers
// operands. Rates are those of the cores that the launch uses, not of the complete chip.
type Roofline struct {
	Unit string `json:"unit"`
	// Ops is the number of multiplications and additions of matrix products, or the
	// number of elements that tile instructions of the vector unit write.
	Ops float64 `json:"operations"`
	// Bytes is the traffic of global memory, reads and writes.
	Bytes float64 `json:"bytes"`
	// Intensity is Ops/Bytes, or 0 if Bytes is 0.
	Intensity float64 `json:"operations_per_byte"`
	// Reached is the achieved rate in 10^9 operations per second, averaged over the time
	// of the kernel.
	Reached float64 `json:"gops"`
	// Compute is the maximum rate of the unit in 10^9 operations per second.
	Compute float64 `json:"compute_gops"`
	// Memory is the maximum rate of global memory for these cores in GB/s.
	Memory float64 `json:"memory_gb_per_s"`
	Cores  int     `json:"cores"`
	// Bound names the lower of the two bounds: compute or memory.
	Bound string `json:"bound"`
}

// ideal describes the work of a unit in a launch: the number of operations, and the
// cycles that a single core would need for them without waits.
type ideal struct{ ops, cycles float64 }

// rooflines returns one roofline for each unit, such as the cube unit, that has executed
// arithmetic. A roofline compares the reached rate of arithmetic operations with upper
// bounds. Instructions whose number of arithmetic operations the model does not know are
// ignored.
func (p *replay) rooflines(res *Result) (list []Roofline) {
	m := model{chip: p.chip, target: p.r.launch.Target}
	did := map[sem.Unit]*ideal{}
	for i := range p.r.items {
		it := &p.r.items[i]
		if it.kind != workItem {
			continue
		}
		ops, cycles, unit := m.ideal(&p.r.works[it.work])
		if ops == 0 {
			continue
		}
		if did[unit] == nil {
			did[unit] = &ideal{}
		}
		did[unit].ops += ops
		did[unit].cycles += cycles
	}
	for _, unit := range []sem.Unit{sem.CubeUnit, sem.VectorUnit} {
		if d := did[unit]; d != nil && res.Micros > 0 {
			list = append(list, p.roofline(res, unit, d))
		}
	}
	return list
}

// roofline compares the compute rate that a unit (cube or vector) has reached with two
// upper bounds: the peak compute rate of the unit, and the rate at which memory delivers
// operands. d contains the number of operations of the unit, and the cycles that a single
// core would need for them without waits. res is the result of the replay.
func (p *replay) roofline(res *Result, unit sem.Unit, d *ideal) Roofline {
	name, path := "cube", "bw.GM_L1"
	if unit == sem.VectorUnit {
		name, path = "vector", "bw.GM_UB"
	}
	ranks := p.r.launch.Ranks
	cores := min(res.Blocks, res.Cores) * ranks
	for _, u := range res.Units {
		if u.Unit == unitName(unit) {
			cores = min(u.Cores, res.slotsOf(p, unit))
		}
	}
	cores = max(cores, 1)
	perCore := p.chip.num(path) * (1 << 30) / 1e9
	r := Roofline{
		Unit: name, Ops: d.ops, Bytes: res.GM.Bytes, Cores: cores, Bound: "compute",
		Reached: d.ops / res.Micros / 1000, Compute: float64(cores) * d.ops / d.cycles * p.chip.clock() / 1000,
		Memory: min(float64(ranks)*p.chip.num("gm.miss")*1000, float64(cores)*perCore),
	}
	if r.Bytes > 0 {
		r.Intensity = r.Ops / r.Bytes
		if r.Intensity*r.Memory < r.Compute {
			r.Bound = "memory"
		}
	}
	return r
}

// ideal returns the number of operations of instruction w, and the cycles that the
// executing unit needs for these operations alone. These cycles include neither waits nor
// the fixed times at the start and the end of an instruction. The result unit is the
// executing unit, cube or vector. The numbers are 0 for instructions whose operations are
// not counted.
func (m *model) ideal(w *work) (ops, cycles float64, unit sem.Unit) {
	switch w.pipe {
	case sem.PipeM:
		rows, cols, depth, elem := w.factors()
		if elem == (ir.Type{}) {
			return 0, 0, 0
		}
		macs := float64(rows) * float64(cols) * float64(depth)
		key, _ := m.cubeRate(elem)
		return 2 * macs, macs / m.chip.must(key).Value, sem.CubeUnit
	case sem.PipeV:
		t, _, ok := w.tile("dst")
		if size := pto.ByteSize(t.Elem); ok && size > 0 {
			return float64(w.bytes) / float64(size), float64(w.bytes) / repeatBytes, sem.VectorUnit
		}
	}
	return 0, 0, 0
}
