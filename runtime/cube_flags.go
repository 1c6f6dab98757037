// This file implements unit flags, which synchronize matrix products with the copies
// that read their results from L0C, block by block.

package runtime

import (
	"iter"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Each block of L0C, one fractal, has a unit flag: up from the product that
// publishes the block to the copy that clears it.

// unitBlock is the number of bytes of L0C that share one unit flag. Unit flags
// synchronize products with the copies that read their results, block by block.
const unitBlock = fractalRows * accCols * accSize

// unitFlags holds one flag for each block of L0C. A raised flag is the product that has
// written the block; a lowered flag is nil.
type unitFlags []*ir.Op

// forBytes returns the flags of the blocks that contain n bytes from addr on, as far as
// they are in L0C.
func (u unitFlags) forBytes(addr uint64, n int) unitFlags {
	all := uint64(len(u))
	from := min(addr/unitBlock, all)
	return u[from:min(from+(addr%unitBlock+uint64(n)+unitBlock-1)/unitBlock, all)]
}

// published returns the product that has raised one of the flags, or nil.
func (u unitFlags) published() *ir.Op {
	for _, by := range u {
		if by != nil {
			return by
		}
	}
	return nil
}

// waitTaken makes a product wait until copies have released the blocks that it will
// write. The instructions of a core execute in program order, so if another instruction
// of this core would have to release them, the wait never ends and waitTaken returns a
// fault.
func (a *mad) waitTaken(c *core, addr uint64, n int) *Fault {
	blocks := c.units.forBytes(addr, n)
	if f := c.awaitOther(func() bool { return blocks.published() == nil }, a.op, "waits until its results are removed with check_and_clear, but no instruction does so"); f != nil {
		return f
	}
	if by := blocks.published(); by != nil {
		return faultAt(a.op, "waits until %s of l0c are removed with check_and_clear, but no instruction does so: the core would wait forever", span(int64(addr), n)).
			note(by.Loc(), "they were published here")
	}
	return nil
}

// publish raises the flags of the blocks that a product has written.
func (a *mad) publish(c *core, addr uint64, n int) {
	blocks := c.units.forBytes(addr, n)
	for i := range blocks {
		blocks[i] = a.op
	}
}

// waitPublished makes a copy wait until products have published all blocks that it reads.
func (s *productStore) waitPublished(c *core, t *storeSettings, src uint64) *Fault {
	all := func() bool {
		for addr, n := range t.columns(src) {
			if slices.Contains(c.units.forBytes(addr, n), nil) {
				return false
			}
		}
		return true
	}
	if f := c.awaitOther(all, s.op, "waits for a product that is never published with check_and_set"); f != nil {
		return f
	}
	for addr, n := range t.columns(src) {
		for i, by := range c.units.forBytes(addr, n) {
			if by == nil {
				at := (addr/unitBlock + uint64(i)) * unitBlock
				return faultAt(s.op, "waits for a product in %s of l0c, but none was published with check_and_set: the core would wait forever", span(int64(at), unitBlock))
			}
		}
	}
	return nil
}

// release lowers the flags of the blocks that a copy has read, so that products can
// overwrite them.
func (s *productStore) release(c *core, t *storeSettings, src uint64) {
	for addr, n := range t.columns(src) {
		clear(c.units.forBytes(addr, n))
	}
}

// columns yields the address and size of each column of fractals that a copy reads from
// L0C.
func (t *storeSettings) columns(src uint64) iter.Seq2[uint64, int] {
	return func(yield func(addr uint64, n int) bool) {
		rows := (t.m-1)*t.rowStride + 1
		for loop := range t.loops {
			for j := 0; j < t.n; j += accCols {
				at := loop*t.loopSrc + j/accCols*t.srcStride
				if !yield(src+uint64(at*accCols*accSize), rows*accCols*accSize) {
					return
				}
			}
		}
	}
}

// newUnitFlags returns the flags of a core for target t, all lowered.
func newUnitFlags(t ir.Target) unitFlags { return make(unitFlags, sem.L0C.Size(t)/unitBlock) }
