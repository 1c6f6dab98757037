package diff

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
	"ptogo/runtime/expr"
	"ptogo/runtime/shadow"
)

// expressions is the result of running a program symbolically: each buffer byte and the
// hash of the expression that computed it.
type expressions struct {
	data [][]byte
	// hashes has one entry for each buffer and byte.
	hashes [][]expr.Hash
	known  [][]bool
}

// traceExpressions runs the kernel f while it records the expression of each byte, and
// returns the results.
func traceExpressions(m *ir.Op, f *ir.Op, bufs [][]byte, args []runtime.Arg) (*expressions, error) {
	var diags ir.Diags
	l := &runtime.Lineage{Exprs: expr.New(expr.Modulo{}, 0)}
	prog := runtime.Plan(m, []*ir.Op{f}, runtime.Options{MaxSteps: 1 << 20, Lineage: l}, &diags)
	if prog == nil {
		return nil, diags.Err()
	}
	own := slices.Clone(args)
	x := &expressions{}
	for i := range own {
		if bufs[i] != nil {
			own[i].Buf = &runtime.Buffer{Data: bytes.Clone(bufs[i])}
		}
	}
	if err := prog.Run(own); err != nil {
		return nil, err
	}
	for i := range own {
		var hs []expr.Hash
		var known []bool
		if own[i].Buf != nil {
			for at := range own[i].Buf.Data {
				k := l.Token(i, at)
				known = append(known, k.Known())
				if k.Known() {
					hs = append(hs, expr.Hash{})
				} else {
					hs = append(hs, l.Exprs.From(k))
				}
			}
			x.data = append(x.data, own[i].Buf.Data)
		} else {
			x.data = append(x.data, nil)
		}
		x.hashes, x.known = append(x.hashes, hs), append(x.known, known)
	}
	if l.Exprs.Broken {
		return nil, errors.New("a byte has a token of no expression")
	}
	return x, nil
}

// consistent returns a description of an inconsistency between two runs on different
// data, or "". The runs must have the same expressions. Bytes with the same expression
// must be equal, within a run and, if they depend on no data, between runs.
func consistent(a, b *expressions) string {
	type first struct {
		value   byte
		arg, at int
	}
	values := map[expr.Hash]first{}
	for i := range a.hashes {
		for at := range a.hashes[i] {
			switch {
			case a.known[i][at] != b.known[i][at]:
				return fmt.Sprintf("byte %d of argument %d depends on data in one run only", at, i)
			case a.known[i][at] && a.data[i][at] != b.data[i][at]:
				return fmt.Sprintf("byte %d of argument %d does not depend on data, but is %d and %d", at, i, a.data[i][at], b.data[i][at])
			case a.hashes[i][at] != b.hashes[i][at]:
				return fmt.Sprintf("byte %d of argument %d has two expressions", at, i)
			}
			if a.known[i][at] {
				continue
			}
			v, ok := values[a.hashes[i][at]]
			if ok && v.value != a.data[i][at] {
				return fmt.Sprintf("byte %d of argument %d is %d, but byte %d of argument %d with the same expression is %d", at, i, a.data[i][at], v.at, v.arg, v.value)
			}
			if !ok {
				values[a.hashes[i][at]] = first{a.data[i][at], i, at}
			}
		}
	}
	return ""
}

// variable matches the parts of a message that differ between messages of one kind.
var variable = regexp.MustCompile(`^[^']*|\(.*\)|[0-9]+`)

// expressionCounter counts the programs that were followed symbolically or proved.
type expressionCounter struct {
	programs, followed, proved int
	why                        map[string]int
}

