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
// flag: one fractal of 16 x 16 elements. Unit flags synchronize matrix products with the
// copies of their results. A matrix product raises the flags of the fractals that it has
// written. The copy that reads the result lowers these flags.
const unitBlock = fractalRows * accCols * accSize

// unitFlags holds one flag for each fractal (16 x 16 elements) of L0C, the accumulator
// memory. Matrix products raise these unit flags, and copies of their results lower them.
// An element is the matrix product that raised the flag, or nil if the flag is lowered.
type unitFlags []*ir.Op

// forBytes returns the flags of those fractals (16 x 16 elements of L0C) that contain any
// of the n bytes from addr on. Addresses past the end of L0C have no flags.
func (u unitFlags) forBytes(addr uint64, n int) unitFlags {
	all := uint64(len(u))
	from := min(addr/unitBlock, all)
	return u[from:min(from+(addr%unitBlock+uint64(n)+unitBlock-1)/unitBlock, all)]
}

// published returns a matrix product that has raised one of the flags in u, or nil if all
// of these flags are lowered. A raised flag means that a copy has not read the result of
// the product yet.
func (u unitFlags) published() *ir.Op {
	for _, by := range u {
		if by != nil {
			return by
		}
	}
	return nil
}

// waitTaken makes a matrix product wait until a copy has read the old contents of the n
// bytes at addr, which the product will overwrite. A copy indicates this by lowering the
// unit flags of the bytes. Instructions of a core execute in program order. Therefore, if
// the copy is a later instruction of the same core, the wait can never end, and waitTaken
// returns a fault.
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

// publish raises the unit flags of the n bytes of L0C at addr, which a matrix product has
// just written. A copy that waits for these flags can then read the result.
func (a *mad) publish(c *core, addr uint64, n int) {
	blocks := c.units.forBytes(addr, n)
	for i := range blocks {
		blocks[i] = a.op
	}
}

// waitPublished makes a copy out of L0C, the accumulator memory, wait until matrix
// products have raised the unit flags of all fractals (16 x 16 elements) that it reads. t
// contains the extents and strides of the copy, and src is its first address in L0C. It
// returns a fault if a flag can never be raised.
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

// release lowers the unit flags of the fractals (16 x 16 elements) that a copy out of
// L0C, the accumulator memory, has read. t contains the extents and strides of the copy,
// and src is its first address in L0C. Matrix products that wait for these flags can then
// overwrite the fractals.
func (s *productStore) release(c *core, t *storeSettings, src uint64) {
	for addr, n := range t.columns(src) {
		clear(c.units.forBytes(addr, n))
	}
}

// columns yields the L0C address and the size in bytes of each column of fractals that a
// copy reads. A column of fractals is a strip of 16 matrix columns. src is the address of
// the first strip.
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

// newUnitFlags returns the unit flags of a core of target t. A unit flag orders a matrix
// product and the copy of its result for one fractal (16 x 16 elements) of L0C, the
// accumulator memory. Initially all flags are lowered.
func newUnitFlags(t ir.Target) unitFlags { return make(unitFlags, sem.L0C.Size(t)/unitBlock) }
