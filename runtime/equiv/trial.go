package equiv

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// If expressions differ, both programs run on numbers, in order to find data on which the
// results differ.

// defaultTrials is the number of runs on random numbers if Options.Trials is 0.
const defaultTrials = 12

// different completes the verdict v after the symbolic expressions of output element p
// were found to differ. It executes both programs on concrete input data. If the outputs
// differ, the outcome is Differs. Otherwise the outcome stays NotDecided, and v.Why
// contains the reason.
func (c *comparison) different(v *Verdict, p *Place) (*Verdict, error) {
	v.Written = nil
	found, err := c.witness()
	if err != nil {
		return nil, err
	}
	v.Place = p
	if found != nil {
		v.Outcome, v.Place = Differs, found
	}
	if found == nil && c.undefined != nil {
		v.Place = c.undefined
	}
	unwritten := c.explain(v.Place)
	if found == nil {
		p = v.Place
		v.Why = fmt.Sprintf("the expressions of byte %d of %s differ, but the results were the same on %d sets of data", p.Byte, c.name(p.Arg), c.trials())
		if unwritten {
			v.Why = fmt.Sprintf("byte %d of %s depends on local memory that was never written", p.Byte, c.name(p.Arg))
		}
	}
	return v, nil
}

// trials returns the number of runs with random input data. These runs search for a
// difference between the results of two programs if the expressions of a byte differ.
func (c *comparison) trials() int {
	if c.o.Trials != 0 {
		return max(c.o.Trials, 0)
	}
	return defaultTrials
}

// explain runs both programs symbolically once more. It stores in p the texts of the
// expressions that differ at p, and the instructions that computed them. It reports
// whether an expression depends on memory that was never written.
func (c *comparison) explain(p *Place) (unwritten bool) {
	for side := range c.sides {
		t := expr.New(c.o.Modulo, c.o.MostExpressions)
		t.Record()
		e, fault, err := c.run(side, t)
		if fault != nil || err != nil {
			continue
		}
		k := e.lineage.Token(p.Arg, p.Byte)
		if k.Known() {
			p.Texts[side] = fmt.Sprintf("the constant byte %d", e.args[p.Arg].Buf.Data[p.Byte])
			continue
		}
		h := t.From(k &^ 7)
		if k == expr.Unwritten {
			h = t.From(k)
		}
		p.Texts[side], p.Ops[side] = t.Text(h, 3), t.Line(h)
		unwritten = unwritten || t.DependsOnUnwritten(h)
	}
	return unwritten
}

// witness runs both programs on several sets of random numbers and compares the results.
// It returns the first element of an argument in which the two programs differ, or nil if
// they never differ.
func (c *comparison) witness() (*Place, error) {
	var plans [2]*runtime.Program
	for side := range plans {
		p, err := c.plan(side, c.o.Run)
		if err != nil {
			return nil, err
		}
		plans[side] = p
	}
	for trial := range c.trials() {
		args := runtime.CloneArgs(c.o.Args)
		name := "the data of the arguments"
		if trial > 0 {
			name = fmt.Sprintf("random data of seed %d", trial)
			c.randomize(args, uint64(trial))
		}
		var ends [2][]runtime.Arg
		faults := false
		for side, p := range plans {
			ends[side] = runtime.CloneArgs(slices.Concat(args, c.sides[side].Extra))
			faults = p.Run(ends[side]) != nil || faults
		}
		if faults {
			continue // both ran on expressions without a fault, so this data is outside of what they accept
		}
		for p := range c.differences(ends[0], ends[1]) {
			if c.defined == nil {
				c.defined = c.recorded()
			}
			if c.defined(p) {
				p.Trial = name
				return p, nil
			}
			c.undefined = p
		}
	}
	return nil, nil
}

// elem returns the number format of the elements of an argument. If the element type of
// the argument is not known, it returns U8, so that single bytes are compared.
func (c *comparison) elem(arg int) num.Format {
	if arg < len(c.o.Elems) && !c.o.Elems[arg].IsZero() {
		if f, ok := ir.FormatOf(c.o.Elems[arg]); ok && f.Bits() >= 8 && f.Bytes() == pto.ByteSize(c.o.Elems[arg]) {
			return f
		}
	}
	return num.U8
}

