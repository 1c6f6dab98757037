// This file implements --stats.

package cli

import (
	"encoding/json"

	"ptogo/kernel/debug"
)

// statsReport is --stats and --stats-json.
type statsReport struct {
	debug.Stats
	tables bool
	file   string
}

// finish writes the tables.
func (s *statsReport) finish(t *runTool) error {
	if s.tables {
		s.Report(t.out)
	}
	if s.file == "" {
		return nil
	}
	text, err := json.MarshalIndent(s.Counts(), "", "  ")
	if err != nil {
		return err
	}
	return writeFile(s.file, append(text, '\n'), t.out)
}
