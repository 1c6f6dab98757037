package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// loadFractals writes a copy of matrices from global memory to L1 in fractals.
func (f *function) loadFractals(op *ir.Op, kind sem.LoadFractals) {
	src, dst, ok := f.cubeArgs(op)
	if !ok {
		return
	}
	f.alignedOrTrap(dst, blockBytes)
	n := f.fields(op, maxField, "n_value")[0]
	d := f.fields(op, maxWideField, "d_value")[0]
	var groups []value.Value // the number of matrices and the three strides of the destination, in blocks
	var inner, outer value.Value
	if kind.Registers {
		inner, outer = f.countArg(op, "loop1_src_stride"), f.countArg(op, "loop4_src_stride")
		word := f.regValue("MTE2_NZ_PARA", 0)
		for i := range int64(4) {
			groups = append(groups, f.and(f.lshr(word, index(16*i)), index(maxField)))
		}
	} else {
		inner, outer = f.countArg(op, "src_inner_stride"), f.countArg(op, "src_outer_stride")
		for _, name := range []string{"group_count", "dst_loop2_stride", "dst_loop3_stride", "dst_loop4_stride"} {
			groups = append(groups, f.countArg(op, name))
		}
	}
	small := f.arg(op, "smallc0_en")
	small = f.icmp(enum.IPredNE, small, f.int(small, 0))
	f.trapIf(f.and(small, f.icmp(enum.IPredUGT, d, index(smallUnit))))
	routine := f.fractalRoutine(src.e, kind.Transposed || op.Attr("mode").Keyword() == "dn2nz")
	f.loop("matrix", groups[0], func(g value.Value) {
		from := f.offset(src.p, f.mul(g, outer))
		to := f.offset(dst.p, f.mul(g, f.mul(groups[3], index(blockBytes))))
		f.call(routine, to, from, n, d, inner, f.mul(groups[1], index(blockBytes)), f.mul(groups[2], index(blockBytes)), small)
	})
}

// smallUnit is how many elements a unit has that need not fill a block.
const smallUnit = 4

// fractalCopy is a copy of one matrix: n rows of d elements, or the other way
// where it is transposed. All strides are in bytes.
type fractalCopy struct {
	*code
	e          element
	transposed bool
	dst, src   value.Value
	n, d       value.Value
	inner      value.Value // from row to row of the source
}

// fractalRoutine is the routine that copies one matrix. Its parameters are
// destination, source, n, d, the distance of rows of the source, that of
// blocks of the destination along n and along d, and whether units of 4
// elements follow each other instead.
func (c *code) fractalRoutine(e element, transposed bool) *llir.Func {
	name := "nd2nz."
	if transposed {
		name = "dn2nz."
	}
	params := []types.Type{ptr, ptr, i64, i64, i64, i64, i64, i1}
	return c.private(name+intType(8*e.size).String(), void, params, func(c *code, p []value.Value) value.Value {
		l := &fractalCopy{code: c, e: e, transposed: transposed, dst: p[0], src: p[1], n: p[2], d: p[3], inner: p[4]}
		c.eitherWay("small", p[7], l.small, func() { l.matrix(p[5], p[6]) })
		return nil
	})
}

// matrix copies blocks that hold neighbours along d.
func (l *fractalCopy) matrix(down, right value.Value) {
	unit := int64(blockBytes / l.e.size)
	block := vectorOf(blockBytes, i8)
	l.loop("blocks", l.ceilQuo(l.d, unit), func(b value.Value) {
		j := l.mul(b, index(unit))
		count := l.minInt(l.sub(l.d, j), index(unit))
		whole := l.icmp(enum.IPredEQ, count, index(unit))
		to := l.offset(l.dst, l.mul(b, right))
		each := func(name string, count value.Value, fill bool) func() {
			return func() {
				l.loop(name, l.n, func(i value.Value) {
					at := l.offset(to, l.mul(i, down))
					if fill {
						l.store(zero(block), at, 1)
					}
					l.gather(at, i, j, count)
				})
			}
		}
		l.eitherWay("whole", whole, each("row", index(unit), false), each("last", count, true))
	})
}

