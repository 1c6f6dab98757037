package sync

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// TestVerify compares the static proof with the checkers of runs. Of inserted
// synchronization both have nothing to say. With one unit of it taken out, what
// a run shows the proof finds as well, and it finds nothing that no run shows.
// Units that neither needs are counted: there are few. A third of -programs is
// looked at, since each unit takes runs of its own.
func TestVerify(t *testing.T) {
	units, spare := 0, 0
	for i := range (*programs + 2) / 3 {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			u, k := verifyAndCheck(t, s)
			units, spare = units+u, spare+k
		})
	}
	t.Logf("%d units of synchronization, %d of them not needed", units, spare)
	if spare*20 > units {
		t.Errorf("of %d units %d are not needed: more than one of 20", units, spare)
	}
}

func verifyAndCheck(t *testing.T, seed uint64) (units, spare int) {
	r := rand.New(rand.NewPCG(seed, 0))
	arch := "--pto-arch=" + []string{"a3", "a5"}[r.IntN(2)]
	text := program(r)
	path := filepath.Join(t.TempDir(), "k.pto")
	write(t, path, text)
	code, synced, errs := tool(cli.Opt, arch, "--pto-insert-sync", path)
	if code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, errs, text)
	}
	write(t, path, synced)
	if code, found := verify(arch, path); code != 0 {
		t.Fatalf("the proof objects to what was inserted:\n%s\n%s", found, synced)
	}
	lines := strings.Split(synced, "\n")
	for _, u := range unitsOf(lines) {
		units++
		write(t, path, without(lines, u))
		code, found := verify(arch, path)
		runs, first := "", ""
		for rounds := 0; rounds < 5 && runs == ""; rounds++ {
			runs = faults(arch, path, rounds)
		}
		if runs != "" {
			first = strings.TrimSpace(lines[u[0]])
		}
		switch {
		case runs != "" && code == 0 && !strings.Contains(found, "not decided"):
			t.Errorf("without %s a run shows what the proof does not find:\n%s\n%s", first, runs, synced)
		case runs == "" && code != 0 && !strings.Contains(found, "before anybody has read it"): // contested, and told of by bytes in runs
			t.Errorf("without %s the proof finds what no run shows:\n%s\n%s", strings.TrimSpace(lines[u[0]]), found, synced)
		case runs == "":
			write(t, path, without(free(lines), u))
			if code, found := verify(arch, path); code == 0 && !strings.Contains(found, "not decided") {
				spare++
				t.Logf("not needed: line %d, %s\n%s", u[0]+1, strings.TrimSpace(lines[u[0]]), synced)
			}
		}
	}
	return units, spare
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// free makes loops and branches independent of each other, as the pass takes
// them to be: each has a number of its own that it depends on.
func free(lines []string) []string {
	var out, args []string
	for _, l := range lines {
		from, arg := "%n step", ""
		if strings.Contains(l, "arith.cmpi") {
			from = "%c1 : index"
		}
		if strings.Contains(l, from) && (strings.Contains(l, "scf.for") || strings.Contains(l, "arith.cmpi")) {
			arg = fmt.Sprintf("%%free%d", len(args))
			args = append(args, ", "+arg+": index")
			l = strings.Replace(l, from[:strings.Index(from, " ")], arg, 1)
			if strings.Contains(l, "arith.cmpi") { // the operand on the right
				l = strings.Replace(l, arg, "%c1", 1)
				l = strings.Replace(l, "%c1 : index", arg+" : index", 1)
			}
		}
		out = append(out, l)
	}
	for i, l := range out {
		if strings.Contains(l, "func.func") {
			out[i] = strings.Replace(l, "%n: index", "%n: index"+strings.Join(args, ""), 1)
		}
	}
	return out
}

// verify is the verdict of the static proof.
func verify(arch, path string) (int, string) {
	code, _, errs := tool(cli.Opt, arch, "--verify-sync", path)
	return code, errs
}

// faults is what the checkers find in a run, or "".
func faults(arch, path string, rounds int) string {
	code, _, errs := tool(cli.Run, path, arch, "--check=race,sync", "--arg", "rand=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", fmt.Sprint(rounds))
	if code == 0 {
		return ""
	}
	return errs
}

var (
	flagLine    = regexp.MustCompile(`^pto\.(set|wait)_flag\[<(\w+)>, <(\w+)>, <(\w+)>\]`)
	dynamicLine = regexp.MustCompile(`^pto\.(set|wait)_flag_dyn\[<(\w+)>, <(\w+)>`)
)

// unitsOf returns the lines of each unit of synchronization: a barrier, or all
// that raises and waits for an event. Events that are computed count as one
// unit with all others of their pipes.
func unitsOf(lines []string) (units [][]int) {
	of := map[string]int{}
	computed := map[string]bool{}
	for _, l := range lines {
		if m := dynamicLine.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			computed[m[2]+m[3]] = true
		}
	}
	for i, l := range lines {
		l = strings.TrimSpace(l)
		key := fmt.Sprint("line", i)
		if m := flagLine.FindStringSubmatch(l); m != nil {
			key = m[2] + m[3]
			if !computed[key] {
				key += m[4]
			}
		} else if m := dynamicLine.FindStringSubmatch(l); m != nil {
			key = m[2] + m[3]
		} else if !strings.HasPrefix(l, "pto.barrier") && !strings.HasPrefix(l, "pto.mem_bar") {
			continue
		}
		k, seen := of[key]
		if !seen {
			k = len(units)
			of[key], units = k, append(units, nil)
		}
		units[k] = append(units[k], i)
	}
	return units
}

func without(lines []string, drop []int) string {
	var b strings.Builder
	for i, l := range lines {
		if len(drop) > 0 && drop[0] == i {
			drop = drop[1:]
			l = ""
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}
