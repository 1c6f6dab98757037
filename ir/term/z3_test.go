package term

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"ptogo/tools/testsize"
)

// judge is a running z3, which decides queries in SMT-LIB 2.
type judge struct {
	in  *bufio.Writer
	out *bufio.Scanner
	n   int
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("z3 is not installed")
	}
	cmd := exec.Command(path, "-in")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		io.Copy(io.Discard, out)
		cmd.Wait()
	})
	j := &judge{in: bufio.NewWriter(in), out: bufio.NewScanner(out)}
	fmt.Fprintln(j.in, "(set-logic ALL)\n(set-option :rlimit 60000)") // steps, not time
	return j
}

// decide returns "sat", "unsat" or "unknown" for each list of facts.
func (j *judge) decide(t *testing.T, queries [][]Term) []string {
	t.Helper()
	answers := make([]string, 0, len(queries))
	go func() {
		for _, facts := range queries {
			j.n++
			script, names := SMT(fmt.Sprintf("q%d_", j.n), facts...)
			fmt.Fprintf(j.in, "(push)\n%s", script)
			for _, n := range names {
				fmt.Fprintf(j.in, "(assert %s)\n", n)
			}
			fmt.Fprintln(j.in, "(check-sat)\n(pop)")
		}
		j.in.Flush()
	}()
	for range queries {
		if !j.out.Scan() {
			t.Fatal("z3 ended")
		}
		if a := j.out.Text(); a == "sat" || a == "unsat" || a == "unknown" {
			answers = append(answers, a)
		} else {
			t.Fatalf("z3: %s", a)
		}
	}
	return answers
}

// facts returns random facts that are likely to exclude each other.
func (g *gen) facts() []Term {
	var fs []Term
	for range 1 + g.r.IntN(4) {
		switch g.r.IntN(4) {
		case 0:
			fs = append(fs, g.linear())
		case 1, 2:
			fs = append(fs, g.related())
		default:
			fs = append(fs, g.term(1, 1+g.r.IntN(3)).t)
		}
	}
	return fs
}

// related returns a comparison of two terms with common parts.
func (g *gen) related() Term {
	w := g.pickWidth()
	x, y := g.term(w, g.r.IntN(3)).t, g.term(w, g.r.IntN(2)).t
	if g.r.IntN(2) == 0 {
		y = g.p.Add(g.p.ConstInt(w, g.number(w)), x)
	}
	if g.r.IntN(3) == 0 && w > 1 {
		m := g.p.Const(w, []int64{2, 3, 4, 7, 8}[g.r.IntN(5)])
		x, y = g.p.URem(x, m), g.p.URem(y, m)
	}
	switch g.r.IntN(4) {
	case 0:
		return g.p.Slt(x, y)
	case 1:
		return g.p.Ult(y, x)
	case 2:
		return g.p.Eq(x, y)
	}
	return g.p.Ne(x, y)
}

// linear returns a comparison of exact integers.
func (g *gen) linear() Term {
	sum := func() Linear {
		l := Whole(int64(g.r.IntN(200) - 100))
		for range 1 + g.r.IntN(3) {
			t := g.term(g.pickWidth(), g.r.IntN(2)).t
			v := Signed(t)
			if g.r.IntN(2) == 0 {
				v = Unsigned(t)
			}
			l = l.Add(v.Scale(int64(g.r.IntN(65) - 32)))
		}
		return l
	}
	n := Whole(int64(g.r.IntN(64)))
	switch g.r.IntN(3) {
	case 0:
		return g.p.Meet(sum(), n, sum(), n)
	case 1:
		return g.p.Same(sum(), sum())
	}
	return g.p.Lt(sum(), sum())
}

// TestJudge compares answers to random queries of each width, and of all widths together,
// with those of z3.
func TestJudge(t *testing.T) {
	count := 100
	if testsize.All() {
		count = 1000
	}
	for _, ws := range [][]int{{1}, {8}, {16}, {32}, {64}, widths} {
		t.Run(strings.Trim(fmt.Sprint(ws), "[]"), func(t *testing.T) {
			j := newJudge(t)
			r := rand.New(rand.NewPCG(5, uint64(ws[0]+len(ws))))
			tally := map[string]int{}
			for done := 0; done < count; done += 100 {
				var queries [][]Term
				for len(queries) < 100 {
					g := newGen(r, ws...)
					g.easy = true
					queries = append(queries, g.facts())
				}
				answers := j.decide(t, queries)
				for i, facts := range queries {
					compare(t, facts, answers[i], tally)
				}
			}
			t.Log(tally)
			if n := tally["unknown"]; n*4 > count {
				t.Errorf("z3 left %d of %d queries undecided", n, count)
			}
			if n := tally["unsat can"] + tally["sat can"]; n*20 > count {
				t.Errorf("%d of %d queries are undecided", n, count)
			}
		})
	}
}

// compare compares the answers within two budgets with the answer of z3.
func compare(t *testing.T, facts []Term, judged string, tally map[string]int) {
	t.Helper()
	p := facts[0].n.pool
	for _, b := range []Budget{CheapBudget, {Cases: 64, Clauses: 100_000, Conflicts: 1000}} {
		a := p.Possible(b, facts...)
		if judged == "sat" && a == No || judged == "unsat" && a == Yes {
			script, names := SMT("", facts...)
			t.Fatalf("answer is %s, z3 says %s: %v\n%s%s", a, judged, facts, script, names)
		}
		if b == CheapBudget {
			tally["cheap "+judged+" "+a.String()]++
		} else if tally[judged+" "+a.String()]++; judged == "unknown" {
			tally["unknown"]++
		}
	}
}
