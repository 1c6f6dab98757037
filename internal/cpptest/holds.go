package cpptest

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
)

// otherOfEqual reports whether what differs is which of several records with the
// same score comes first: the upper four of their eight bytes, the index.
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

// runOn reports whether the bits of a comparison differ by where rows start alone:
// in C++ the bytes of all rows follow each other, in an element each or, where
// the mask is named once more as bytes, without gaps.
func runOn(r *Result) bool {
	m := comparison.FindStringSubmatch(r.Name)
	if m == nil {
		return false
	}
	var n [4]int // rows and columns of what is compared, columns of the mask and bits of its elements
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	rows, packed, pitch := n[0], n[1]/8, n[2]*n[3]/8
	for i, want := range r.want {
		got := r.got[i]
		if !bytes.Equal(got, want) && (len(got) < rows*pitch || !slices.ContainsFunc([]int{1, n[3] / 8}, func(each int) bool {
			stream := make([]byte, rows*pitch)
			for k := range rows * packed {
				stream[k*each] = want[k/packed*pitch+k%packed]
			}
			return bytes.Equal(got[:rows*pitch], stream)
		})) {
			return false
		}
	}
	return true
}

// comparison finds the shapes of a comparison: of its source, and of its mask.
var comparison = regexp.MustCompile(`\(!pto\.tile<(\d+)x(\d+)x\w+>, \w+\) -> !pto\.tile<\d+x(\d+)x[^\d]+(\d+)>`)
