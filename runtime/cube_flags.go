// This file implements unit flags, which synchronize matrix products with the copies
// that read their results from L0C, block by block.

package runtime

import (
	"iter"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Each fractal of L0C has a unit flag. The product that publishes the fractal sets the
// flag, and the copy that reads the fractal clears it.

// unitBlock is the number of bytes of L0C (the accumulator memory) that share one unit
// flag: one fractal of 16 x 16 elements. A matrix product raises the flags of the
// fractals that it has written; the copy that reads its result lowers them.
const unitBlock = fractalRows * accCols * accSize

// unitFlags holds one unit flag for each fractal of L0C, the accumulator memory. An
// element is the matrix product that raised the flag, or nil if the flag is lowered.
type unitFlags []*ir.Op

// forBytes returns the flags of the fractals that contain any of the n bytes from addr
// on. Addresses past the end of L0C have no flags.
func (u unitFlags) forBytes(addr uint64, n int) unitFlags {
	all := uint64(len(u))
	from := min(addr/unitBlock, all)
	return u[from:min(from+(addr%unitBlock+uint64(n)+unitBlock-1)/unitBlock, all)]
}

// published returns a matrix product that has raised one of the unit flags in u, or nil
// if all of these flags are lowered.
func (u unitFlags) published() *ir.Op {
	for _, by := range u {
		if by != nil {
			return by
		}
	}
	return nil
}

// waitTaken makes a matrix product wait until copies have lowered the unit flags of the n
// bytes at addr that it will write. The instructions of a core execute in program order,
// so a wait for a later instruction of the same core can never end; in this case
// waitTaken returns a fault.
func (a *mad) waitTaken(c *core, addr uint64, n int) *Fault {
	blocks := c.units.forBytes(addr, n)
	if f := c.awaitOther(func() bool { return blocks.published() == nil }, a.op, "waits for an instruction with check_and_clear that removes its earlier product from l0c, but there is none"); f != nil {
		return f
	}
	if by := blocks.published(); by != nil {
		return faultAt(a.op, "waits for an instruction with check_and_clear that removes the product in %s of l0c, but there is none: the core would wait forever", span(int64(addr), n)).
			note(by.Loc(), "they were published here")
	}
	return nil
}

// publish raises the unit flags of the n bytes at addr, which a matrix product has just
// written.
func (a *mad) publish(c *core, addr uint64, n int) {
	blocks := c.units.forBytes(addr, n)
	for i := range blocks {
		blocks[i] = a.op
	}
}

// waitPublished makes a copy out of L0C wait until matrix products have raised the unit
// flags of all fractals that it reads. It returns a fault if a flag can never be raised.
func (s *productStore) waitPublished(c *core, t *storeSettings, src uint64) *Fault {
	all := func() bool {
		for addr, n := range t.columns(src) {
			if slices.Contains(c.units.forBytes(addr, n), nil) {
				return false
			}
		}
		return true
	}
	if f := c.awaitOther(all, s.op, "waits for a matrix product in l0c that no instruction with check_and_set publishes"); f != nil {
		return f
	}
	for addr, n := range t.columns(src) {
		for i, by := range c.units.forBytes(addr, n) {
			if by == nil {
				at := (addr/unitBlock + uint64(i)) * unitBlock
				return faultAt(s.op, "waits for a matrix product in %s of l0c, but no instruction with check_and_set has published one: the core would wait forever", span(int64(at), unitBlock))
			}
		}
	}
	return nil
}

// release lowers the unit flags of the fractals that a copy has read from address src on.
// Matrix products that wait for these flags can then overwrite the fractals.
func (s *productStore) release(c *core, t *storeSettings, src uint64) {
	for addr, n := range t.columns(src) {
		clear(c.units.forBytes(addr, n))
	}
}

// columns yields the L0C address and the size in bytes of each column of fractals (a
// strip of 16 matrix columns) that a copy reads. The parameter src is the address of the
// first column of fractals.
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

// newUnitFlags returns the unit flags of a core of target t: one lowered flag for each
// fractal of L0C.
func newUnitFlags(t ir.Target) unitFlags { return make(unitFlags, sem.L0C.Size(t)/unitBlock) }
