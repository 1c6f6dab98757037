// This file emits random numbers and histograms.

package llvm

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// These are the constants of the random number generator Philox 4x32. It multiplies
	// and mixes a counter of four words with a key; the key changes by a constant in each
	// round.
	philoxMul0, philoxMul1 = 0xD2511F53, 0xCD9E8D57
	philoxKey0, philoxKey1 = 0x9E3779B9, 0xBB67AE85
)

// philox emits the generator of random numbers Philox: it computes four random words of
// 32 bits from a counter and a key in the given number of rounds. The result is one
// 128-bit integer with the first word in its lowest bits.
func (c *code) philox(counter value.Value, key [2]value.Value, rounds int64) value.Value {
	fn := c.private(fmt.Sprintf("philox.%d", rounds), ll.I128, []types.Type{ll.I128, ll.I32, ll.I32}, func(c *code, args []value.Value) value.Value {
		at := []value.Value{args[1], args[2]}
		for i := range 4 {
			at = append(at, c.Trunc(c.LShr(args[0], c.wide(ll.Integer(ll.I32, int64(32*i)))), ll.I32))
		}
		at = c.Reduce("round", ll.Index(rounds), at, func(_ value.Value, k []value.Value) []value.Value {
			a := c.Mul(c.ZExt(k[2], ll.I64), ll.Index(philoxMul0))
			b := c.Mul(c.ZExt(k[4], ll.I64), ll.Index(philoxMul1))
			high := func(x value.Value) value.Value { return c.Trunc(c.LShr(x, ll.Index(32)), ll.I32) }
			return []value.Value{
				c.Add(k[0], c.Int(k[0], philoxKey0)), c.Add(k[1], c.Int(k[1], philoxKey1)),
				c.Xor(c.Xor(high(b), k[3]), k[0]), c.Trunc(b, ll.I32),
				c.Xor(c.Xor(high(a), k[5]), k[1]), c.Trunc(a, ll.I32),
			}
		})
		return c.join(at[2:])
	})
	return c.Call(fn, counter, key[0], key[1])
}

// wide emits the extension of an unsigned integer to 128 bits.
func (c *code) wide(x value.Value) value.Value { return c.ZExt(x, ll.I128) }

// join emits the concatenation of 32-bit words as one integer, the first word in the
// lowest bits.
func (c *code) join(words []value.Value) value.Value {
	x := c.wide(words[0])
	for i, w := range words[1:] {
		x = c.Or(x, c.Shl(c.wide(w), c.wide(ll.Integer(ll.I32, int64(32*(i+1))))))
	}
	return x
}

// randomLanes is the number of random number counters that the hardware processes at a
// time.
const randomLanes = pto.VectorBytes / 4

// tileRandom emits an instruction that fills a tile with random 32-bit words. The
// generator turns each counter value into four words, which become adjacent elements of a
// row. The counter values of a row follow those of the previous row. The last register of
// a row may be incomplete; it advances the counter by the number of remaining columns,
// like the hardware.
func (f *function) tileRandom(op *ir.Op, _ sem.TileRandom) {
	dst, ok := f.destinationTile(op)
	if !ok || dst.e.size != 4 || dst.e.f.IsFloat() {
		f.unsupported(op)
		return
	}
	o := sem.RandomWordsOf(op)
	word := func(o sem.Operand) value.Value { return f.Resize(f.val(o.Value), ll.I32, false) }
	key := [2]value.Value{word(o.Key[0]), word(o.Key[1])}
	first := f.join([]value.Value{word(o.Counter[0]), word(o.Counter[1]), word(o.Counter[2]), word(o.Counter[3])})

	last := f.Sub(dst.cols, ll.Index(1))
	used := f.Add(f.Mul(f.Quo(last, 4*randomLanes), ll.Index(randomLanes)), f.Add(f.Rem(last, randomLanes), ll.Index(1)))
	f.Reduce("row", dst.rows, []value.Value{first}, func(r value.Value, at []value.Value) []value.Value {
		f.Loop("counter", f.CeilQuo(dst.cols, 4), func(i value.Value) {
			words := f.philox(f.Add(at[0], f.wide(i)), key, o.Rounds)
			for k := range int64(4) {
				c := f.Add(f.Mul(i, ll.Index(4)), ll.Index(k))
				f.When("word", f.ICmp(enum.IPredSLT, c, dst.cols), func() {
					f.put(&dst, r, c, f.Trunc(f.LShr(words, f.wide(ll.Index(32*k))), ll.I32))
				})
			}
		})
		return []value.Value{f.Add(at[0], f.wide(used))}
	})
}

// tileHistogram emits an instruction that computes a cumulative histogram of one byte of
// each element.
func (f *function) tileHistogram(op *ir.Op, _ sem.TileHistogram) {
	from, numbers, _ := sem.TileSortOf(op)
	src, ok := f.tileOperand(op, from)
	idx, ok2 := f.tileOperand(op, numbers)
	dst, ok3 := f.destinationTile(op)
	if !ok || !ok2 || !ok3 {
		return
	}
	if !src.e.f.IsInt() || !dst.e.f.IsInt() {
		f.unsupported(op)
		return
	}
	n := int64(isatile.HistogramByte(op))
	counts := f.workspace("counts", 256*8)
	f.Loop("row", src.rows, func(r value.Value) {
		f.within(&dst, r, ll.Index(255))
		f.Loop("clear", ll.Index(256), func(v value.Value) { f.Store(ll.Index(0), f.At(ll.I64, counts, v), 8) })
		high := f.bytesAbove(&idx, r, n, int64(src.e.size)-1)
		f.Loop("col", src.cols, func(c value.Value) {
			x := f.LShr(f.ZExt(f.get(&src, r, c), ll.I64), ll.Index(8*n))
			f.When("counts", f.ICmp(enum.IPredEQ, f.LShr(x, ll.Index(8)), high), func() {
				at := f.At(ll.I64, counts, f.And(x, ll.Index(255)))
				f.Store(f.Add(f.Load(ll.I64, at, 8), ll.Index(1)), at, 8)
			})
		})
		f.Reduce("value", ll.Index(256), []value.Value{ll.Index(0)}, func(v value.Value, acc []value.Value) []value.Value {
			sum := f.Add(acc[0], f.Load(ll.I64, f.At(ll.I64, counts, v), 8))
			f.put(&dst, r, v, f.Resize(sum, dst.e.t, false))
			return []value.Value{sum}
		})
	})
}

// bytesAbove emits the value that the upper bytes of an element must have. A histogram
// counts byte number n only in elements whose bytes n+1 to top have this value; top is
// the number of the most significant byte. The tile idx contains the required bytes, one
// in each row. If elements have two bytes (top is 1), only one byte is required, and row
// r of idx contains it for row r of the result. For longer elements, the bytes are the
// same for all rows of the result: row 0 of idx contains the most significant byte, and
// the following rows contain the lower bytes.
func (f *function) bytesAbove(idx *tile, r value.Value, n, top int64) value.Value {
	high := value.Value(ll.Index(0))
	for k := top; k > n; k-- {
		row := value.Value(ll.Index(top - k))
		if top == 1 {
			row = r
		}
		f.within(idx, row, ll.Index(0))
		high = f.Or(f.Shl(high, ll.Index(8)), f.ZExt(f.get(idx, row, ll.Index(0)), ll.I64))
	}
	return high
}
