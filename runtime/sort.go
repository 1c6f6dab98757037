// This file defines sort records, and sorts and merges them.

package runtime

import (
	"encoding/binary"
	"slices"

	"ptogo/ir/num"
)

// recordBytes is the size of a sort record in bytes. A record has a score in its first
// bytes and an index in its last four bytes.
const recordBytes = 8

// record is an element of a sorted list: a score with its index.
type record struct {
	score float64
	// bits are the stored bits of the score.
	bits  uint32
	index uint32
}

// before reports whether r sorts before o. Higher scores come first, and NaN comes before
// all numbers.
func (r record) before(o record) bool {
	return r.score > o.score || r.score != r.score && o.score == o.score
}

// readRecord decodes the record in b, whose score has format f.
func readRecord(f num.Format, b []byte) record {
	bits := num.Load(f, b)
	return record{num.Decode(f, bits), uint32(bits), binary.LittleEndian.Uint32(b[4:])}
}

// write encodes the record in the 8 bytes of b.
func (r record) write(b []byte) {
	binary.LittleEndian.PutUint32(b, r.bits)
	binary.LittleEndian.PutUint32(b[4:], r.index)
}

// sortRecords sorts records by descending score. The sort is stable.
func sortRecords(rs []record) {
	slices.SortStableFunc(rs, func(a, b record) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
}

// mergeRecords merges up to four sorted lists of records into dst. Of records with equal
// scores, the record of the earlier list comes first. It stops when dst is full or all
// lists are used up. If exhausted is set, it stops as soon as one list is used up. The
// result taken contains the number of records used from each list.
func mergeRecords(f num.Format, dst []byte, lists [4][]byte, exhausted bool) (taken [4]int) {
	for len(dst) >= recordBytes {
		best, from := record{}, -1
		for i, l := range lists {
			at := taken[i] * recordBytes
			if at+recordBytes > len(l) {
				continue
			}
			if r := readRecord(f, l[at:]); from < 0 || r.before(best) {
				best, from = r, i
			}
		}
		if from < 0 {
			return taken
		}
		copy(dst, lists[from][taken[from]*recordBytes:][:recordBytes])
		dst = dst[recordBytes:]
		taken[from]++
		if exhausted && taken[from]*recordBytes >= len(lists[from]) {
			return taken
		}
	}
	return taken
}
