package cpptest

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// operandTiles searches the kernel for the first instruction whose full name starts with
// the given prefix, the parameter name. It returns the types of the tiles among the
// operands of this instruction, in the order of the operands. The result is nil if the
// kernel cannot be prepared.
func (r *Result) operandTiles(name string) (tiles []pto.TileInfo) {
	prog, err := r.prepare()
	if err != nil {
		return nil
	}
	for op := range prog.Entry().Walk() {
		if !strings.HasPrefix(op.Name(), name) {
			continue
		}
		for i := range op.NumOperands() {
			if t, ok := pto.TileOf(op.Operand(i).Type()); ok {
				tiles = append(tiles, t)
			}
		}
		return tiles
	}
	return nil
}

// differing reports whether the function f accepts every difference between the results.
// It calls f for each element in which the results differ, until f returns false. The
// parameter at of f is the index of the element, want contains its bytes on the Go
// engine, and got contains its bytes on the simulator.
func (r *Result) differing(f func(at int, want, got []byte) bool) bool {
	n := 0
	for _, a := range r.Args {
		if a.Data == nil {
			continue
		}
		format, _ := formatOf(a.Elem)
		size := format.Bytes()
		for at := 0; at+size <= len(r.want[n]); at += size {
			w, g := r.want[n][at:at+size], r.got[n][at:at+size]
			if !bytes.Equal(w, g) && !f(at/size, w, g) {
				return false
			}
		}
		n++
	}
	return true
}

// otherOfEqual compares the results of the simulator with those of the Go engine, for an
// instruction that sorts records. It reports whether the results differ only in the order
// of records with equal scores. A record has eight bytes: a score in the lower four
// bytes, and an index in the upper four bytes.
func otherOfEqual(r *Result) bool {
	const record = 8
	for n, want := range r.want {
		got := r.got[n]
		for at := 0; at+record <= len(want); at += record {
			score := want[at : at+record/2]
			before := at >= record && bytes.Equal(want[at-record:][:record/2], score)
			after := at+record+record/2 <= len(want) && bytes.Equal(want[at+record:][:record/2], score)
			if !bytes.Equal(got[at:at+record], want[at:at+record]) && (!bytes.Equal(got[at:at+record/2], score) || !before && !after) {
				return false
			}
		}
	}
	return true
}

// overlapping reports whether the differences in a sort of 16-bit scores have a known
// cause. The simulator stores the sorted groups of 32 records at other positions: each
// group except the first one of a row starts in the middle of the previous group. The
// result is true if the simulator's results equal a sort with groups at these positions.
func overlapping(r *Result) bool {
	tiles := r.operandTiles("pto.tsort32")
	return len(tiles) == 3 && pto.ByteSize(tiles[0].Elem) == 2 && len(r.want) == len(r.Args) &&
		overlaps(int(tiles[0].VRows), int(tiles[0].VCols), r.want[len(r.want)-1], r.got[len(r.got)-1])
}

func overlaps(rows, cols int, want, got []byte) bool {
	const record, group = 8, 32
	for row := range rows {
		w, g := want[row*cols*record:][:cols*record], got[row*cols*record:][:cols*record]
		moved := make([]byte, len(w))
		for at := 0; at < len(w); at += group * record {
			copy(moved[at/2:], w[at:min(at+group*record, len(w))])
		}
		for at := 0; at < len(w); at += record {
			if !bytes.Equal(g[at:at+record/2], moved[at:at+record/2]) {
				return false
			}
		}
	}
	return true
}

// runOn reports whether the results of a comparison instruction differ between the Go
// engine and the CPU simulator only in the positions of mask bits. The simulator stores
// the mask bits of all rows consecutively. The Go engine stores each row at a new
// address.
func runOn(r *Result) bool {
	tiles := r.operandTiles("pto.tcmps")
	if len(tiles) != 2 {
		return false
	}
	for i, want := range r.want {
		if !bytes.Equal(r.got[i], want) && !runsOn(tiles[0], tiles[1], want, r.got[i]) {
			return false
		}
	}
	return true
}

// runsOn reports whether the simulator computed the expected mask but stored it with
// another distance between rows. The slice want contains the expected mask, whose rows
// are as far apart as the rows of the mask tile. The slice got contains the memory of the
// simulator. In got, the mask bytes of all rows must follow each other in one of two
// ways: one byte after the other, or one byte in each element of the mask tile. The
// parameter src is the type of the compared tile, and mask is the type of the mask tile.
func runsOn(src, mask pto.TileInfo, want, got []byte) bool {
	each := pto.ByteSize(mask.Elem)
	rows, packed, pitch := int(src.VRows), int(src.Cols)/8, int(mask.VCols)*each
	if rows < 0 || packed > pitch || len(want) < rows*pitch {
		return false
	}
	for _, each := range []int{1, each} {
		stream := bytes.Clone(want)
		clear(stream[:rows*pitch])
		for k := range min(rows*packed, rows*pitch/each) {
			stream[k*each] = want[k/packed*pitch+k%packed]
		}
		if bytes.Equal(got, stream) {
			return true
		}
	}
	return false
}

