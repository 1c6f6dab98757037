package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// fractalLoad executes a copy of matrices from global memory to L1 in
// fractals.
type fractalLoad struct {
	op         *ir.Op
	src, dst   cubeArg
	size       int  // bytes of an element
	transposed bool // rows of the source are columns of the matrix
	small      func(fr *frame) uint64
	n, d       func(fr *frame) uint64
	inner      func(fr *frame) uint64 // bytes from row to row of the source
	outer      func(fr *frame) uint64 // bytes from matrix to matrix
	// groups are the number of matrices and the three strides of the
	// destination, in blocks.
	groups func(fr *frame) [4]uint64
}

// loadFractals plans a copy into fractals.
func (p *planner) loadFractals(op *ir.Op, kind sem.LoadFractals) step {
	l := &fractalLoad{
		op: op, src: p.cubeArg(op, "source", reads), dst: p.cubeArg(op, "destination", writes),
		size: elemSize(op.Arg("source")), small: p.number(op, "smallc0_en"), n: p.number(op, "n_value"), d: p.number(op, "d_value"),
	}
	if kind.Registers {
		l.transposed = kind.Transposed
		l.inner, l.outer = p.number(op, "loop1_src_stride"), p.number(op, "loop4_src_stride")
		reg := p.register("MTE2_NZ_PARA")
		l.groups = func(fr *frame) (g [4]uint64) {
			word := fr.core.registers[reg][0]
			for i := range g {
				g[i] = word >> (16 * i) & 0xffff
			}
			return g
		}
		return l.exec
	}
	l.transposed = op.Attr("mode").Keyword() == "dn2nz"
	l.inner, l.outer = p.number(op, "src_inner_stride"), p.number(op, "src_outer_stride")
	count := p.number(op, "group_count")
	loop2, loop3, loop4 := p.number(op, "dst_loop2_stride"), p.number(op, "dst_loop3_stride"), p.number(op, "dst_loop4_stride")
	l.groups = func(fr *frame) [4]uint64 { return [4]uint64{count(fr), loop2(fr), loop3(fr), loop4(fr)} }
	return l.exec
}

// smallUnit is how many elements a unit has that need not fill a block.
const smallUnit = 4

func (l *fractalLoad) exec(fr *frame) *Fault {
	n, d, g := l.n(fr), l.d(fr), l.groups(fr)
	small := l.small(fr) != 0
	switch {
	case small && d > smallUnit:
		return faultAt(l.op, "has d_value = %d, but at most %d are possible with smallc0_en", int64(d), smallUnit)
	case n > maxField || d > maxWideField:
		return faultAt(l.op, "copies matrices of %dx%d elements, but at most %dx%d are possible", int64(n), int64(d), maxField, maxWideField)
	}
	src, dst := fr.x[l.src.ptr], fr.x[l.dst.ptr]
	if dst%blockBytes != 0 {
		return l.dst.misaligned(dst, blockBytes)
	}
	for range int64(g[0]) {
		var f *Fault
		if small {
			f = l.smallMatrix(fr, src, dst, int(n), int(d))
		} else {
			f = l.matrix(fr, src, dst, int(n), int(d), g[1]*blockBytes, g[2]*blockBytes)
		}
		if f != nil {
			return f
		}
		src += l.outer(fr)
		dst += g[3] * blockBytes
	}
	return nil
}

// Fields of instructions have these largest values.
const (
	maxField     = 1<<16 - 1
	maxWideField = 1<<21 - 1
)

// matrix copies one matrix: each block holds neighbours along d.
func (l *fractalLoad) matrix(fr *frame, src, dst uint64, n, d int, down, right uint64) *Fault {
	unit := blockBytes / l.size
	for j := 0; j < d; j += unit {
		for i := range n {
			block, f := l.dst.bytes(fr.core, dst+uint64(i)*down+uint64(j/unit)*right, blockBytes)
			if f != nil {
				return f
			}
			count := min(unit, d-j)
			if f := l.gather(fr, block[:count*l.size], src, i, j); f != nil {
				return f
			}
			clear(block[count*l.size:])
		}
	}
	return nil
}

// smallMatrix copies one matrix in units of 4 elements that follow each other,
// and fills up the last block with zeros.
func (l *fractalLoad) smallMatrix(fr *frame, src, dst uint64, n, d int) *Fault {
	size := smallUnit * l.size
	all, f := l.dst.bytes(fr.core, dst, roundUp(n*size, blockBytes))
	if f != nil {
		return f
	}
	clear(all)
	for i := range n {
		if f := l.gather(fr, all[i*size:i*size+d*l.size], src, i, 0); f != nil {
			return f
		}
	}
	return nil
}

