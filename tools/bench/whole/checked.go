package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"ptogo/runtime"
	"ptogo/runtime/check"
)

// leastRun is how long the launches of a kernel are repeated before their time counts.
const leastRun = 20 * time.Millisecond

// cost is the time of a launch of one kernel without checkers, and with all of them.
type cost struct {
	name          string
	bare, checked time.Duration
}

func (c cost) ratio() float64 { return c.checked.Seconds() / c.bare.Seconds() }

// costOfChecks measures a launch of a kernel with and without checkers, in turn, as many
// times as rounds states. The shortest time of each counts.
func costOfChecks(in *input, rounds int) (cost, error) {
	c := cost{name: in.name}
	for i := range rounds {
		bare, err := in.launches()
		if err != nil {
			return c, err
		}
		checker, err := check.New(check.Options{Kinds: check.Usual})
		if err != nil {
			return c, err
		}
		checked, err := in.launches(checker)
		if err != nil {
			return c, err
		}
		if i == 0 || bare < c.bare {
			c.bare = bare
		}
		if i == 0 || checked < c.checked {
			c.checked = checked
		}
	}
	return c, nil
}

// launches plans the kernel once, launches it repeatedly, and returns the time of one launch.
func (in *input) launches(listeners ...runtime.Listener) (time.Duration, error) {
	p, _, _, err := in.load()
	if err != nil {
		return 0, err
	}
	plan, err := p.Plan(runtime.Options{Listeners: listeners})
	if err != nil {
		return 0, err
	}
	args := in.arguments()
	start, n := time.Now(), 0
	for ; n == 0 || time.Since(start) < leastRun; n++ {
		if err := plan.Run(args...); err != nil {
			return 0, err
		}
	}
	return time.Since(start) / time.Duration(n), nil
}

// listCosts measures the kernels of the given paths that have arguments, and prints how
// many times as long a launch with all checkers takes: the median, and the worst kernels.
func listCosts(paths []string, rounds, worst int) {
	var all []cost
	for _, path := range paths {
		in, err := read(path)
		if err == nil && !in.runs {
			continue
		}
		var c cost
		if err == nil {
			c, err = costOfChecks(in, rounds)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "whole: %s: %v\n", path, err)
			continue
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		fmt.Fprintln(os.Stderr, "whole: no kernel was executed")
		os.Exit(1)
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(b.ratio(), a.ratio()) })
	at := func(share float64) float64 { return all[int(share*float64(len(all)-1))].ratio() }
	fmt.Printf("%d kernels with all checkers: median %.1f times a bare launch, nine of ten at most %.1f, worst %.1f\n\n", len(all), at(0.5), at(0.1), at(0))
	fmt.Println("| kernel | bare, us | checked, us | ratio |\n|---|---|---|---|")
	for _, c := range all[:min(worst, len(all))] {
		fmt.Printf("| %s | %.1f | %.1f | %.1f |\n", c.name, c.bare.Seconds()*1e6, c.checked.Seconds()*1e6, c.ratio())
	}
}