// behindFirstBoxes examines the elements that differ between our result and that of the
// simulator, for a load into a tile with boxes (inner blocks). It reports whether all
// these elements are in columns after the first box of a row.
func behindFirstBoxes(r *Result) bool {
	for _, t := range r.operandTiles("pto.tload") {
		if _, wide, ok := t.Box(); ok && t.SLayout != pto.NoneBox {
			return r.differing(func(at int, _, _ []byte) bool { return at%int(t.Cols) >= int(wide) })
		}
	}
	return false
}

// zeroForExtreme reports whether, in each difference, the Go engine returns the least or
// the greatest number of the type, and the simulator returns 0.
func zeroForExtreme(r *Result) bool {
	var extreme []byte
	return r.differing(func(_ int, want, got []byte) bool {
		if extreme == nil {
			extreme = want
		}
		return bytes.Equal(want, extreme) && isZero(got)
	})
}

// nothingWritten examines all elements for which the simulator and the Go engine return
// different results. It reports whether all of them are 0 in the simulator, like memory
// that was never written.
func nothingWritten(r *Result) bool {
	return r.differing(func(_ int, _, got []byte) bool { return isZero(got) })
}

func isZero(b []byte) bool { return bytes.Equal(b, make([]byte, len(b))) }

// onlyInput reports whether each element in which the results differ is, on the simulator,
// the element of an input at the same index: the sum of this element and of a zero. The
// input has the type of the result, and the kernel does not write it.
func onlyInput(r *Result) bool {
	var inputs [][]byte
	n := 0
	for _, a := range r.Args {
		if a.Data == nil {
			continue
		}
		if bytes.Equal(a.Data, r.want[n]) && bytes.Equal(a.Data, r.got[n]) {
			inputs = append(inputs, a.Data)
		}
		n++
	}
	return r.differing(func(at int, _, got []byte) bool {
		return slices.ContainsFunc(inputs, func(in []byte) bool {
			from := at * len(got)
			return from+len(got) <= len(in) && bytes.Equal(in[from:from+len(got)], got)
		})
	})
}

// nanOrZeroSign examines each pair of numbers in which the results differ. It reports
// whether in each pair one number is a NaN, or both numbers are zeros of different sign.
func nanOrZeroSign(r *Result) bool {
	return r.differingNumbers(func(f num.Format, want, got uint64) bool {
		return num.IsNaN(f, want) || num.IsNaN(f, got) || zeroSign(f, want, got)
	})
}

// clamped reports whether, in each difference, the result of the Go engine is a value
// that saturation produces: the largest or smallest number of the format, or 0 for NaN.
func clamped(r *Result) bool {
	return r.differingNumbers(func(f num.Format, want, _ uint64) bool {
		inf := math.Inf(1)
		return want == 0 || want == num.Encode(f, inf, num.Zero, true) || want == num.Encode(f, -inf, num.Zero, true)
	})
}

// zeroSigns reports whether the results of the simulator and the Go engine differ only in
// the signs of zeros.
func zeroSigns(r *Result) bool { return r.differingNumbers(zeroSign) }

// zeroSign reports whether two floats, given as bits, are both zeros.
func zeroSign(f num.Format, want, got uint64) bool {
	return !f.IsInt() && want&^f.SignBit() == 0 && got&^f.SignBit() == 0
}

// differingNumbers calls the function hold for each result that differs, with its number
// format, its expected bits and its actual bits. It reports whether hold returns true for
// all of them.
func (r *Result) differingNumbers(hold func(f num.Format, want, got uint64) bool) bool {
	n := 0
	for _, a := range r.Args {
		if a.Data == nil {
			continue
		}
		f, _ := formatOf(a.Elem)
		for at := 0; at+f.Bytes() <= len(r.want[n]); at += f.Bytes() {
			w, g := num.Load(f, r.want[n][at:]), num.Load(f, r.got[n][at:])
			if w != g && !num.Same(f, w, g) && !hold(f, w, g) {
				return false
			}
		}
		n++
	}
	return true
}

// onlyIntegers reports whether the results differ only in integers, such as indices.
func onlyIntegers(r *Result) bool {
	return r.differingNumbers(func(f num.Format, _, _ uint64) bool { return f.IsInt() })
}

// onlySlots reports whether the results differ only in the memory of slots of queues.
func onlySlots(r *Result) bool {
	prog, err := r.prepare()
	if err != nil {
		return false
	}
	slots := map[*ir.Value]bool{}
	for op := range prog.Entry().Walk() {
		if _, ok := op.Def().Sem.(sem.QueueInit); !ok {
			continue
		}
		queue := sem.QueueSetUpOf(op)
		v := queue.Global(prog.Target)
		for v != nil && v.Op() != nil && v.Op().NumOperands() > 0 {
			v = v.Op().Operand(0)
		}
		slots[v] = true
	}
	n := 0
	for i, a := range r.Args {
		if a.Data == nil {
			continue
		}
		if !bytes.Equal(r.want[n], r.got[n]) && !slots[fn.Body(prog.Entry()).Arg(i)] {
			return false
		}
		n++
	}
	return true
}
