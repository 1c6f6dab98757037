// This file executes copies into L1: matrices that are rearranged into fractals,
// biases and factors, and fills.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// fractalLoad executes a copy of matrices from global memory to L1 that rearranges them
// into fractals (blocks of 16 rows by 32 bytes).
type fractalLoad struct {
	op       *ir.Op
	src, dst cubeArg
	// size is the size of an element in bytes.
	size int
	// transposed means that the rows of the source become the columns of the matrix.
	transposed bool
	// small reports at run time, by a value other than 0, whether the copy uses the mode
	// for matrices with at most 4 elements along d.
	small func(fr *frame) uint64
	// n and d return the two extents of a matrix, in elements. Neighbours along d share a
	// destination block of 32 bytes.
	n, d func(fr *frame) uint64
	// inner returns the distance in bytes between consecutive rows of the source.
	inner func(fr *frame) uint64
	// outer returns the distance in bytes between consecutive matrices of the source.
	outer func(fr *frame) uint64
	// groups returns the number of matrices, followed by the three strides of the
	// destination in blocks of 32 bytes.
	groups func(fr *frame) [4]uint64
}

// loadFractals compiles op into a step, a function that copies matrices from global
// memory to L1 and rearranges them into fractals (blocks of 16 rows by 32 bytes).
func (p *planner) loadFractals(op *ir.Op, _ sem.LoadFractals) step {
	d := sem.FractalLoadOf(op)
	l := &fractalLoad{
		op: op, src: p.cubeArg(op, d.Source, reads), dst: p.cubeArg(op, d.Destination, writes), transposed: d.Transposed,
		size: p.elemSize(d.Source.Value), small: p.number(d.Small), n: p.number(d.N), d: p.number(d.D), inner: p.number(d.Inner), outer: p.number(d.Outer),
	}
	if d.Registers {
		reg := p.register(sem.RegFractals)
		l.groups = func(fr *frame) (g [4]uint64) {
			for i, field := range sem.FractalFields {
				g[i] = field.Of(fr.core.registers[reg][0])
			}
			return g
		}
		return l.exec
	}
	count, loop2, loop3, loop4 := p.number(d.Groups[0]), p.number(d.Groups[1]), p.number(d.Groups[2]), p.number(d.Groups[3])
	l.groups = func(fr *frame) [4]uint64 { return [4]uint64{count(fr), loop2(fr), loop3(fr), loop4(fr)} }
	return l.exec
}

// exec copies all matrices of the instruction from global memory to L1. It returns a
// fault if an operand does not fit into its encoding field of the instruction, or if an
// access is outside a memory.
func (l *fractalLoad) exec(fr *frame) *Fault {
	n, d, g := l.n(fr), l.d(fr), l.groups(fr)
	small := l.small(fr) != 0
	switch {
	case small && d > sem.SmallUnit:
		return faultAt(l.op, "has d_value = %d, but with smallc0_en it must be at most %d", int64(d), sem.SmallUnit)
	case n > maxField || d > maxWideField:
		return faultAt(l.op, "copies matrices of %dx%d elements, but a matrix can have at most %dx%d elements", int64(n), int64(d), maxField, maxWideField)
	}
	src, dst := fr.x[l.src.ptr], fr.x[l.dst.ptr]
	if dst%blockBytes != 0 {
		return l.dst.misaligned(dst, blockBytes)
	}
	for range int64(g[0]) {
		f := fr.core.round(l.op)
		if f != nil {
			return f
		}
		if small {
			f = l.smallMatrix(fr, src, dst, int(n), int(d))
		} else {
			f = l.matrix(fr, src, dst, int(n), int(d), g)
		}
		if f != nil {
			return f
		}
		src += l.outer(fr)
		dst += g[3] * blockBytes
	}
	return nil
}

const (
	// maxField and maxWideField are the largest values of the 16-bit and 21-bit fields in
	// the encoding of an instruction. The runtime faults on larger operands, because the
	// hardware would drop their upper bits.
	maxField     = 1<<16 - 1
	maxWideField = 1<<21 - 1
)