// randomize fills all input buffers with pseudo-random floats, which depend on seed. Most
// trials have floats of moderate size. Every third trial has random bits, which include
// NaN and infinity. Every fourth trial has floats of all sizes between denormal numbers
// and the largest ones.
func (c *comparison) randomize(args []runtime.Arg, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 38))
	for arg, a := range args {
		if a.Buf == nil || a.Context || c.known(arg) {
			continue
		}
		f := c.elem(arg)
		n := f.Bytes()
		var sizes [2]float64 // the logarithms of the smallest and of the largest number
		if f.IsFloat() {
			sizes = [2]float64{math.Log2(num.Decode(f, 1)), math.Log2(num.Decode(f, num.Max(f)))}
		}
		for at := 0; at+n <= len(a.Buf.Data); at += n {
			bits := r.Uint64() & f.Mask()
			if f.IsFloat() && seed%4 == 2 {
				bits = num.Encode(f, r.NormFloat64()*math.Exp2(sizes[0]+(sizes[1]-sizes[0])*r.Float64()), num.NearestEven, false)
			} else if f.IsFloat() && seed%3 != 0 {
				bits = num.Encode(f, r.NormFloat64()*math.Exp2(float64(seed)-4), num.NearestEven, false)
			} else if f.IsInt() && seed%2 == 1 {
				bits &= 0x7F >> (seed % 6)
			}
			num.Store(f, a.Buf.Data[at:], bits)
		}
	}
}

// recorded executes the first program a second time and records its symbolic expressions.
// It returns a function that reports whether an element of the results is defined. An
// element is undefined if it depends on local memory that was never written.
func (c *comparison) recorded() func(p *Place) bool {
	t := expr.New(c.o.Modulo, c.o.MostExpressions)
	t.Record()
	e, fault, err := c.run(0, t)
	if fault != nil || err != nil {
		return func(*Place) bool { return true }
	}
	return func(p *Place) bool {
		for i := range p.Size {
			if k := e.lineage.Token(p.Arg, p.Byte+i); !k.Known() && t.DependsOnUnwritten(t.From(k)) {
				return false
			}
		}
		return true
	}
}

// differences yields the elements whose values differ between the results a and b.
func (c *comparison) differences(a, b []runtime.Arg) iter.Seq[*Place] {
	return func(yield func(*Place) bool) { c.eachDifference(a, b, yield) }
}

// eachDifference compares the results a and b. It calls the function yield for each
// element whose values differ, until this function returns false.
func (c *comparison) eachDifference(a, b []runtime.Arg, yield func(*Place) bool) {
	for arg := range c.o.Args {
		if a[arg].Buf == nil || a[arg].Context {
			continue
		}
		f := c.elem(arg)
		n := f.Bytes()
		x, y := a[arg].Buf.Data, b[arg].Buf.Data
		for at := 0; at < len(x); at += n {
			end := min(at+n, len(x))
			if string(x[at:end]) == string(y[at:end]) || end-at == n && c.same(f, num.Load(f, x[at:]), num.Load(f, y[at:])) {
				continue
			}
			if !yield(&Place{Arg: arg, Byte: at, Size: end - at, Values: [2][]byte{x[at:end], y[at:end]}}) {
				return
			}
		}
	}
}

// same reports whether the bits a and b of two elements are equal except for differences
// that Options.Modulo ignores.
func (c *comparison) same(f num.Format, a, b uint64) bool {
	m := c.o.Modulo
	switch {
	case !f.IsFloat():
		return false
	case num.IsNaN(f, a) && num.IsNaN(f, b):
		return m.NaNBits
	case !m.Reassociation && !m.Reciprocal:
		return false
	}
	x, y := num.Decode(f, a), num.Decode(f, b)
	return math.Abs(x-y) <= math.Exp2(-float64(f.Bits())/4)*math.Max(math.Abs(x), math.Abs(y))
}