// gather reads neighbours along d of row i, from column j on.
func (l *fractalLoad) gather(fr *frame, to []byte, src uint64, i, j int) *Fault {
	inner := l.inner(fr)
	if !l.transposed {
		from, f := l.src.bytes(fr.core, src+uint64(i)*inner+uint64(j*l.size), len(to))
		copy(to, from)
		return f
	}
	for at := 0; at < len(to); at += l.size {
		from, f := l.src.bytes(fr.core, src+uint64(j+at/l.size)*inner+uint64(i*l.size), l.size)
		if f != nil {
			return f
		}
		copy(to[at:], from)
	}
	return nil
}

// paramLoad executes a copy of biases or factors from L1.
type paramLoad struct {
	src, dst       cubeArg
	unit           int // bytes that lengths and gaps count, in the source
	widen          *unpacker
	count, length  func(fr *frame) uint64
	srcGap, dstGap func(fr *frame) uint64
}

// loadParams plans a copy of biases or factors.
func (p *planner) loadParams(op *ir.Op) step {
	l := &paramLoad{
		src: p.cubeArg(op, "source", reads), dst: p.cubeArg(op, "destination", writes), unit: blockBytes,
		count: p.number(op, "n_burst"), length: p.number(op, "len_burst"), srcGap: p.number(op, "nburst_src_gap"), dstGap: p.number(op, "nburst_dst_gap"),
	}
	if l.dst.space == sem.FB {
		l.unit *= 2
	}
	if p.target != sem.A5 {
		l.unit *= 2
	}
	if l.dst.space == sem.BT && l.src.f.Bits() == 16 && l.dst.f.Bits() == 32 {
		l.widen = newUnpacker(l.src.f, inputRules{})
	}
	return l.exec
}

func (l *paramLoad) exec(fr *frame) *Fault {
	src, dst := fr.x[l.src.ptr], fr.x[l.dst.ptr]
	unit := uint64(l.unit)
	n := l.length(fr)
	if n > maxField {
		return faultAt(l.src.op, "copies bursts of %d units, but at most %d are possible", int64(n), maxField)
	}
	n *= unit
	wider := uint64(1)
	if l.widen != nil {
		wider = 2
	}
	for range int64(l.count(fr)) {
		from, f := l.src.bytes(fr.core, src, int(n))
		if f != nil {
			return f
		}
		to, f := l.dst.bytes(fr.core, dst, int(n*wider))
		if f != nil {
			return f
		}
		if l.widen != nil {
			l.widen.run(as[uint32](to), from)
		} else {
			copy(to, from)
		}
		src += n + l.srcGap(fr)*unit
		dst += (n + l.dstGap(fr)*unit) * wider
	}
	return nil
}

// fillWords plans a fill of L1.
func (p *planner) fillWords(op *ir.Op) step {
	dst := p.cubeArg(op, "dst", writes)
	offset, value := p.number(op, "byte_offset"), p.number(op, "raw_value")
	repeat, blocks, gap := p.number(op, "repeat_times"), p.number(op, "block_num_32b"), p.number(op, "dst_gap_32b")
	bits, _ := op.Attr("fill_word_bits").AsInt()
	return func(fr *frame) *Fault {
		at := fr.x[dst.ptr] + offset(fr)
		times, n, skip := repeat(fr), blocks(fr), gap(fr)
		if at%blockBytes != 0 {
			return dst.misaligned(at, blockBytes)
		}
		if max(times, n, skip) > maxFill {
			return faultAt(op, "has repeat_times = %d, block_num_32b = %d and dst_gap_32b = %d, but at most %d are possible", int64(times), int64(n), int64(skip), maxFill)
		}
		for range times {
			to, f := dst.bytes(fr.core, at, int(n)*blockBytes)
			if f != nil {
				return f
			}
			fillWord(to, uint32(value(fr)), bits == 16)
			at += (n + skip) * blockBytes
		}
		return nil
	}
}

// maxFill is the greatest number that fits the fields of a fill.
const maxFill = 1<<15 - 1

// fillWord writes a word, or its low half, again and again.
func fillWord(to []byte, word uint32, half bool) {
	if half {
		word = word<<16 | word&0xffff
	}
	for at := 0; at+4 <= len(to); at += 4 {
		binary.LittleEndian.PutUint32(to[at:], word)
	}
}
