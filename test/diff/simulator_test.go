package diff

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"ptogo/ir/num"
	"ptogo/tools/cpptest"
)

// numbers is a generator for the elements and scalars of a program.
type numbers = func(r *rand.Rand, f num.Format) uint64

// sampling determines how many uses of an instruction are tried and how many are
// compared.
type sampling struct {
	seed        uint64
	tries, most int
	// also, unless it is nil, returns the generator of further data for a use, for which
	// there is a second case with the same program, or nil.
	also func(u *use) numbers
}

// atEdgesName ends the names of cases with further data.
const atEdgesName = " at edges"

// instructionCases returns test cases with uses of each tile instruction on both
// profiles: first the use in its example, then variations. It omits the uses for which
// the callback leaves returns true. The callback of returns the generator of data for a
// use, given the number of earlier uses.
func instructionCases(s sampling, of func(u *use, others int) numbers, leaves func(u *use) bool) (cases []*cpptest.Case) {
	filter := cpptest.Filter()
	for _, profile := range []string{"a3", "a5"} {
		r := tileRules[profile]()
		for i, u := range r.seeds {
			if !filter.MatchString(u.def.Name) {
				continue
			}
			state := rand.NewPCG(uint64(i), s.seed)
			rnd := rand.New(state)
			seen := map[string]bool{}
			for try := range s.tries {
				before := *state
				m := r.newMaker("k", rnd)
				m.number = of(u, len(seen))
				v := m.pal.vary(u, 24-min(try, 24))
				if seen[v.key()] || !m.fits(v) || leaves != nil && leaves(v) {
					continue
				}
				seen[v.key()] = true
				m.add(v)
				c := m.p.onSimulator(profile, fmt.Sprintf("%s %s#%d", profile, v.key(), len(seen)))
				c.Op = u.def.Name
				cases = append(cases, c)
				if more := s.more(r, &before, u, m.number, 24-min(try, 24)); more != nil {
					d := more.onSimulator(profile, c.Name+atEdgesName)
					d.Op = c.Op
					if d.Source.Text == c.Source.Text {
						d.Source = c.Source
					}
					cases = append(cases, d)
				}
				if len(seen) == s.most {
					break
				}
			}
		}
	}
	return cases
}

// more returns the program of the use u with further data, or nil. The state is that of
// the random numbers before the program was made, which number generated the data of.
func (s *sampling) more(r *rules, state *rand.PCG, u *use, number numbers, tries int) *program {
	if s.also == nil {
		return nil
	}
	data := s.also(u)
	if data == nil {
		return nil
	}
	again := *state
	m := r.newMaker("k", rand.New(&again))
	other := rand.New(rand.NewPCG(state.Uint64(), s.seed))
	m.number = func(rnd *rand.Rand, f num.Format) uint64 {
		number(rnd, f) // so that the rest of the program is the same
		return data(other, f)
	}
	m.add(m.pal.vary(u, tries))
	return m.p
}

// TestSimulatorInstructions compares each tile instruction with the CPU simulator of the
// public library: the use in its example and variations with other types and extents.
func TestSimulatorInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	cases := instructionCases(sampling{seed: 3, tries: 40, most: 3}, func(*use, int) numbers { return cpptest.Calm }, nil)
	results := cpptest.Check(t, cases, 80)
	if *cppTable != "" {
		writeTable(t, results)
	}
}

// cppTable names the file to which the test writes the table of instructions in C++.
var cppTable = flag.String("cpp-table", "", "write the table of instructions in C++ to `FILE`")

func writeTable(t *testing.T, results []*cpptest.Result) {
	c, err := cpptest.NewToolchain(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all := cpptest.Instructions()
	if err := c.CheckSyntax(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*cppTable, []byte(cpptest.Table(all, results)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// onSimulator returns the program with its data as a test case for the simulator.
func (p *program) onSimulator(profile, name string) *cpptest.Case {
	k := p.kernel()
	var args []cpptest.Arg
	for _, a := range k.params {
		args = append(args, cpptest.Arg{Elem: a.elem, Data: a.data, Bits: a.bits, Of: p.madeBy(&p.steps[a.step])})
	}
	return cpptest.Single(name, inModule(profile, k.text), profile, args)
}

// madeBy returns the name of the instruction whose result the step s stores, or "".
func (p *program) madeBy(s *programStep) string {
	if s.sink == nil && s.peek == nil {
		return ""
	}
	for i := range p.steps {
		if m := &p.steps[i]; m.use != nil && slices.Contains(m.out, s.in[0]) {
			return m.use.key()
		}
	}
	return ""
}
