// Command run runs the conformance suite through an adapter, or writes the scoreboard.
//
//	go run ./tools/conformance/run -adapter conformance/adapters/pto-run.sh
//	go run ./tools/conformance/run -scoreboard score1.json,score2.json
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"ptogo/tools/conformance"
)

func main() {
	folder := flag.String("suite", "conformance", "folder of the suite")
	adapter := flag.String("adapter", "", "command that runs one case, with its first arguments")
	name := flag.String("name", "", "name and version of the implementation, for -score")
	filter := flag.String("filter", "", "run only the cases whose IDs match this regular expression")
	timeout := flag.Duration("timeout", time.Minute, "time limit of a case")
	score := flag.String("score", "", "write the outcomes to this file, for -scoreboard")
	scoreboard := flag.String("scoreboard", "", "print the scoreboard of these files of -score, with commas between them")
	quiet := flag.Bool("quiet", false, "do not list the cases that do not pass")
	flag.Parse()
	code, err := start(*folder, *adapter, *name, *filter, *score, *scoreboard, *timeout, *quiet)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		code = 2
	}
	os.Exit(code)
}

// start does what the flags request. It returns the exit code: 1 if a case is wrong or
// failed.
func start(folder, adapter, name, filter, score, scoreboard string, timeout time.Duration, quiet bool) (int, error) {
	only, err := regexp.Compile(filter)
	if err != nil {
		return 0, err
	}
	cases, err := conformance.Read(folder)
	if err != nil {
		return 0, err
	}
	cases = slices.DeleteFunc(cases, func(c *conformance.Case) bool { return !only.MatchString(c.ID) })
	if scoreboard != "" {
		var scores []*conformance.Score
		for _, file := range strings.Split(scoreboard, ",") {
			s, err := conformance.ReadScore(file)
			if err != nil {
				return 0, err
			}
			scores = append(scores, s)
		}
		fmt.Print(conformance.Scoreboard(cases, scores))
		return 0, nil
	}
	command := strings.Fields(adapter)
	if len(command) == 0 {
		return 0, fmt.Errorf("-adapter must name a command, such as conformance/adapters/pto-run.sh")
	}
	results, err := (&conformance.Adapter{Command: command, Timeout: timeout}).RunAll(cases)
	if err != nil {
		return 0, err
	}
	counts := map[conformance.Outcome]int{}
	for _, r := range results {
		if counts[r.Outcome]++; r.Outcome != conformance.Passed && !quiet {
			fmt.Printf("%s: %s: %s\n", r.ID, r.Outcome, r.Detail)
		}
	}
	fmt.Printf("%d cases: %d passed, %d wrong, %d not supported, %d failed\n", len(results),
		counts[conformance.Passed], counts[conformance.Wrong], counts[conformance.NotSupported], counts[conformance.Failed])
	if score != "" {
		if err := conformance.NewScore(name, results).Write(score); err != nil {
			return 0, err
		}
	}
	if counts[conformance.Wrong]+counts[conformance.Failed] > 0 {
		return 1, nil
	}
	return 0, nil
}
