// This file compares the tools of this tree with those of another commit.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// against compares the processor time of programs between the commit ref (A) and this
// tree (B). It prints the median of the ratios B/A of n pairs of runs for each program,
// and returns false if a ratio is greater than most. A ratio that is too great counts only
// if two more measurements confirm it, because other work on the machine can disturb one.
func against(ref string, n int, most float64) (bool, error) {
	dir, err := os.MkdirTemp("", "pair-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	old, now := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := build(ref, dir, old, now); err != nil {
		return false, err
	}
	if err := inputs(dir); err != nil {
		return false, err
	}
	fmt.Printf("%-26s %10s %10s %8s\n", "processor time", ref, "this tree", "ratio")
	ok := true
	for _, p := range programs {
		commands := [2][]string{p.command(old, dir), p.command(now, dir)}
		if _, err := measure(commands[0]); err != nil {
			fmt.Printf("%-26s %s cannot execute it: %v\n", p.name, ref, err)
			continue
		}
		for attempt := 1; ; attempt++ {
			a, b, ratio, err := ratioOf(commands, n)
			if err != nil {
				return false, fmt.Errorf("%s: %w", p.name, err)
			}
			fmt.Printf("%-26s %7.0f ms %7.0f ms %7.3fx\n", p.name, a, b, ratio)
			if ratio <= most {
				break
			}
			if attempt == 3 {
				fmt.Printf("%-26s needs more than %.2f times the processor time of %s\n", p.name, most, ref)
				ok = false
				break
			}
		}
	}
	return ok, nil
}

// build builds pto-opt and pto-run of the commit ref into the folder old, and those of
// this tree into now. It writes the sources of ref to a folder in dir.
func build(ref, dir, old, now string) error {
	source := filepath.Join(dir, "source")
	archive := filepath.Join(dir, "source.tar")
	for _, d := range []string{source, old, now} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		in   string
		args []string
	}{
		{"", []string{"git", "archive", "-o", archive, ref}},
		{"", []string{"tar", "-xf", archive, "-C", source}},
		{source, []string{"go", "build", "-o", old + string(filepath.Separator), "./cmd/pto-opt", "./cmd/pto-run"}},
		{"", []string{"go", "build", "-o", now + string(filepath.Separator), "./cmd/pto-opt", "./cmd/pto-run"}},
	} {
		cmd := exec.Command(s.args[0], s.args[1:]...)
		cmd.Dir, cmd.Env = s.in, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(s.args, " "), err, out)
		}
	}
	return nil
}

// command returns the command line of p with the tools in the folder bin and the input
// files in dir.
func (p program) command(bin, dir string) []string {
	all := append([]string{filepath.Join(bin, p.tool), filepath.Join(dir, p.file)}, p.args...)
	if p.tool == "pto-opt" {
		all = append(all, "-o", os.DevNull)
	}
	return all
}

// ratioOf runs two commands alternately, n times after one pair that does not count. It
// returns the medians of their processor times in milliseconds, and the median of the
// ratios of all pairs. A pair runs at about the same time, so that changes in the speed of
// the machine affect both runs.
func ratioOf(commands [2][]string, n int) (a, b, ratio float64, err error) {
	var runs [2][]sample
	var ratios []float64
	for i := range n + 1 {
		var s [2]sample
		for k, c := range commands {
			if s[k], err = measure(c); err != nil {
				return 0, 0, 0, err
			}
		}
		if i == 0 {
			continue
		}
		for k := range runs {
			runs[k] = append(runs[k], s[k])
		}
		ratios = append(ratios, s[1].cpu/s[0].cpu)
	}
	slices.Sort(ratios)
	cpu := func(s sample) float64 { return s.cpu }
	return median(runs[0], cpu), median(runs[1], cpu), ratios[len(ratios)/2], nil
}