// small copies units of 4 elements and fills up the last block with zeros.
func (l *fractalCopy) small() {
	size := index(int64(smallUnit * l.e.size))
	l.fillMemory(l.dst, 0, l.roundUpTo(l.mul(l.n, size), blockBytes))
	l.loop("unit", l.n, func(i value.Value) {
		l.gather(l.offset(l.dst, l.mul(i, size)), i, index(0), l.d)
	})
}

// gather copies count neighbours along d of row i, from column j on.
func (l *fractalCopy) gather(to, i, j, count value.Value) {
	size := int64(l.e.size)
	if !l.transposed {
		l.copyBytes(to, l.offset(l.src, l.add(l.mul(i, l.inner), l.mul(j, index(size)))), l.mul(count, index(size)))
		return
	}
	from := l.offset(l.src, l.mul(i, index(size)))
	t := intType(8 * l.e.size)
	l.loop("element", count, func(k value.Value) {
		x := l.load(t, l.offset(from, l.mul(l.add(j, k), l.inner)), l.e.size)
		l.store(x, l.at(t, to, k), l.e.size)
	})
}

// fillMemory sets n bytes.
func (c *code) fillMemory(p value.Value, to int64, n value.Value) {
	fn := c.intrinsic("llvm.memset.p0.i64", void, ptr, i8, i64, i1)
	c.call(fn, p, integer(i8, to), n, integer(i1, 0))
}

// loadParams writes a copy of biases or factors from L1.
func (f *function) loadParams(op *ir.Op) {
	src, dst, ok := f.cubeArgs(op)
	if !ok {
		return
	}
	unit := int64(blockBytes)
	if dst.space == sem.FB {
		unit *= 2
	}
	if f.opts.Target != sem.A5 {
		unit *= 2
	}
	widens := dst.space == sem.BT && src.e.f.Bits() == 16 && dst.e.f.Bits() == 32
	wider := int64(1)
	if widens {
		wider = 2
	}
	n := f.mul(f.fields(op, maxField, "len_burst")[0], index(unit))
	gap := func(name string) value.Value { return f.add(n, f.mul(f.countArg(op, name), index(unit))) }
	from, to := gap("nburst_src_gap"), f.mul(gap("nburst_dst_gap"), index(wider))
	f.loop("burst", f.countArg(op, "n_burst"), func(i value.Value) {
		s, d := f.offset(src.p, f.mul(i, from)), f.offset(dst.p, f.mul(i, to))
		if !widens {
			f.copyBytes(d, s, n)
			return
		}
		f.loop("bias", f.quo(n, 2), func(k value.Value) {
			x := f.decode(src.e.f, f.load(src.e.mem, f.at(src.e.mem, s, k), src.e.size))
			f.store(x, f.at(f32, d, k), 4)
		})
	})
}

// maxFill is the greatest number that fits the fields of a fill.
const maxFill = 1<<15 - 1

// fillWords writes a fill of L1.
func (f *function) fillWords(op *ir.Op) {
	dst, ok := f.cubeArg(op, "dst")
	if !ok {
		return
	}
	dst.p = f.offset(dst.p, f.countArg(op, "byte_offset"))
	f.alignedOrTrap(dst, blockBytes)
	n := f.fields(op, maxFill, "repeat_times", "block_num_32b", "dst_gap_32b")
	word := f.resize(f.arg(op, "raw_value"), i32, false)
	if bits, _ := op.Attr("fill_word_bits").AsInt(); bits == 16 {
		low := f.and(word, integer(i32, maxField))
		word = f.or(f.shl(low, integer(i32, 16)), low)
	}
	block := f.splat(word, blockBytes/4)
	f.loop("repeat", n[0], func(i value.Value) {
		at := f.offset(dst.p, f.mul(f.mul(i, f.add(n[1], n[2])), index(blockBytes)))
		f.loop("block", n[1], func(k value.Value) {
			f.store(block, f.offset(at, f.mul(k, index(blockBytes))), 4)
		})
	})
}
