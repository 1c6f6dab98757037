package isatest

import (
	"encoding/binary"
	"fmt"
	"math"

	"ptogo/ir/num"
)

// elementSize returns the size in bytes of an element type, by its number in the header of
// package frontend/cpp.
func elementSize(code int64) int64 {
	switch code {
	case 1:
		return 4
	case 2, 3:
		return 2
	case 4:
		return 8
	}
	if code >= 100 {
		return code % 100 / 8
	}
	return 1
}

// elementAt returns element i as a number.
func elementAt(code int64, b []byte, i int64) float64 {
	size := elementSize(code)
	var full [8]byte
	copy(full[:], b[i*size:(i+1)*size])
	bits := binary.LittleEndian.Uint64(full[:])
	switch {
	case code == 1:
		return float64(math.Float32frombits(uint32(bits)))
	case code == 2:
		return num.Decode(num.F16, bits)
	case code == 3:
		return num.Decode(num.BF16, bits)
	case code == 4:
		return math.Float64frombits(bits)
	case code >= 200 || code < 100:
		return float64(bits)
	}
	return float64(wrap(int64(bits), 8*size))
}

// compare compares results as ResultCmp of the library does. An element is wrong if its
// absolute and its relative difference both exceed eps, or if only one of the two numbers
// is NaN. The result is wrong if more than a threshold of elements are wrong, or if too
// many are zero where they should not be. A threshold of 0 means eps times their number.
func (h *host) compare(a []value) bool {
	code, n, eps, threshold, limit := a[0].n, a[3].n, float32(a[4].f), a[5].n, a[6].n
	size := elementSize(code)
	want, have := part(a[1], n*size), part(a[2], n*size)
	if threshold == 0 {
		threshold = int64(float32(n) * eps)
	}
	var wrong, zeros, first int64 = 0, 0, -1
	for i := range n {
		x, y := float32(elementAt(code, want, i)), float32(elementAt(code, have, i))
		diff := float32(math.Abs(float64(x - y)))
		ratio := float32(math.Abs(float64(diff / x)))
		if math.Abs(float64(y)) <= 1e-6 && math.Abs(float64(x)) > 1e-6 {
			zeros++
		}
		if diff > eps && ratio > eps || zeros > limit || (x != x) != (y != y) {
			if wrong++; first < 0 {
				first = i
			}
		}
	}
	if wrong <= threshold && zeros <= limit {
		return true
	}
	text := fmt.Sprintf("%d of %d elements differ (allowed: %d)", wrong, n, threshold)
	if first >= 0 {
		text += fmt.Sprintf(", first element %d: expected %v, found %v", first, elementAt(code, want, first), elementAt(code, have, first))
	}
	h.differences = append(h.differences, text)
	return false
}
