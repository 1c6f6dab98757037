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

//go:embed measured.tsv
var measured string

// row is a published measurement together with the prediction of the model.
type row struct {
	kernel, shape, elem, device, blocks, unit, source string
	value                                             float64

	class string
	// fit states that constants of the model were fitted to this measurement.
	fit bool
	// pipe is the pipe whose share of the time the row measures.
	pipe      string
	predicted float64
	// problem is the reason why the model made no prediction for the row, or "".
	problem string
	// bytes is the total size in bytes of the buffers of the launch that the row
	// measures.
	bytes int64
}

// points reports whether the row is a percentage of time, whose error is counted in
// percentage points.
func (r *row) points() bool { return r.unit == "%" }

// off returns the error of the prediction for the row. If the measured value is a
// percentage, the error is the difference in percentage points, divided by 100. For all
// other rows, the error is the difference divided by the measured value.
func (r *row) off() float64 {
	if r.points() {
		return (r.predicted - r.value) / 100
	}
	return (r.predicted - r.value) / r.value
}

// readRows parses a table of measurements with tab-separated columns: kernel, shape,
// type, device, blocks, measured, unit, source.
func readRows(text string) (rows []*row) {
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if i == 0 || len(f) < 7 {
			continue
		}
		f = append(f, "")
		v, err := strconv.ParseFloat(f[5], 64)
		if err != nil {
			continue
		}
		rows = append(rows, &row{kernel: f[0], shape: f[1], elem: f[2], device: f[3], blocks: f[4], value: v, unit: f[6], source: f[7]})
	}
	return rows
}

// tableText returns a table with one line for each row.
func tableText(rows []*row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %-4s %-44s %-34s %12s %12s %8s\n", "class", "set", "kernel", "shape", "predicted", "measured", "error")
	for _, r := range rows {
		if r.class == "" {
			continue
		}
		set := "held"
		if r.fit {
			set = "fit"
		}
		if r.problem != "" {
			fmt.Fprintf(&b, "%-18s %-4s %-44s %-34s not predicted: %s\n", r.class, set, cut(r.kernel, 44), cut(r.shape, 34), r.problem)
			continue
		}
		kind := "%"
		if r.points() {
			kind = "points"
		}
		fmt.Fprintf(&b, "%-18s %-4s %-44s %-34s %12.4g %12.4g %+7.1f %s\n", r.class, set, cut(r.kernel, 44), cut(r.shape, 34), r.predicted, r.value, 100*r.off(), kind)
	}
	return b.String()
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// summaryText returns a table with a line for each class of rows: rows with the same text
// in the field class. Rows to which constants of the model were fitted are listed
// separately.
func summaryText(rows []*row) string {
	type key struct {
		class string
		fit   bool
	}
	groups := map[key][]*row{}
	var keys []key
	for _, r := range rows {
		k := key{r.class, r.fit}
		if r.class == "" || r.problem != "" {
			continue
		}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(btoi(b.fit), btoi(a.fit)))
	})
	var b strings.Builder
	b.WriteString("class\tset\trows\tmedian error %\tworst error %\trank correlation\n")
	for _, k := range keys {
		g := groups[k]
		set := "held"
		if k.fit {
			set = "fit"
		}
		fmt.Fprintf(&b, "%s\t%s\t%d\t%.1f\t%.1f\t%.2f\n", k.class, set, len(g), 100*median(g), 100*worst(g), rank(g))
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func median(rows []*row) float64 {
	var xs []float64
	for _, r := range rows {
		xs = append(xs, math.Abs(r.off()))
	}
	slices.Sort(xs)
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

func worst(rows []*row) (x float64) {
	for _, r := range rows {
		x = max(x, math.Abs(r.off()))
	}
	return x
}

// rank returns the rank correlation of predictions and measurements. It is 1 if the order
// of the rows by prediction is the same as their order by measurement, and -1 if it is
// the reverse. For fewer than three rows, rank returns 1.
func rank(rows []*row) float64 {
	n := len(rows)
	if n < 3 {
		return 1
	}
	a, b := ranks(rows, func(r *row) float64 { return r.predicted }), ranks(rows, func(r *row) float64 { return r.value })
	mean := float64(n-1) / 2
	var ab, aa, bb float64
	for i := range a {
		x, y := a[i]-mean, b[i]-mean
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 1
	}
	return ab / math.Sqrt(aa*bb)
}

// ranks sorts rows by a value and returns the rank of each row, from 0. The last
// parameter is a function that returns the value of a row. Rows with equal values have
// the mean of their ranks.
func ranks(rows []*row, of func(r *row) float64) []float64 {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(of(rows[i]), of(rows[j])) })
	at := make([]float64, len(rows))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && of(rows[order[j]]) == of(rows[order[i]]) {
			j++
		}
		for k := i; k < j; k++ {
			at[order[k]] = float64(i+j-1) / 2
		}
		i = j
	}
	return at
}
