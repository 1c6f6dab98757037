// This file writes the log of passes.

package opt

import (
	"fmt"
	"io"
	"slices"

	"ptogo/internal/cli/files"
	"ptogo/ir"
	"ptogo/passes"
)

// log returns a function that receives the log messages of passes, or nil if no option
// requests the log. end completes the log file.
func (f *passFlags) log(t *optTool) (log func(p *passes.Pass, text string), end func() error, err error) {
	end = func() error { return nil }
	if len(f.debugOnly) == 0 && f.logActionsTo == "" {
		return nil, end, nil
	}
	var file *files.Output
	if f.logActionsTo != "" {
		if file, err = files.NewOutput(f.logActionsTo, t.Streams.Out); err != nil {
			return nil, nil, err
		}
		end = file.Commit
	}
	return func(p *passes.Pass, text string) {
		line := fmt.Sprintf("[%s] %s\n", p.Name, ir.Visible(text))
		if slices.Contains(f.debugOnly, p.Name) {
			io.WriteString(t.Err, line)
		}
		if file != nil {
			io.WriteString(file, line)
		}
	}, end, nil
}
