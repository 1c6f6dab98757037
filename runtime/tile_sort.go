// This file compiles sorting and merging of tiles.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileSort compiles op into a step, a function that sorts each group of 32 elements of a
// row. The results are records with a score and an index, of the same size for each
// element type. Rows of dst therefore have more bytes than rows of src.
func (p *planner) tileSort(op *ir.Op, _ sem.TileSort) step {
	from, numbers, to := sem.TileSortOf(op)
	src, idx, dst := p.tileOperand(op, from), p.tileOperand(op, numbers), p.tileOperand(op, to)
	if src.l == nil || idx.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	return p.checked(op, func(fr *frame) *Fault {
		s, x, d := fr.t[src.at], fr.t[idx.at], fr.t[dst.at]
		if n := s.cols * recordBytes; s.rows > dst.l.rows || n > dst.l.cols*dst.l.size {
			return faultAt(op, "writes %d records of %d bytes per row, but a row of \"dst\" has %d bytes", s.cols, recordBytes, dst.l.cols*dst.l.size)
		}
		var group [sem.SortedGroup]record
		for r := range s.rows {
			for at := 0; at < s.cols; at += sem.SortedGroup {
				rs := group[:min(sem.SortedGroup, s.cols-at)]
				for i := range rs {
					bits := src.l.get(s, r, at+i)
					row := min(r, max(x.rows-1, 0)) // one row of indices may serve all
					rs[i] = record{num.Decode(f, bits), uint32(bits), uint32(idx.l.get(x, row, at+i))}
				}
				sortRecords(rs)
				out := dst.maskRow(d, r)[at*recordBytes:]
				for i, rec := range rs {
					rec.write(out[i*recordBytes:])
				}
			}
		}
		return nil
	})
}

// tileMerge compiles op into a step, a function that merges lists of records that are
// sorted by score. The lists are up to four tiles with one row each; if op has a block
// length, they are adjacent blocks of one row. The step stores in the core how many
// records of each list were used. With the attribute Exhausted, the merge ends when all
// records of one list are used, and the program merges the remaining records later.
func (p *planner) tileMerge(op *ir.Op, _ sem.TileMerge) step {
	dst := p.tileOut(op)
	if dst.l == nil {
		return nil
	}
	o := sem.TileListsOf(op)
	if o.BlockLen.Given() {
		return p.mergeBlocks(op, dst, p.slot(o.BlockLen.Value))
	}
	var srcs []tileOperand
	for _, l := range o.Lists {
		srcs = append(srcs, p.tileOperand(op, l))
	}
	if p.failed || len(srcs) > 4 {
		return nil
	}
	count := p.mergeCounts(o.Taken.Value)
	p.hearMerge(op, dst)
	return func(fr *frame) *Fault {
		var lists [4][]byte
		for i := range srcs {
			s := fr.t[srcs[i].at]
			lists[i] = srcs[i].maskRow(s, 0)[:s.cols*srcs[i].l.size]
		}
		d := fr.t[dst.at]
		fr.core.merged = mergeRecords(dst.l.f, dst.maskRow(d, 0)[:d.cols*dst.l.size], lists, o.Exhausted)
		count(fr)
		return nil
	}
}

// mergeCounts returns a function that stores the result counts of a merge of sorted
// lists: the number of records that the merge has used from each list. The function
// writes them to the lanes of the vector v, an operand of the merge instruction. Some
// merge instructions have no such operand, so v is nil or not a vector. The returned
// function then does nothing, because a separate instruction reads these numbers from a
// register of the core.
func (p *planner) mergeCounts(v *ir.Value) func(fr *frame) {
	if v == nil || shortVector(v.Type()) == 0 {
		return func(*frame) {}
	}
	f, _ := ir.FormatOf(ir.ElementType(v.Type()))
	at, n := p.slot(v), min(shortVector(v.Type()), 4)
	return func(fr *frame) {
		for i, k := range fr.core.merged[:n] {
			fr.v[at].setLane(i, f.Bytes(), uint64(k))
		}
	}
}

// mergeBlocks compiles op into a step, a function that merges each group of four adjacent
// lists of a row. The parameter blockLen is the slot (frame index) of the scalar that
// contains the length of a list. Lists after the last complete group of four are neither
// merged nor written.
func (p *planner) mergeBlocks(op *ir.Op, dst tileOperand, blockLen slot) step {
	var src tileOperand
	for _, v := range op.Operands() {
		if pto.IsTile(v.Type()) {
			src = p.tileValue(op, "src", v)
			break
		}
	}
	if src.l == nil {
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		s, d := fr.t[src.at], fr.t[dst.at]
		n := int(int32(fr.x[blockLen])) * src.l.size
		if n <= 0 || n%recordBytes != 0 {
			return faultAt(op, "merges lists of %d elements, but the size of a list must be a positive multiple of the record size", int32(fr.x[blockLen]))
		}
		from, to := src.maskRow(s, 0)[:s.cols*src.l.size], dst.maskRow(d, 0)
		merged := len(from) / (4 * n) * (4 * n)
		if merged > len(to) {
			return faultAt(op, "merges %d bytes, but a row of \"%s\" has only %d bytes", merged, dst.name, len(to))
		}
		for at := 0; at < merged; at += 4 * n {
			var lists [4][]byte
			for i := range lists {
				lists[i] = from[at+i*n : at+(i+1)*n]
			}
			mergeRecords(src.l.f, to[at:at+4*n], lists, false)
		}
		return nil
	})
}
