// This file reports differences from expected results (--expect).

package run

import (
	"fmt"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/kernel/debug"
	"ptogo/runtime/check"
)

// compareAll compares kernel arguments with their expected contents, and draws heat
// maps of the errors if requested. It returns the exit code.
func (t *runTool) compareAll(args []*data.Arg, expect []comparison) int {
	code := exit.OK
	var maps []debug.HeatMap
	for i := range expect {
		c := &expect[i]
		a := args[c.n].Array
		d := c.check(t.Out, a, func() *debug.Origin { return t.origin(c.n, args) })
		result := report.TestResult{Kind: "compare", Name: c.name + ", against " + c.path}
		if d.Count > 0 {
			code = exit.Compare
			result.Failure = fmt.Sprintf("%d of %d elements differ", d.Count, d.Elements)
		}
		t.TellResult(result)
		maps = append(maps, debug.HeatMap{Title: fmt.Sprintf("%s, against %s", c.name, c.path), Array: a, Difference: d})
	}
	if path := t.flags.observe.plot; path != "" {
		if err := files.WriteFile(path, debug.SVG(maps), t.Out); err != nil {
			return t.Fail("%v", err)
		}
	}
	return code
}

// longestSearch is the time limit for finding the instruction that wrote a wrong
// element.
const longestSearch = time.Minute

// tooLate checks the time limit of the search for the instruction that wrote an element.
// It returns the reason to stop the search if the limit is exceeded, and "" otherwise.
func (t *runTool) tooLate() string {
	if time.Now().After(t.until) {
		return "lasts too long"
	}
	return ""
}

// origin runs the kernels again to find which instructions wrote the elements of
// argument n. It returns nil if the run fails or exceeds its time limit, and for graphs,
// which cannot run again.
func (t *runTool) origin(n int, args []*data.Arg) *debug.Origin {
	if t.again == nil {
		return nil
	}
	t.until = time.Now().Add(longestSearch)
	o := debug.NewOrigin(n, args[n].Array)
	if err := t.again(&check.Run{Fill: t.flags.fill, Listener: o}); err != nil {
		return nil
	}
	return o
}
