// This file compiles instructions that create the contents of a tile: indices, triangles
// and random numbers.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileIndex compiles pto.tci into a step that fills a tile with consecutive integers,
// ascending or descending.
func (p *planner) tileIndex(op *ir.Op, _ sem.TileIndex) step {
	dst := p.tileOut(op)
	if dst.l == nil {
		return nil
	}
	series := sem.TileSeriesOf(op)
	start, by := p.slot(series.Start.Value), uint64(1)
	if series.Down {
		by = ^uint64(0)
	}
	return p.checked(op, func(fr *frame) *Fault {
		d, x := fr.t[dst.at], fr.x[start]
		for r := range d.rows {
			for c := range d.cols {
				dst.l.set(d, r, c, x&dst.l.f.Mask())
				x += by
			}
		}
		return nil
	})
}

// tileTri compiles op into a step, a function that fills a tile with a triangular matrix
// of ones and zeros.
func (p *planner) tileTri(op *ir.Op, _ sem.TileTri) step {
	dst := p.tileOut(op)
	if dst.l == nil {
		return nil
	}
	t := sem.TriangleOf(op)
	diagonal := p.signed(op, t.Diagonal)
	one := num.Encode(dst.l.f, 1, num.NearestEven, false)
	return p.checked(op, func(fr *frame) *Fault {
		d, k := fr.t[dst.at], diagonal(fr)
		for r := range d.rows {
			for c := range d.cols {
				x, off := uint64(0), int64(c)-int64(r)
				if t.Upper && off >= k || !t.Upper && off <= k {
					x = one
				}
				dst.l.set(d, r, c, x)
			}
		}
		return nil
	})
}

// signed returns a function that reads the integer operand o of op as a signed number.
func (p *planner) signed(op *ir.Op, o sem.Operand) func(fr *frame) int64 {
	f, _ := p.format(op, o.Type())
	at := p.slot(o.Value)
	return func(fr *frame) int64 { return num.Int(f.AsSigned(), fr.x[at]) }
}

const (
	// philoxMul0 and the other constants define the random number generator Philox 4x32.
	// It multiplies a counter of four words with the multipliers and mixes it with a key.
	// The key changes by a constant in each round.
	philoxMul0, philoxMul1 = 0xD2511F53, 0xCD9E8D57
	philoxKey0, philoxKey1 = 0x9E3779B9, 0xBB67AE85
)

// philox returns the four random words for counter c and key (k0, k1), after the given
// number of rounds of the generator Philox 4x32.
func philox(c [4]uint32, k0, k1 uint32, rounds int) [4]uint32 {
	for range rounds {
		a, b := uint64(c[0])*philoxMul0, uint64(c[2])*philoxMul1
		c = [4]uint32{uint32(b>>32) ^ c[1] ^ k0, uint32(b), uint32(a>>32) ^ c[3] ^ k1, uint32(a)}
		k0, k1 = k0+philoxKey0, k1+philoxKey1
	}
	return c
}

// advance returns the 128-bit counter c plus the number in the parameter by. The first
// word of the counter holds the lowest 32 bits.
func advance(c [4]uint32, by uint32) [4]uint32 {
	carry := uint64(by)
	for i := range c {
		carry += uint64(c[i])
		c[i] = uint32(carry)
		carry >>= 32
	}
	return c
}

// randomLanes is the number of counters of the random number generator that the hardware
// processes at a time.
const randomLanes = pto.VectorBytes / 4

// tileRandom compiles op into a step, a function that fills a tile with random words of
// the generator Philox. The generator computes four words from a key and a counter; they
// become four adjacent elements of a row. The next four elements use the next counter,
// and each row continues with the counters after those of the previous row.
//
// The hardware processes randomLanes counters at a time and then advances the counter by
// randomLanes. After the last group of a row of n columns, it advances the counter by
// (n-1) % randomLanes + 1 instead, and so does the step.
func (p *planner) tileRandom(op *ir.Op, _ sem.TileRandom) step {
	dst := p.tileOut(op)
	if dst.l == nil {
		return nil
	}
	var at [6]slot
	words := sem.RandomWordsOf(op)
	for i, o := range append(words.Key[:], words.Counter[:]...) {
		at[i] = p.slot(o.Value)
	}
	return p.checked(op, func(fr *frame) *Fault {
		var in [6]uint32
		for i, s := range at {
			in[i] = uint32(fr.x[s])
		}
		d, counter := fr.t[dst.at], [4]uint32(in[2:])
		for r := range d.rows {
			for c := 0; c < d.cols; c += 4 * randomLanes {
				for lane := 0; 4*lane < min(4*randomLanes, d.cols-c); lane++ {
					mixed := philox(advance(counter, uint32(lane)), in[0], in[1], int(words.Rounds))
					for i, w := range mixed[:min(4, d.cols-c-4*lane)] {
						dst.l.set(d, r, c+4*lane+i, uint64(w))
					}
				}
				used := uint32(randomLanes)
				if c+4*randomLanes >= d.cols {
					used = uint32((d.cols-1)%randomLanes + 1)
				}
				counter = advance(counter, used)
			}
		}
		return nil
	})
}
