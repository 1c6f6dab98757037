// This file connects the memories that the cores of a block share.

package runtime

import (
	"ptogo/dialect/pto/sem"
)

// The cores of a block share memory: all cores access the L1 of the cube core, and the
// cube core writes to the unified buffers of the vector cores. The unified buffer that
// the cube core itself addresses is that of vector core 0.

// shareMemory connects the simulated cores of a block to the memories that they share.
// The vector cores can then access the L1 memory of the cube core, and the cube core can
// access the unified buffer of each vector core. If one simulated core represents all
// cores, its unified buffer is also the buffer of vector core 0.
func (cl *cluster) shareMemory() {
	var cube *core
	for _, c := range cl.cores {
		if c.unit&cubeUnit != 0 && cube == nil {
			cube = c
		}
	}
	if cube == nil {
		return
	}
	cube.buffers[0] = cube.spaces[sem.UB]
	for _, c := range cl.cores {
		if c.unit == vectorUnit {
			c.spaces[sem.L1] = cube.spaces[sem.L1]
			cube.buffers[c.sub] = c.spaces[sem.UB]
		}
	}
	cube.spaces[sem.UB] = cube.buffers[0]
}

// unifiedBuffer returns the unified buffer of vector core sub of the block. If c itself
// is a vector core, it returns the buffer of c, whatever sub is, because a vector core
// cannot access another one. The buffer of a vector core that executes nothing is
// allocated on first use.
func (c *core) unifiedBuffer(sub int) *memory {
	if c.unit == vectorUnit {
		return c.spaces[sem.UB]
	}
	if c.buffers[sub] == nil {
		c.buffers[sub] = newMemory(sem.UB.Size(c.prog.target)).renew(c.prog.opts.ScratchFill)
	}
	return c.buffers[sub]
}
