// This file implements --stats.

package run

import (
	"encoding/json"

	"ptogo/internal/cli/files"
	"ptogo/kernel/debug"
)

// statsReport implements --stats and --stats-json, which report how many instructions a
// run executes.
type statsReport struct {
	debug.Stats
	// tables means that tables are printed. file is the JSON file, or "".
	tables bool
	file   string
}

// finish prints the tables and writes the JSON file after the run.
func (s *statsReport) finish(t *runTool) error {
	if s.tables {
		s.Report(t.Out)
	}
	if s.file == "" {
		return nil
	}
	text, err := json.MarshalIndent(s.Counts(), "", "  ")
	if err != nil {
		return err
	}
	return files.WriteFile(s.file, append(text, '\n'), t.Out)
}
