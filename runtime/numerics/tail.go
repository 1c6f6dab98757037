// This file estimates how large the errors of other data can be.

package numerics

import (
	"math"
	"slices"
)

// A tolerance must hold for data that the launches have not seen. The largest of the n
// errors of one set of data exceeds u in at most one of 1,000 sets if a single error
// exceeds u with a probability of at most 1/(1000 n). The observed errors are too few to
// contain this quantile, so it is extrapolated from the largest of them, with the moment
// estimator of extreme value theory (Dekkers, Einmahl, de Haan 1989). The tail index
// describes how slowly large errors become rare: it is 0 for errors with exponential or
// normal tails, negative for bounded errors, and 1 if an error that is ten times as large
// is a tenth as likely, as for the quotient by a difference that can be near zero.

const (
	// mostExceeded is the expected number of sets of data, of each set, that may exceed a
	// tolerance.
	mostExceeded = 1.0 / 1000
	// fewestErrors is the number of errors from which a tail can be estimated.
	fewestErrors = 100
	// heaviest is the largest tail index for which a tolerance is promised. A larger one
	// makes extrapolated quantiles meaningless.
	heaviest = 0.5
	// mostScale is the largest factor between a promised tolerance and the observed
	// errors.
	mostScale = 30
)

// tail describes the largest errors of an argument, relative to the tolerance without a
// margin.
type tail struct {
	// index is the tail index, and upper its upper confidence limit.
	index, upper float64
	// quantile is the error that at most mostExceeded of all sets of data exceed.
	quantile float64
	// known means that there were enough errors for an estimate.
	known bool
}

// estimateTail returns the tail of errors, of which each set of data has n. The errors are
// relative: the largest one is 1. Exact elements must not be among them.
func estimateTail(errs []float64, n int) tail {
	slices.Sort(errs)
	m := len(errs)
	if m < fewestErrors {
		return tail{}
	}
	k := min(max(m/50, 40), 400, m/2)
	top, base := errs[m-k:], errs[m-k-1]
	if base <= 0 {
		return tail{}
	}
	var m1, m2 float64
	for _, x := range top {
		l := math.Log(x / base)
		m1, m2 = m1+l/float64(k), m2+l*l/float64(k)
	}
	if m2 == 0 {
		return tail{known: true, quantile: 1, index: math.Inf(-1), upper: math.Inf(-1)}
	}
	negative := 1 - 0.5/(1-m1*m1/m2)
	t := tail{index: m1 + negative, known: true}
	t.upper = t.index + 2*math.Sqrt(1+t.index*t.index)/math.Sqrt(float64(k))
	scale := base * m1 * (1 - min(negative, 0))
	ratio := float64(k) / float64(m) * float64(n) / mostExceeded // how much rarer the quantile is than base
	growth := math.Log(ratio)
	if t.upper != 0 {
		growth = (math.Pow(ratio, t.upper) - 1) / t.upper
	}
	t.quantile = base + scale*growth
	return t
}

// heavy reports whether no tolerance can be promised, because errors much larger than the
// observed ones are likely in other data.
func (t *tail) heavy() bool { return t.known && (t.index > heaviest || t.quantile > mostScale) }

// factor returns the ratio of the tolerance to the observed errors.
func (t *tail) factor() float64 {
	if !t.known {
		return margin
	}
	return max(margin, math.Ceil(t.quantile))
}
