package mutate

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/expr"
	"ptogo/runtime/numerics"
	"ptogo/runtime/shadow"
	"ptogo/tools/testsize"
)

// How many sets of data TestTolerances tries for each kernel:
//
//	go test ./test/mutate -run TestTolerances -timeout 0 -v -args -seeds 1000
var seeds = flag.Int("seeds", testsize.Of(4, 25), "on how many sets of random data the derived tolerances are tried")

// plan prepares a launch of the program on the runtime. lineage, if not nil, records
// expressions or shadows.
func (l *launchable) plan(t testing.TB, lineage *runtime.Lineage) *runtime.Program {
	var diags ir.Diags
	o := runtime.Options{Target: l.prog.Target, Features: l.prog.Features, Blocks: l.blocks, Lineage: lineage}
	p := runtime.Plan(l.prog.Module, l.prog.Kernels, o, &diags)
	if p == nil {
		t.Fatal(diags.Err())
	}
	return p
}

// shadows returns a lineage that records shadows, the float64 values of elements, in rec.
func shadows(rec *shadow.Recorder) *runtime.Lineage {
	return &runtime.Lineage{Exprs: expr.New(expr.Modulo{}, 0), Shadows: rec}
}

// TestShadowsKeepBits checks that recording shadows does not change the results of the
// examples.
func TestShadowsKeepBits(t *testing.T) {
	for _, l := range launchables(t) {
		args, own := clone(l.args), clone(l.args)
		err := l.plan(t, nil).Run(args)
		if err2 := l.plan(t, shadows(shadow.New())).Run(own); (err == nil) != (err2 == nil) {
			t.Errorf("%s %s: %v with shadows, %v without", l.name, l.kernel, err2, err)
		}
		for i := range args {
			if args[i].Buf != nil && !bytes.Equal(args[i].Buf.Data, own[i].Buf.Data) {
				t.Errorf("%s %s: argument %d has other bytes with shadows", l.name, l.kernel, i)
			}
		}
	}
}

// TestElementwiseErrors checks that every elementwise instruction of the examples adds at
// most its permitted error: half a ULP per rounding, or the documented error of a
// function. Using a wrong operand would exceed this limit.
func TestElementwiseErrors(t *testing.T) {
	checked := 0
	for _, l := range launchables(t) {
		rec := shadow.New()
		if err := l.plan(t, shadows(rec)).Run(clone(l.args)); err != nil {
			continue
		}
		for _, line := range rec.Lines() {
			most := 0.0
			switch kind := line.Op.Def().Sem.(type) {
			case sem.TileMap:
				most = 0.5 * float64(1+len(kind.Then))
			case sem.TileExpand:
				if most = 1; kind.Then != nil {
					most = 8 // the rounded difference is amplified by exp
				}
			case sem.VecMap, sem.TilePart, sem.TileSelect:
				most = 1
			case sem.TileConvert, sem.VecConvert, sem.TileLoad, sem.TileMove:
				most = 0.5
			default:
				continue
			}
			checked++
			if line.BornULP > most+1.5*float64(line.Approximate)+1e-6 {
				t.Errorf("%s %s: %s: %s adds %.3g ULP, at most %.3g expected", l.name, l.kernel, line.Op.Loc(), line.Op.Name(), line.BornULP, most)
			}
			if line.Unfollowed > 0 {
				t.Errorf("%s %s: %s: %s is not followed", l.name, l.kernel, line.Op.Loc(), line.Op.Name())
			}
		}
	}
	if checked < 40 {
		t.Errorf("checked %d instructions, expected at least 40", checked)
	}
}

// uniform fills the float buffers with random numbers between -1 and 1, as pto-run --arg
// rand does.
func (l *launchable) uniform(args []runtime.Arg, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 11))
	for i, a := range args {
		f, ok := ir.FormatOf(l.elems[i])
		if a.Buf == nil || !ok || !f.IsFloat() || f.Bits() < 16 {
			continue
		}
		for at := 0; at+f.Bytes() <= len(a.Buf.Data); at += f.Bytes() {
			num.Store(f, a.Buf.Data[at:], num.Encode(f, 2*r.Float64()-1, num.NearestEven, false))
		}
	}
}

