package sync

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	gosync "sync"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/lower/insertsync"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/tools/testsize"
)

var (
	adversaries = flag.Int("adversaries", testsize.Of(120, 2000), "how many adversarial programs")
	keepIn      = flag.String("keep", "", "folder into which programs with wrong answers are written")
)

// launchesOf is the number of launches by which runs judge a program.
const launchesOf = 14

// parseAdversary parses and verifies a program of the generator.
func parseAdversary(text string) (*ir.Op, error) {
	var diags ir.Diags
	m, err := ir.Parse(&ir.Source{Name: "adversary.pto", Text: text}, ir.ParseOptions{}, &diags)
	if err != nil {
		return nil, err
	}
	ir.Verify(m, ir.VerifyOptions{}, &diags)
	return m, diags.Err()
}

// judged runs a program with several arguments under the checkers, and returns the first
// report, or "".
func judged(m *ir.Op, g *adversary) string {
	c, err := check.New(check.Options{Kinds: []check.Kind{check.Race, check.Sync}})
	if err != nil {
		return err.Error()
	}
	var diags ir.Diags
	p := runtime.Plan(m, runtime.Kernels(m), runtime.Options{Target: g.target, Blocks: g.blocks, Listeners: []runtime.Listener{c},
		SkipArithmetic: true, KeepAccesses: true, MaxSteps: 100_000}, &diags)
	if p == nil {
		return "plan: " + diags.All()[0].Text
	}
	x, y, q := make([]byte, 8192), make([]byte, 8192), make([]byte, 64)
	for _, a := range g.launches(launchesOf) {
		r := rand.New(rand.NewPCG(a.seed, 1))
		for i := range 16 {
			binary.LittleEndian.PutUint32(q[4*i:], uint32(r.IntN(3)))
		}
		err := p.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: x}}, {Buf: &runtime.Buffer{Data: y}}, {Buf: &runtime.Buffer{Data: q}},
			{Bits: uint64(a.n)}, {Bits: uint64(uint32(a.a))}, {Bits: uint64(uint32(a.b))}, {Bits: uint64(a.w)},
			{Bits: uint64(math.Float32bits(a.f))}, {Bits: uint64(math.Float32bits(a.h))}})
		for _, r := range c.Reports() {
			// Not counted: what is contested and no flag changes, and a habit that matters only if
			// nothing else orders the accesses.
			if !strings.Contains(r.Text, "before any instruction reads it") && !strings.Contains(r.Text, "without holding buffer") {
				return fmt.Sprintf("%s %s: %s, with %+v", r.Check, r.Class, r.Text, a)
			}
		}
		if err != nil {
			return fmt.Sprintf("fault: %v, with %+v", err, a)
		}
	}
	return ""
}

// proves reports whether the static proof says that the program is in order.
func proves(m *ir.Op, g *adversary) bool {
	var diags ir.Diags
	tally := insertsync.Verify(m, func(*ir.Op) ir.Target { return g.target }, insertsync.Verdicts, &diags)
	return tally[insertsync.Hazard] == 0 && tally[insertsync.NotChecked] == 0 && tally[insertsync.Proved] > 0
}

// shares counts programs by class.
type shares struct {
	mu    gosync.Mutex
	count map[string]map[string]int
}

func (s *shares) add(class, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = map[string]map[string]int{}
	}
	if s.count[class] == nil {
		s.count[class] = map[string]int{}
	}
	s.count[class][what]++
	if class != "all" {
		if s.count["all"] == nil {
			s.count["all"] = map[string]int{}
		}
		s.count["all"][what]++
	}
}

func (s *shares) String() string {
	var classes []string
	for c := range s.count {
		classes = append(classes, c)
	}
	sort.Strings(classes)
	var b strings.Builder
	for _, c := range classes {
		m := s.count[c]
		fmt.Fprintf(&b, "\n%-16s", c)
		var keys []string
		for k := range m {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			fmt.Fprintf(&b, " %s %d", k, m[k])
		}
	}
	return b.String()
}

