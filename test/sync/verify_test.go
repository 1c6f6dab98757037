package sync

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// TestVerify compares the static proof with the checkers of runs. For inserted
// synchronization, neither may report anything. Without one unit of it, the proof must
// report what a run shows, and nothing else. If both are silent, the pass must have
// explained why the unit remains. Only a third of -programs is tested, because each unit
// requires separate runs.
func TestVerify(t *testing.T) {
	units, spare := 0, 0 // spare: a remark says why
	for i := range (*programs + 2) / 3 {
		s := *seed + uint64(i)
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			u, k := verifyAndCheck(t, s)
			units, spare = units+u, spare+k
		})
	}
	t.Logf("%d units of synchronization: without one of %d there is a report, %d stay for reasons that are given", units, units-spare, spare)
}

func verifyAndCheck(t *testing.T, seed uint64) (units, spare int) {
	r := rand.New(rand.NewPCG(seed, 0))
	profile := []string{"a3", "a5"}[r.IntN(2)]
	arch := "--pto-arch=" + profile
	text := program(r, true)
	mode := []string{"flags", "flags", "flags", "barrier-all", "buffers"}[r.IntN(5)]
	if mode == "buffers" && profile != "a5" {
		mode = "flags"
	}
	path := filepath.Join(t.TempDir(), "k.pto")
	write(t, path, text)
	code, synced, errs := tool(cli.Opt, arch, "--pto-insert-sync=remarks=true mode="+mode, path)
	if code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, errs, text)
	}
	write(t, path, synced)
	if code, found := verify(arch, path); code != 0 {
		t.Fatalf("the proof objects to what was inserted:\n%s\n%s", found, synced)
	}
	lines, kept := strings.Split(synced, "\n"), reasons(errs, strings.Split(text, "\n"))
	for _, u := range unitsOf(lines) {
		units++
		write(t, path, without(lines, u))
		code, found := verify(arch, path)
		runs, first := "", ""
		for _, rounds := range []int{0, 1, 2, 3, 4, 6} {
			if runs = faults(arch, path, rounds); runs != "" {
				break
			}
		}
		if runs != "" {
			first = strings.TrimSpace(lines[u[0]])
		}
		switch {
		case runs != "" && code == 0 && !strings.Contains(found, "not decided") &&
			!strings.Contains(runs, "without holding buffer"): // a habit that a run asks for, also where others give the order
			t.Errorf("without %s a run shows what the proof does not find:\n%s\n%s", first, runs, synced)
		case runs == "" && code != 0 && !strings.Contains(found, "before any instruction reads it"): // contested, and told of by bytes in runs
			t.Errorf("without %s the proof finds what no run shows:\n%s\n%s", strings.TrimSpace(lines[u[0]]), found, synced)
		case runs == "" && code == 0:
			spare++
			if !slices.ContainsFunc(u, func(at int) bool { return kept[keyOf(lines, at)] }) {
				t.Errorf("line %d, %s is not needed, and nothing says why it stays:\n%s\n%s", u[0]+1, strings.TrimSpace(lines[u[0]]), errs, synced)
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

var (
	reason  = regexp.MustCompile(`k\.pto:(\d+):\d+: remark: .* (?:keeps (?:what makes it wait for '[^']*' by (?:a barrier of (\w+)|events? (\d+)( to \d+)? from (\w+) to (\w+))|the barrier of (all) pipes before|buffer (\d+) of (\w+))|waits for (all) pipes \(synchronized by a barrier\): no argument orders)`)
	ordered = regexp.MustCompile(`pto\.t(load|store|max|muls|setval|getval) |scf\.(for|if) `)
)

// reasons returns the keys (keyOf) of the synchronization units for which the pass
// explains why they remain.
func reasons(remarks string, text []string) map[string]bool {
	kept := map[string]bool{}
	for _, m := range reason.FindAllStringSubmatch(remarks, -1) {
		line, _ := strconv.Atoi(m[1])
		switch {
		case m[8] != "":
			kept["buffer "+m[9]+m[8]] = true
		case m[2] == "all" || m[7] == "all" || m[10] == "all":
			kept[fmt.Sprint("PIPE_ALL before ", instructionsUpTo(text[:line-1]))] = true
		case m[2] != "":
			kept[fmt.Sprint(m[2], " before ", instructionsUpTo(text[:line-1]))] = true
		case m[4] != "":
			kept[m[5]+m[6]] = true
		default:
			kept[m[5]+m[6]+"EVENT_ID"+m[3]] = true
			kept[m[5]+m[6]] = true
		}
	}
	return kept
}

// keyOf returns a key for a unit of synchronization: its event or, for a barrier, the
// number of preceding instructions. This number is the same before and after inserting
// synchronization.
func keyOf(lines []string, at int) string {
	l := strings.TrimSpace(lines[at])
	if m := flagLine.FindStringSubmatch(l); m != nil {
		return m[2] + m[3] + m[4]
	}
	if m := dynamicLine.FindStringSubmatch(l); m != nil {
		return m[2] + m[3]
	}
	if m := bufferLine.FindStringSubmatch(l); m != nil {
		return "buffer " + m[1] + m[2]
	}
	pipe := strings.Trim(strings.TrimPrefix(l, "pto.barrier "), "<>")
	return fmt.Sprint(pipe, " before ", instructionsUpTo(lines[:at]))
}

func instructionsUpTo(lines []string) (n int) {
	for _, l := range lines {
		if ordered.MatchString(l) {
			n++
		}
	}
	return n
}

// verify runs the static proof on a file, and returns the exit code and the messages.
func verify(arch, path string) (int, string) {
	code, _, errs := tool(cli.Opt, arch, "--verify-sync", path)
	return code, errs
}

// faults returns what the checkers report in a run with the given number of loop
// iterations, or "".
func faults(arch, path string, rounds int) string {
	code, _, errs := tool(cli.Run, path, arch, "--check=race,sync", "--arg", "rand=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", fmt.Sprint(rounds))
	if code == 0 {
		return ""
	}
	return errs
}

var (
	flagLine    = regexp.MustCompile(`^pto\.(set|wait)_flag\[<(\w+)>, <(\w+)>, <(\w+)>\]`)
	bufferLine  = regexp.MustCompile(`^pto\.(?:get|rls)_buf "(\w+)", (\d+)`)
	dynamicLine = regexp.MustCompile(`^pto\.(set|wait)_flag_dyn\[<(\w+)>, <(\w+)>`)
)

// unitsOf returns the lines of each unit of synchronization. A unit is a barrier, all
// operations that raise or wait for one event, or all that acquire or release a buffer on
// one pipe. Events whose number is computed form one unit per pair of pipes.
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
		} else if m := bufferLine.FindStringSubmatch(l); m != nil {
			key = "buffer " + m[1] + m[2]
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
