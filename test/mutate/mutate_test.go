package mutate

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/corpus"
)

var (
	count = flag.Int("n", 500, "how many programs TestMutations makes")
	seed  = flag.Uint64("seed", 1, "seed of TestMutations")
	from  = flag.Int("from", 0, "skip the programs before this one")
	piped = flag.Int("pipelines", 4, "send each `N`th program with a random pipeline to a server")
	shown = flag.Int("outside", 0, "show the code of each `N`th program to opt and clang++, which are needed then; 0 shows none")
)

// patience is the time limit for one program. It only stops programs that would not end;
// maxAllocated limits the work.
const patience = 2 * time.Minute

// programs returns the texts from which mutants are made: examples and tests of the
// tools.
func programs(t testing.TB) []string {
	t.Helper()
	var texts []string
	for _, folder := range []string{"../../examples", "../lit"} {
		all, err := corpus.Folder(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if len(p.Text) < 32<<10 { // a large program costs much and finds what a small one does
				texts = append(texts, p.Text)
			}
		}
	}
	return texts
}

// targets lists the profiles, which are used in rotation.
var targets = []ir.Target{sem.A2, sem.A3, sem.A5}

// TestMutations changes programs at random and passes each through all tools, which must
// not crash. A server runs random pipelines on some of them. The long mode is
//
//	go test ./test/mutate -run Mutations -timeout 0 -args -n 1000000 -seed 2
func TestMutations(t *testing.T) {
	m := newMutator(programs(t), *seed)
	n := tester{}
	compilers := findCompilers(t, *shown)
	s := newServer()
	if _, err := s.ask("initialize", map[string]any{"version": 1}); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for i := range *count {
		text := m.next()
		if i < *from {
			if i%*piped == 0 {
				m.pipeline()
			}
			continue
		}
		slow := time.AfterFunc(patience, func() {
			panic(fmt.Sprintf("program %d of seed %d is not done after %v:\n%s", i, *seed, patience, text))
		})
		n.outside = nil
		if *shown > 0 && i%*shown == 0 {
			n.outside = compilers.accept
		}
		why := n.stages(text, targets[i%len(targets)])
		if why == "" && i%*piped == 0 {
			why = s.served(text, m.pipeline())
		}
		slow.Stop()
		if why != "" {
			failures++
			t.Errorf("program %d of seed %d: %s\n%s", i, *seed, why, text)
		}
		if *count > 10_000 && i%10_000 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d programs, %d failures\n", i, *count, failures)
		}
	}
	if code := s.close(); code != 0 {
		t.Errorf("the server ends with exit code %d", code)
	}
	t.Logf("seed %d: %d programs of %d samples, %d failures; passed the stages: %+v; %s", *seed, *count, len(m.programs), failures, n.reached, compilers)
	if n.lowered == 0 || n.llvm == 0 || n.cpp == 0 || n.ran == 0 || n.faulted == 0 {
		t.Errorf("a stage was never passed: %+v", n.reached)
	}
}