// derive runs the program with the given number of perturbed launches, and returns the
// report with tolerances.
func (l *launchable) derive(args []runtime.Arg, runs int, seed uint64) (*numerics.Report, error) {
	k := numerics.Kernel{Module: l.prog.Module, Kernels: l.prog.Kernels, Target: l.prog.Target, Features: l.prog.Features}
	return numerics.Run(k, numerics.Options{
		Run: runtime.Options{Blocks: l.blocks}, Args: args, Elems: l.elems, Names: make([]string, len(args)), Perturb: runs, Seed: seed,
		Fresh: func(run int, args []runtime.Arg) { l.uniform(args, 5000+uint64(run)) },
	})
}

// TestTolerances derives the tolerance of each example from 21 sets of data. It checks
// that the errors of perturbed runs on other data are within the tolerance, but not far
// below it. At most 1 of 1,000 sets of data may exceed a tolerance.
func TestTolerances(t *testing.T) {
	kernels, few := 0, seeds
	for _, l := range launchables(t) {
		args := clone(l.args)
		l.uniform(args, 1)
		r, err := l.derive(args, 20, 1)
		if err != nil || len(r.Tolerances) == 0 {
			continue
		}
		kernels++
		worst, exceeded := make([]float64, len(r.Tolerances)), 0
		for seed := range uint64(*few) {
			args := clone(l.args)
			l.uniform(args, 1000+seed)
			rec := shadow.New()
			rec.Perturb(1000 + seed)
			lineage := shadows(rec)
			if err := l.plan(t, lineage).Run(args); err != nil {
				t.Fatal(err)
			}
			over := false
			for i, tol := range r.Tolerances {
				if tol.Heavy {
					t.Errorf("%s %s: argument %d: no tolerance, although its error has no heavy tail", l.name, l.kernel, tol.Argument.Arg)
					continue
				}
				arg, f := tol.Argument.Arg, tol.Argument.Format
				var got, want []float64
				for at := 0; at < len(args[arg].Buf.Data); at += f.Bytes() {
					x := num.Decode(f, num.Load(f, args[arg].Buf.Data[at:]))
					y := x
					if s, ok := lineage.Shadow(arg, at, f); ok {
						y = s.Value
					}
					got, want = append(got, x), append(want, y)
				}
				ratio := tol.Ratio(got, want)
				worst[i], over = math.Max(worst[i], ratio), over || ratio > 1
			}
			if over {
				exceeded++
			}
		}
		for i, tol := range r.Tolerances {
			t.Logf("%s %s: argument %d: rtol=%.2g atol=%.2g: largest error on %d sets of data is %.2f of the tolerance", l.name, l.kernel, tol.Argument.Arg, tol.Rtol, tol.Atol, *few, worst[i])
		}
		if exceeded*1000 > *few {
			t.Errorf("%s %s: %d of %d sets of data exceed the tolerance", l.name, l.kernel, exceeded, *few)
		}
		if m := slices.Max(worst); m < 0.1 {
			t.Errorf("%s %s: the largest error is %.2f of the tolerance, expected 0.1 to 1", l.name, l.kernel, m)
		}
	}
	if kernels < 10 {
		t.Errorf("derived tolerances of %d kernels, expected at least 10", kernels)
	}
}

// BenchmarkShadows measures the cost of shadows: it runs the examples with and without
// them.
//
//	go test ./test/mutate -run '^$' -bench Shadows
func BenchmarkShadows(b *testing.B) {
	for _, l := range launchables(b) {
		for _, how := range []string{"plain", "shadows"} {
			b.Run(l.name+"/"+how, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					var lineage *runtime.Lineage
					if how == "shadows" {
						lineage = shadows(shadow.New())
					}
					plan, args := l.plan(b, lineage), clone(l.args)
					b.StartTimer()
					if err := plan.Run(args); err != nil {
						b.Skip(err)
					}
				}
			})
		}
	}
}
