package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/tools/testsize"
)

// TestRanking checks that the model still ranks variants of small launches in the same
// order as the device.
func TestRanking(t *testing.T) {
	mostBytes = int64(testsize.Of(quickBytes/2, quickBytes))
	defer func() { mostBytes = 0 }()
	rows := slices.DeleteFunc(readRows(measured), func(r *row) bool { return !strings.HasPrefix(r.kernel, "hadamard_a5 grid") })
	text := rankingText(predictAll(rows))
	c := &pairCount{}
	for _, a := range rows {
		for _, b := range rows {
			if a.shape < b.shape && a.kernel == b.kernel && a.predicted > 0 && b.predicted > 0 && !a.fit && !b.fit &&
				groups[0].problem(a) == groups[0].problem(b) {
				c.add(a, b)
			}
		}
	}
	if c.pairs < 10 || c.right*3 < (c.pairs-c.equal)*2 {
		t.Errorf("%d of %d pairs are ordered right\n%s", c.right, c.pairs, text)
	}
}

func TestWilson(t *testing.T) {
	low, high := wilson(8, 10)
	if math.Abs(low-0.490) > 0.001 || math.Abs(high-0.943) > 0.001 {
		t.Errorf("%.3f to %.3f, expected 0.490 to 0.943", low, high)
	}
}

// TestPairCount checks which pairs of variants count as right, wrong, equal or
// indistinct.
func TestPairCount(t *testing.T) {
	c := &pairCount{}
	of := func(predicted, value float64) *row { return &row{predicted: predicted, value: value} }
	c.add(of(1, 1), of(2, 2))       // right
	c.add(of(1, 2), of(2, 1))       // wrong
	c.add(of(1, 1), of(1.001, 2))   // not distinguished
	c.add(of(1, 1), of(2, 1.01))    // measurements that do not differ
	c.add(of(1, 1), of(1.05, 1.05)) // right, not claimed
	if c.pairs != 4 || c.right != 2 || c.equal != 1 || c.claimed != 2 || c.kept != 1 {
		t.Errorf("%+v", c)
	}
}
