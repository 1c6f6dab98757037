// This file compiles sort and merge instructions on memory.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// sortGroups compiles op into a step, a function that sorts groups of scores in memory.
// The results are records of a score and an index.
func (p *planner) sortGroups(op *ir.Op) step {
	d := sem.RecordSortOf(op)
	f, ok := p.laneFormat(op, d.Source.Type())
	dst := p.vecAccess(op, sem.PointerAccess{Pointer: d.Destination}, writes, blockBytes)
	src := p.vecAccess(op, sem.PointerAccess{Pointer: d.Source}, reads, blockBytes)
	idx := p.vecAccess(op, sem.PointerAccess{Pointer: d.Indices}, reads, blockBytes)
	if !ok || dst == nil || src == nil || idx == nil {
		return nil
	}
	times := p.slot(d.Times.Value)
	return func(fr *frame) *Fault {
		n := int64(fr.x[times])
		if most := int64(sem.UB.Size(fr.core.prog.target)); n < 0 || n > most {
			return faultAt(op, "sorts %d groups, but the number of groups must be between 0 and %d", n, most)
		}
		return sortInto(fr, f, dst, src, idx, int(n)*sem.SortedGroup)
	}
}

// sortInto sorts n scores of format f in groups. It reads the scores through the operand
// src, and their indices through the operand idx. It stores records with a score and an
// index through the operand dst.
func sortInto(fr *frame, f num.Format, dst, src, idx *vecAccess, n int) *Fault {
	scores, fault := src.next(fr, n*f.Bytes())
	if fault != nil {
		return fault
	}
	indices, fault := idx.next(fr, n*4)
	if fault != nil {
		return fault
	}
	out, fault := dst.next(fr, n*recordBytes)
	if fault != nil {
		return fault
	}
	var group [sem.SortedGroup]record
	for at := 0; at < n; at += sem.SortedGroup {
		for i := range group {
			bits := num.Load(f, scores[(at+i)*f.Bytes():])
			group[i] = record{num.Decode(f, bits), uint32(bits), binary.LittleEndian.Uint32(indices[(at+i)*4:])}
		}
		sortRecords(group[:])
		for i, r := range group {
			r.write(out[(at+i)*recordBytes:])
		}
	}
	return nil
}

// mergeSorted compiles op into a step, a function that merges four sorted lists of
// records in memory. The operand Configuration contains bit fields. Bits 0 to 7 are the
// number of repetitions. Bits 8 to 11 select the lists that participate. Bit 12
// determines whether the merge stops when all records of one list are used. With
// repetitions, the four lists are adjacent in memory, and each repetition continues after
// the previous one.
func (p *planner) mergeSorted(op *ir.Op) step {
	d := sem.RecordMergeOf(op)
	f, ok := p.laneFormat(op, d.Destination.Type())
	dst := p.vecAccess(op, sem.PointerAccess{Pointer: d.Destination}, writes, recordBytes)
	var srcs [4]*vecAccess
	for i, source := range d.Sources {
		srcs[i] = p.vecAccess(op, sem.PointerAccess{Pointer: source}, reads, recordBytes)
		ok = ok && srcs[i] != nil
	}
	if !ok || dst == nil {
		return nil
	}
	counts, config := p.slot(d.Counts.Value), p.slot(d.Configuration.Value)
	return func(fr *frame) *Fault {
		word := fr.x[config]
		var lengths [4]int
		total := 0
		for i := range lengths {
			if word>>(8+i)&1 != 0 {
				lengths[i] = int(fr.x[counts]>>(16*i)&0xFFFF) * recordBytes
				total += lengths[i]
			}
		}
		for turn := range uint64(max(word&0xFF, 1)) {
			var lists [4][]byte
			for i, s := range srcs {
				b, f := s.bytes(fr.core, fr.x[s.ptr]+turn*uint64(total), lengths[i])
				if f != nil {
					return f
				}
				lists[i] = b
			}
			out, fault := dst.bytes(fr.core, fr.x[dst.ptr]+turn*uint64(total), total)
			if fault != nil {
				return fault
			}
			fr.core.merged = mergeRecords(f, out, lists, word>>12&1 != 0)
		}
		return nil
	}
}

// mergedCounts compiles op into a step, a Go function that executes op. A merge
// instruction merges up to four sorted lists of records. The step returns, for each of
// these lists, how many of its records the last merge has used.
func (p *planner) mergedCounts(op *ir.Op) step {
	at := p.homes(op.Results())
	return func(fr *frame) *Fault {
		for i, h := range at {
			fr.x[h.at] = uint64(uint16(fr.core.merged[i]))
		}
		return nil
	}
}

// vecSort compiles a sort or merge instruction into a step, the function that executes
// it.
func (p *planner) vecSort(op *ir.Op, kind sem.VecSort) step {
	switch kind.Act {
	case sem.SortGroups:
		return p.sortGroups(op)
	case sem.SortValues:
		return p.sortValues(op)
	case sem.MergeLists:
		return p.mergeSorted(op)
	}
	return p.mergedCounts(op)
}
