package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Variants are rows that compute the same from the same arguments, with other tiles, buffers or blocks. The ranking asks
// whether the model predicts which variant of a pair is faster: that is what tuning relies on.

// variants is a table of published run times of kernel variants, as tab-separated text.
// The first line contains the names of the columns.
//
//go:embed variants.tsv
var variants string

// noise is the relative difference below which two measurements are not compared, because
// sources publish times with two or three digits.
const noise = 0.03

// group is a class of kernel variants for which the check evaluates whether the model
// predicts the right order of their run times.
type group struct {
	kernel string
	class  string
	// problem returns a key for the measurement r. Measurements with the same key are of
	// variants that solve the same problem, and only these are compared.
	problem func(r *row) string
}

// groups lists the classes of kernel variants whose predicted and measured times are
// ranked. Each class has the prefix of its kernel names, a title, and a function. The
// function returns a text for a measurement; only measurements with equal texts are
// ranked against each other.
var groups = []group{
	{"hadamard_a5 grid", "Hadamard, rows per tile, 950", func(r *row) string { return r.shape[strings.LastIndexByte(r.shape, ' '):] }},
	{"hadamard_a5 tiles", "Hadamard, bytes per tile, 950", func(r *row) string { return "" }},
	{"pto-dsl add", "add, one or two buffers, 910B2", func(r *row) string { return r.shape }},
	{"tiled gemm", "GEMM, blocks per tile or per core, 910B4", func(r *row) string { return r.shape }},
	{"1-op TRECIP", "TRECIP, default or high precision, A5 (fit)", func(r *row) string { return r.shape }},
}

// tiledGemm predicts the time of the row r, a measurement of a tiled matrix product in
// variants.tsv. The measurements come from the chip 910B4.
func tiledGemm(r *row) error {
	var m, k, n int64
	if !scan(r.shape, "m=%d k=%d n=%d", &m, &k, &n) {
		return fmt.Errorf("unknown shape")
	}
	blocks, err := strconv.Atoi(r.blocks)
	if err != nil {
		return err
	}
	return put(r, "tiled GEMM", &launch{file: "gemm_tiles.pto", chip: "910B4", blocks: blocks,
		args: []any{&buffer{m * k * 2}, &buffer{k * n * 2}, &buffer{m * n * 4}, m, k, n}})
}

// pairCount counts the pairs of kernel variants in a class, by how well the model
// predicts which variant is faster.
type pairCount struct {
	// pairs counts the pairs with different measurements, right those that the model
	// orders like the device, and equal those that the model does not distinguish.
	pairs, right, equal int
	// claimed counts the pairs that the model predicts to differ by more than its
	// expected error, and kept those of them that it orders correctly.
	claimed, kept int
	// logs holds the logarithms of the predicted and the measured ratio of each pair.
	logs [][2]float64
}

// The constant same is the relative difference up to which two predictions count as
// equal.
const same = 0.002

// sure is a threshold for the ranking of two variants. If the relative difference of
// their predicted times is larger, tuning reports that one variant is faster.
const sure = 0.10

// rankingText compares the measured and predicted times of all pairs of kernel variants
// that solve the same problem. It returns a table with one row per class of kernels,
// which states how often the prediction ranks the two variants correctly.
func rankingText(rows []*row) string {
	type key struct{ class, problem string }
	of := map[key][]*row{}
	for _, r := range rows {
		for _, g := range groups {
			if strings.HasPrefix(r.kernel, g.kernel) && r.problem == "" && r.predicted > 0 {
				if r.fit && g.kernel != "1-op TRECIP" {
					break
				}
				k := key{g.class, g.problem(r)}
				of[k] = append(of[k], r)
				break
			}
		}
	}
	counts, all := map[string]*pairCount{}, &pairCount{}
	for k, list := range of {
		if counts[k.class] == nil {
			counts[k.class] = &pairCount{}
		}
		for i := range list {
			for _, b := range list[:i] {
				counts[k.class].add(list[i], b)
				if !strings.Contains(k.class, "(fit)") {
					all.add(list[i], b)
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("class\tpairs\tright\tnot distinguished\tright of distinguished\t95 % interval\tcorrelation of ratios\tclaimed\tright of claimed\n")
	for _, g := range groups {
		if c := counts[g.class]; c != nil {
			c.write(&b, g.class)
		}
	}
	all.write(&b, "all that are not fit")
	return b.String()
}

// add compares two variants of a kernel, a and b. It counts the pair, and records whether
// the model predicts the same order of their times as the measurement, the opposite
// order, or equal times. It also counts the pairs whose predicted times clearly differ.
// It ignores the pair if the measurements differ by less than noise.
func (c *pairCount) add(a, b *row) {
	measured, predicted := math.Log(a.value/b.value), math.Log(a.predicted/b.predicted)
	if math.Abs(measured) < math.Log1p(noise) {
		return
	}
	c.pairs++
	c.logs = append(c.logs, [2]float64{predicted, measured}, [2]float64{-predicted, -measured})
	ok := (predicted > 0) == (measured > 0)
	switch {
	case math.Abs(predicted) < math.Log1p(same):
		c.equal++
		return
	case ok:
		c.right++
	}
	if math.Abs(predicted) > math.Log1p(sure) {
		c.claimed++
		if ok {
			c.kept++
		}
	}
}

// write writes a table row to b. The row shows how well the model predicts which of two
// kernel variants is faster, for a class of kernels.
func (c *pairCount) write(b *strings.Builder, class string) {
	n := c.pairs - c.equal
	share, interval := "-", "-"
	if n > 0 {
		low, high := wilson(c.right, n)
		share, interval = fmt.Sprintf("%.0f %%", 100*float64(c.right)/float64(n)), fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*high)
	}
	kept := "-"
	if c.claimed > 0 {
		kept = fmt.Sprintf("%.0f %%", 100*float64(c.kept)/float64(c.claimed))
	}
	ratios := "-"
	if n >= 3 {
		ratios = fmt.Sprintf("%.2f", correlation(c.logs))
	}
	fmt.Fprintf(b, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%d\t%s\n", class, c.pairs, c.right, c.equal, share, interval, ratios, c.claimed, kept)
}

// wilson returns the 95 % confidence interval of a proportion by the method of Wilson.
// right is the number of successes in n trials.
func wilson(right, n int) (low, high float64) {
	const z = 1.96
	p, m := float64(right)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return mid - half, mid + half
}

// correlation returns the rank correlation between the first and the second numbers of
// the pairs.
func correlation(list [][2]float64) float64 {
	rows := make([]*row, len(list))
	for i, x := range list {
		rows[i] = &row{predicted: x[0], value: x[1]}
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.value, b.value) })
	return rank(rows)
}
