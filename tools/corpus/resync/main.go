// Command resync removes hand-written synchronization from public kernels and lets
// pto-insert-sync insert it again. It prints the number of synchronization units before
// and after:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR go run ./tools/corpus/resync
//
// Each kernel runs in both versions on generated arguments under the checkers, and must
// produce the same bytes. The command can also replace pto-run in a script. It then
// does the same with the kernel and the arguments of its command line:
//
//	go build -o resync ./tools/corpus/resync
//	PTO_RESYNC_LOG=log run_golden.py --pto-run ./resync
//
// With -modes it examines the tests of the public modes that insert synchronization.
// With -checks it examines the CHECK lines of these tests.
//
// Kernels with a protocol between cores are omitted, because they must define it
// themselves.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ptogo/tools/corpus"
)

func main() {
	if log := os.Getenv("PTO_RESYNC_LOG"); log != "" {
		os.Exit(standIn(log, os.Args[1:]))
	}
	filter := flag.String("filter", "", "only programs whose names match this regular expression")
	every := flag.Int("every", 1, "only every N-th program")
	runs := flag.Bool("run", true, "run the kernels; otherwise units are counted only")
	public := flag.Bool("modes", false, "look at the public tests of modes that insert, instead")
	checks := flag.Bool("checks", false, "hold what is inserted against the CHECK lines of those tests, instead")
	verbose := flag.Bool("v", false, "a line for each program")
	flag.Parse()
	wanted, err := regexp.Compile(*filter)
	if err != nil || *every < 1 {
		stop(fmt.Errorf("expected a regular expression for -filter and a number of at least 1 for -every"))
	}
	for _, other := range []struct {
		asked bool
		run   func(*regexp.Regexp) error
	}{{*public, inModes}, {*checks, inChecks}} {
		if other.asked {
			if err := other.run(wanted); err != nil {
				stop(err)
			}
			return
		}
	}
	all, err := programs()
	if err != nil {
		stop(err)
	}
	t := tally{runs: *runs, verbose: *verbose}
	n := 0
	for _, p := range all {
		if wanted.MatchString(p.Name) {
			if n++; (n-1)%*every == 0 {
				t.program(p)
			}
		}
	}
	t.report()
	if t.failed > 0 {
		os.Exit(1)
	}
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, "resync:", err)
	os.Exit(2)
}

// programs returns the programs that are synchronized by hand: all programs of PTO-Gym,
// and the low-level ones of PTOAS.
func programs() ([]corpus.Program, error) {
	var all []corpus.Program
	for name, below := range map[string]string{"PTO_GYM": "", "PTO_PTOAS": "test/vpto"} {
		root := os.Getenv(name)
		if root == "" {
			continue
		}
		found, err := corpus.Folder(filepath.Join(root, below))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, found...)
	}
	if all == nil {
		return nil, corpus.ErrNone
	}
	slices.SortStableFunc(all, func(a, b corpus.Program) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// tally counts the outcomes of all programs.
type tally struct {
	runs, verbose bool

	programs, crossing, failed int
	hand, given                count
	more                       []string
	silent, noisy, notRun      int
}

// program removes the synchronization of one program and lets pto-insert-sync insert new
// synchronization. Then it compares the result with the original program, and counts the
// outcome.
func (t *tally) program(p corpus.Program) {
	hand, target := p.Read()
	if hand == nil || units(hand).sum() == 0 {
		return
	}
	if crosses(hand) {
		t.crossing++
		return
	}
	given, _ := p.Read()
	t.programs++
	if err := insert(given, target); err != nil {
		t.fail(p.Name, err)
		return
	}
	a, b := units(hand), units(given)
	t.hand.add(a)
	t.given.add(b)
	line := fmt.Sprintf("%s: units by hand %s, given %s", p.Name, a, b)
	if b.sum() > a.sum() {
		t.more = append(t.more, line)
	}
	if t.verbose {
		fmt.Println(line)
	}
	if t.runs {
		t.compare(p.Name, hand, given, target)
	}
}

func (t *tally) fail(name string, err error) {
	t.failed++
	fmt.Printf("%s: %v\n", name, err)
}

func (t *tally) report() {
	for _, line := range t.more {
		fmt.Println("more than by hand:", line)
	}
	fmt.Printf("%d programs: units by hand %s, given %s; %d programs with a protocol between cores are left out\n",
		t.programs, t.hand, t.given, t.crossing)
	if t.runs {
		fmt.Printf("kernels: %d silent with equal bytes, %d with the reports that they have by hand, %d fault both ways on these arguments; %d fail\n",
			t.silent, t.noisy, t.notRun, t.failed)
	}
}
