package codegen

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// The generator of random words is Philox 4x32: a counter of four words is
// multiplied and mixed with a key, which moves on by constants every round.
const (
	philoxMul0, philoxMul1 = 0xD2511F53, 0xCD9E8D57
	philoxKey0, philoxKey1 = 0x9E3779B9, 0xBB67AE85
)

// philox encrypts a counter: four words, and two of the key. The result has the
// words from the lowest up.
func (c *code) philox(counter value.Value, key [2]value.Value, rounds int64) value.Value {
	fn := c.private(fmt.Sprintf("philox.%d", rounds), i128, []types.Type{i128, i32, i32}, func(c *code, args []value.Value) value.Value {
		at := []value.Value{args[1], args[2]}
		for i := range 4 {
			at = append(at, c.trunc(c.lshr(args[0], c.wide(integer(i32, int64(32*i)))), i32))
		}
		at = c.reduce("round", index(rounds), at, func(_ value.Value, k []value.Value) []value.Value {
			a := c.mul(c.zext(k[2], i64), index(philoxMul0))
			b := c.mul(c.zext(k[4], i64), index(philoxMul1))
			high := func(x value.Value) value.Value { return c.trunc(c.lshr(x, index(32)), i32) }
			return []value.Value{
				c.add(k[0], c.int(k[0], philoxKey0)), c.add(k[1], c.int(k[1], philoxKey1)),
				c.xor(c.xor(high(b), k[3]), k[0]), c.trunc(b, i32),
				c.xor(c.xor(high(a), k[5]), k[1]), c.trunc(a, i32),
			}
		})
		return c.join(at[2:])
	})
	return c.call(fn, counter, key[0], key[1])
}

// wide extends an unsigned integer to a counter.
func (c *code) wide(x value.Value) value.Value { return c.zext(x, i128) }

// join makes a counter of words, the lowest first.
func (c *code) join(words []value.Value) value.Value {
	x := c.wide(words[0])
	for i, w := range words[1:] {
		x = c.or(x, c.shl(c.wide(w), c.wide(integer(i32, int64(32*(i+1))))))
	}
	return x
}

// randomLanes is how many counters are encrypted at a time.
const randomLanes = pto.VectorBytes / 4

// tileRandom writes filling a tile with random words. Each counter gives four
// neighbours of a row; each row starts behind the counters of the one before,
// of which the last register counts by the columns that are left in it.
func (f *function) tileRandom(op *ir.Op) {
	dst, ok := f.destinationTile(op)
	if !ok || dst.e.size != 4 || dst.e.f.IsFloat() {
		f.unsupported(op)
		return
	}
	word := func(name string) value.Value { return f.resize(f.arg(op, name), i32, false) }
	key := [2]value.Value{word("key0"), word("key1")}
	first := f.join([]value.Value{word("counter0"), word("counter1"), word("counter2"), word("counter3")})
	rounds, _ := op.Attr("rounds").AsInt()

	last := f.sub(dst.cols, index(1))
	used := f.add(f.mul(f.quo(last, 4*randomLanes), index(randomLanes)), f.add(f.rest(last, randomLanes), index(1)))
	f.reduce("row", dst.rows, []value.Value{first}, func(r value.Value, at []value.Value) []value.Value {
		f.loop("counter", f.ceilQuo(dst.cols, 4), func(i value.Value) {
			words := f.philox(f.add(at[0], f.wide(i)), key, rounds)
			for k := range int64(4) {
				c := f.add(f.mul(i, index(4)), index(k))
				f.when("word", f.icmp(enum.IPredSLT, c, dst.cols), func() {
					f.put(&dst, r, c, f.trunc(f.lshr(words, f.wide(index(32*k))), i32))
				})
			}
		})
		return []value.Value{f.add(at[0], f.wide(used))}
	})
}

// tileHistogram writes counting the values of a byte and the smaller ones.
func (f *function) tileHistogram(op *ir.Op) {
	src, ok := f.tileArg(op, "src")
	idx, ok2 := f.tileArg(op, "idx")
	dst, ok3 := f.destinationTile(op)
	if !ok || !ok2 || !ok3 {
		return
	}
	if !src.e.f.IsInt() || !dst.e.f.IsInt() {
		f.unsupported(op)
		return
	}
	n := int64(pto.HistogramByte(op))
	counts := f.workspace("counts", 256*8)
	f.loop("row", src.rows, func(r value.Value) {
		f.within(&dst, r, index(255))
		f.loop("clear", index(256), func(v value.Value) { f.store(index(0), f.at(i64, counts, v), 8) })
		high := f.bytesAbove(&idx, r, n, int64(src.e.size)-1)
		f.loop("col", src.cols, func(c value.Value) {
			x := f.lshr(f.zext(f.get(&src, r, c), i64), index(8*n))
			f.when("counts", f.icmp(enum.IPredEQ, f.lshr(x, index(8)), high), func() {
				at := f.at(i64, counts, f.and(x, index(255)))
				f.store(f.add(f.load(i64, at, 8), index(1)), at, 8)
			})
		})
		f.reduce("value", index(256), []value.Value{index(0)}, func(v value.Value, acc []value.Value) []value.Value {
			sum := f.add(acc[0], f.load(i64, f.at(i64, counts, v), 8))
			f.put(&dst, r, v, f.resize(sum, dst.e.t, false))
			return []value.Value{sum}
		})
	})
}

// bytesAbove are the bytes above byte n that elements of a row must have to be
// counted.
func (f *function) bytesAbove(idx *tile, r value.Value, n, top int64) value.Value {
	high := value.Value(index(0))
	for k := top; k > n; k-- {
		row := value.Value(index(top - k))
		if top == 1 {
			row = r
		}
		f.within(idx, row, index(0))
		high = f.or(f.shl(high, index(8)), f.zext(f.get(idx, row, index(0)), i64))
	}
	return high
}
