// This file computes lower bounds of the time of a launch while it is recorded.

package timing

import "ptogo/dialect/pto/sem"

// Bound is a lower bound of the time of a launch, from the instructions that a Recorder has
// recorded so far. All cores together need at least the time in which they read and write
// these bytes of global memory at the highest rate, and compute these products. A search
// for fast kernels ends a prediction when its bound exceeds the time of other kernels.
type Bound struct {
	r    *Recorder
	m    model
	next int
	// read holds the bytes that cores of each unit read, and cube is cycles of the cube
	// unit.
	read map[sem.Unit]float64
	cube float64
}

// NewBound returns the bound of the launch that r records next. Blocks must not run in
// parallel.
func NewBound(r *Recorder, c *Chip) *Bound {
	return &Bound{r: r, m: model{chip: c}, read: map[sem.Unit]float64{}}
}

// Micros returns the bound in microseconds.
func (b *Bound) Micros() float64 {
	if b.r.launch == nil {
		return 0
	}
	b.m.target = b.r.launch.Target
	for ; b.next < len(b.r.items); b.next++ {
		it := &b.r.items[b.next]
		if it.kind != workItem {
			continue
		}
		if _, cycles, unit := b.m.ideal(&b.r.works[it.work]); unit == sem.CubeUnit {
			b.cube += cycles
		}
		if it.move >= 0 && !b.r.moves[it.move].write {
			b.read[b.r.launch.Cores[it.core].Unit] += float64(b.r.moves[it.move].bytes)
		}
	}
	c, blocks := b.m.chip, float64(b.r.launch.Indices)
	cubes, vectors := min(c.num("cores.aic"), blocks), min(c.num("cores.aiv"), blocks*sem.VectorCores)
	rate := func(path string) float64 { return c.num(path) * (1 << 30) / 1e6 } // bytes per microsecond and core
	micros := b.cube / (cubes * c.clock())
	for unit, bytes := range b.read {
		cores := cubes + vectors
		switch unit {
		case sem.CubeUnit:
			cores = cubes
		case sem.VectorUnit:
			cores = vectors
		}
		micros = max(micros, bytes/(cores*max(rate("bw.GM_L1"), rate("bw.GM_UB"))))
	}
	return micros
}