func (c *expressionCounter) report(t *testing.T, atLeast int) {
	t.Logf("%d programs, %d followed, %d proofs", c.programs, c.followed, c.proved)
	keys := slices.SortedFunc(func(yield func(string) bool) {
		for k := range c.why {
			if !yield(k) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(c.why[b], c.why[a]) })
	for _, k := range keys[:min(len(keys), 40)] {
		t.Logf("%6d %s", c.why[k], k)
	}
	if c.followed*100 < c.programs*atLeast {
		t.Errorf("%d of %d programs were followed, but expected %d%%", c.followed, c.programs, atLeast)
	}
}

func (c *expressionCounter) undecided(err error) {
	c.why[variable.ReplaceAllString(err.Error(), "")]++
}

// one checks that a program has consistent expressions on two sets of data.
func (c *expressionCounter) one(t *testing.T, text string, m, f *ir.Op, bufs [][]byte, args []runtime.Arg, r *rand.Rand) {
	c.programs++
	if why := shadowsDisturb(m, f, bufs, args); why != "" {
		t.Errorf("%s\n%s", why, text)
	}
	x, err := traceExpressions(m, f, bufs, args)
	if err != nil {
		c.undecided(err)
		return
	}
	c.followed++
	other := make([][]byte, len(bufs))
	for i, b := range bufs {
		other[i] = bytes.Clone(b)
		r.Shuffle(len(b)/8, func(p, q int) {
			for k := range 8 {
				other[i][8*p+k], other[i][8*q+k] = other[i][8*q+k], other[i][8*p+k]
			}
		})
	}
	y, err := traceExpressions(m, f, other, args)
	if err != nil {
		return
	}
	if why := consistent(x, y); why != "" {
		t.Errorf("%s\n%s", why, text)
	}
}

// shadowsDisturb runs a program with and without shadows, the float64 values of its
// elements. It returns a description of a difference between the results, or "".
func shadowsDisturb(m, f *ir.Op, bufs [][]byte, args []runtime.Arg) string {
	var ends [2][]runtime.Arg
	var errs [2]error
	for i := range ends {
		o := runtime.Options{MaxSteps: 1 << 20}
		if i == 1 {
			o.Lineage = &runtime.Lineage{Exprs: expr.New(expr.Modulo{}, 0), Shadows: shadow.New()}
		}
		ends[i] = slices.Clone(args)
		for k := range ends[i] {
			if bufs[k] != nil {
				ends[i][k].Buf = &runtime.Buffer{Data: bytes.Clone(bufs[k])}
			}
		}
		var diags ir.Diags
		prog := runtime.Plan(m, []*ir.Op{f}, o, &diags)
		if prog == nil {
			return ""
		}
		errs[i] = prog.Run(ends[i])
	}
	if (errs[0] == nil) != (errs[1] == nil) {
		return fmt.Sprintf("%v without shadows, %v with shadows", errs[0], errs[1])
	}
	for k := range args {
		if errs[0] == nil && bufs[k] != nil && !bytes.Equal(ends[0][k].Buf.Data, ends[1][k].Buf.Data) {
			return fmt.Sprintf("argument %d has other bytes with shadows", k)
		}
	}
	return ""
}

// TestVectorExpressions checks that the symbolic expressions of random vector programs do
// not depend on the data.
func TestVectorExpressions(t *testing.T) {
	for _, rows := range []bool{false, true} {
		c := &expressionCounter{why: map[string]int{}}
		inBatches(t, 100, batchSize/4, func(t *testing.T, seed uint64, n int) {
			g := newVectorMaker(seed, rows)
			ks := make([]vectorKernel, n)
			for i := range ks {
				ks[i] = g.kernel(fmt.Sprintf("k%d", i))
			}
			m := llvmtest.Parse(t, "vectors", module(ks))
			r := rand.New(rand.NewPCG(seed, 38))
			for i, f := range runtime.Kernels(m) {
				bufs := [][]byte{ks[i].input, make([]byte, outBytes)}
				c.one(t, ks[i].text, m, f, bufs, make([]runtime.Arg, 2), r)
			}
		})
		c.report(t, 20)
	}
}

// TestTileExpressions checks the symbolic expressions of random tile programs, and proves
// that compiler passes preserve the results.
func TestTileExpressions(t *testing.T) {
	c := &expressionCounter{why: map[string]int{}}
	inBatches(t, 100, batchSize/4, func(t *testing.T, seed uint64, n int) {
		profile := tileProfiles[seed/50%uint64(len(tileProfiles))]
		b := makeBatch(profile, seed, n)
		r := rand.New(rand.NewPCG(seed, 38))
		var modules []*ir.Op
		for _, w := range b.ways() {
			m, _ := b.lowered(w)
			modules = append(modules, m)
		}
		if modules[0] == nil {
			return
		}
		for i, f := range runtime.Kernels(modules[0]) {
			k := b.kernels[i]
			args := make([]runtime.Arg, len(k.params))
			for n, p := range k.params {
				args[n].Bits = p.bits
				if p.data != nil {
					args[n].Buf = &runtime.Buffer{Data: p.data}
				}
			}
			c.one(t, k.text, modules[0], f, k.buffers(), args, r)
			for w, m := range modules[1:] {
				if m == nil {
					continue
				}
				v, err := equiv.Compare(equiv.Side{Module: modules[0], Kernels: []*ir.Op{f}}, equiv.Side{Module: m, Kernels: []*ir.Op{runtime.Kernels(m)[i]}},
					equiv.Options{Args: args, Run: runtime.Options{MaxSteps: 1 << 20}, Trials: 2})
				switch {
				case err != nil:
					c.why["compare: "+variable.ReplaceAllString(err.Error(), "")]++
				case v.Outcome == equiv.Differs && v.Place == nil:
					c.why["compare: "+variable.ReplaceAllString(v.Why, "")]++
				case v.Outcome == equiv.Differs:
					t.Errorf("%s differs: %+v\n%s", b.ways()[1+w].name, v.Place, k.text)
				case v.Outcome == equiv.Equivalent:
					c.proved++
				case v.Place != nil:
					c.why["compare: "+variable.ReplaceAllString(v.Why, "")+" "+b.ways()[1+w].name]++
				}
			}
		}
	})
	c.report(t, 20)
}