// matrix copies one matrix of n rows and d columns from address src to the fractals at
// address dst. Each destination block of 32 bytes holds neighbouring elements of one row;
// the last block of a row is padded with zeros. The number groups[1] is the distance
// between the blocks of consecutive rows, and groups[2] is the distance between
// consecutive blocks of the same row. Both distances are counted in blocks of 32 bytes.
func (l *fractalLoad) matrix(fr *frame, src, dst uint64, n, d int, groups [4]uint64) *Fault {
	unit, down, right := blockBytes/l.size, groups[1]*blockBytes, groups[2]*blockBytes
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

// smallMatrix copies one matrix of n x d elements from address src in global memory to
// address dst in L1. The number of columns d is at most 4. In L1, each of the n rows
// occupies 4 elements without gaps between rows, and zeros fill the last block of 32
// bytes.
func (l *fractalLoad) smallMatrix(fr *frame, src, dst uint64, n, d int) *Fault {
	size := sem.SmallUnit * l.size
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

// gather reads the elements (i, j), (i, j+1), ... of the source matrix at address src. It
// stores them in the destination buffer (the parameter to) until this buffer is full.
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

// paramLoad executes a copy of biases or quantization factors from L1 to the bias table
// (BT) or to the fixpipe buffer (FB), two small memories of the cube core.
type paramLoad struct {
	src, dst cubeArg
	// unit is the size in bytes of the unit in which the instruction counts its source
	// lengths and gaps.
	unit int64
	// widen converts biases to the wider format of the bias table, or is nil if the
	// formats agree.
	widen          *unpacker
	count, length  func(fr *frame) uint64
	srcGap, dstGap func(fr *frame) uint64
}

// loadParams compiles op into a step, a function that copies biases or quantization
// factors from L1 to a parameter memory of the cube core.
func (p *planner) loadParams(op *ir.Op, _ sem.LoadParams) step {
	d := sem.ParamLoadOf(op, p.target)
	l := &paramLoad{
		src: p.cubeArg(op, d.Source, reads), dst: p.cubeArg(op, d.Destination, writes), unit: d.Unit,
		count: p.number(d.Count), length: p.number(d.Length), srcGap: p.number(d.SourceGap), dstGap: p.number(d.DestGap),
	}
	if l.dst.space == sem.BT && l.src.f.Bits() == 16 && l.dst.f.Bits() == 32 {
		l.widen = newUnpacker(l.src.f, inputRules{})
	}
	return l.exec
}

// exec executes the copy burst by burst; a burst is a contiguous row of bytes. It returns
// a fault if an operand is too large or an access is out of bounds.
func (l *paramLoad) exec(fr *frame) *Fault {
	src, dst := fr.x[l.src.ptr], fr.x[l.dst.ptr]
	unit := uint64(l.unit)
	n := l.length(fr)
	if n > maxField {
		return faultAt(l.src.op, "copies bursts of %d units, but a burst can have at most %d units", int64(n), maxField)
	}
	n *= unit
	wider := uint64(1)
	if l.widen != nil {
		wider = 2
	}
	for range int64(l.count(fr)) {
		if f := fr.core.round(l.src.op); f != nil {
			return f
		}
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

// fillWords compiles op into a step, a function that fills blocks of L1, at regular
// distances, with a constant.
func (p *planner) fillWords(op *ir.Op, _ sem.FillWords) step {
	d := sem.FillOf(op)
	dst := p.cubeArg(op, d.Dst, writes)
	offset, value := p.number(d.Offset), p.number(d.Word)
	repeat, blocks, gap := p.number(d.Repeat), p.number(d.Blocks), p.number(d.Gap)
	return func(fr *frame) *Fault {
		at := fr.x[dst.ptr] + offset(fr)
		times, n, skip := repeat(fr), blocks(fr), gap(fr)
		if at%blockBytes != 0 {
			return dst.misaligned(at, blockBytes)
		}
		if max(times, n, skip) > sem.MaxFill {
			return faultAt(op, "has repeat_times = %d, block_num_32b = %d and dst_gap_32b = %d, but each must be at most %d", int64(times), int64(n), int64(skip), sem.MaxFill)
		}
		for range times {
			to, f := dst.bytes(fr.core, at, int(n)*blockBytes)
			if f != nil {
				return f
			}
			fillWord(to, uint32(value(fr)), d.Half)
			at += (n + skip) * blockBytes
		}
		return nil
	}
}

// fillWord fills a buffer, the parameter to, with copies of the 32-bit integer in the
// parameter word. If half is set, it fills the buffer with copies of the lower 16 bits of
// this integer.
func fillWord(to []byte, word uint32, half bool) {
	if half {
		word = word<<16 | word&0xffff
	}
	for at := 0; at+4 <= len(to); at += 4 {
		binary.LittleEndian.PutUint32(to[at:], word)
	}
}