// inParallel calls f for 0 to n-1 on all processors.
func inParallel(t *testing.T, n int, f func(i int)) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // each launch allocates its local memories
	var wg gosync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Errorf("program %d: panic: %v\n%s", i, p, debug.Stack())
						}
					}()
					f(i)
				}()
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// keep writes a program into the folder -keep, if it is set.
func keep(name, text string) {
	if *keepIn != "" {
		os.WriteFile(filepath.Join(*keepIn, name+".pto"), []byte(text), 0o644)
	}
}

// TestAdversaryProof compares the static proof with runs of programs in which faults are
// easy to miss: a program that is proved must have no report in any run. Every second
// program has a mutation. The test prints how many programs without a report are proved.
func TestAdversaryProof(t *testing.T) {
	var s shares
	var wrong []string
	var mu gosync.Mutex
	inParallel(t, *adversaries, func(i int) {
		sd := *seed + uint64(i)/2
		g := newAdversary(sd, 0, false)
		text := g.program()
		kind := "right"
		if i%2 == 1 && g.points > 0 {
			k := 1 + int(rand.New(rand.NewPCG(sd, 3)).Uint64()%uint64(g.points))
			g = newAdversary(sd, k, false)
			text, kind = g.program(), "mutated"
		}
		m, err := parseAdversary(text)
		if err != nil {
			t.Errorf("program %d: %v\n%s", i, err, text)
			return
		}
		proved := proves(m, g)
		if kind == "mutated" && !proved && i%20 != 1 {
			return // whether it is in order does not matter
		}
		report := judged(m, g)
		switch {
		case strings.HasPrefix(report, "plan") || strings.HasPrefix(report, "fault: ") && !strings.Contains(report, "wait"):
			t.Errorf("program %d (%s): %s\n%s", i, kind, report, text)
		case report == "":
			s.add(g.class, kind+" in order")
			if proved {
				s.add(g.class, kind+" proved")
			}
		case proved:
			s.add(g.class, kind+" WRONGLY proved")
			keep(fmt.Sprintf("proved%d", i), "// "+report+"\n"+text)
			mu.Lock()
			wrong = append(wrong, fmt.Sprintf("program %d (%s) is proved, but a run reports %s\n%s", i, kind, report, text))
			mu.Unlock()
		default:
			s.add(g.class, kind+" with reports")
			if kind == "right" {
				keep(fmt.Sprintf("reported%d", i), "// "+report+"\n"+text)
			}
		}
	})
	t.Log(s.String())
	if len(wrong) > 0 {
		slices.Sort(wrong)
		t.Errorf("%d programs are proved, but have reports; the first one:\n%s", len(wrong), wrong[0])
	}
}

// TestAdversaryInsertion inserts synchronization into programs in which faults are easy to
// miss. No run of the result may have a report.
func TestAdversaryInsertion(t *testing.T) {
	var s shares
	var wrong []string
	var mu gosync.Mutex
	inParallel(t, *adversaries/2, func(i int) {
		g := newAdversary(*seed+uint64(i), 0, true)
		text := g.program()
		m, err := parseAdversary(text)
		if err != nil {
			t.Errorf("program %d: %v\n%s", i, err, text)
			return
		}
		var diags ir.Diags
		p := passes.NewPipeline()
		options := ""
		if i%3 == 2 { // few events: flags share them, or become barriers
			options = fmt.Sprintf("event-ids=%d", 1+i/3%5)
		}
		p.Add(insertsync.Pass, options, &diags)
		if !p.Run(m, passes.RunOptions{Diags: &diags}) {
			t.Errorf("program %d: %v\n%s", i, diags.Err(), text)
			return
		}
		if report := judged(m, g); report != "" {
			s.add(g.class, "with reports")
			keep(fmt.Sprintf("inserted%d", i), "// "+report+"\n"+text)
			mu.Lock()
			wrong = append(wrong, fmt.Sprintf("program %d: after insertion, a run reports %s\n%s", i, report, text))
			mu.Unlock()
			return
		}
		s.add(g.class, "in order")
		if proves(m, g) {
			s.add(g.class, "proved")
		}
	})
	t.Log(s.String())
	if len(wrong) > 0 {
		slices.Sort(wrong)
		t.Errorf("%d programs have reports after insertion; the first one:\n%s", len(wrong), wrong[0])
	}
}
