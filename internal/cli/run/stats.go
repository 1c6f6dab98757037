// This file implements --stats.

package run

import (
	"encoding/json"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/files"
	"ptogo/kernel/debug"
)

// statsMode reports how many instructions a run executes (--stats and --stats-json).
type statsMode struct {
	// tables means that tables are printed. file is the JSON file, or "".
	tables bool
	file   string
}

// define declares --stats and --stats-json in fs.
func (m *statsMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&m.file, "stats-json", "", "write the report of --stats to `FILE`, as JSON")
	fs.BoolVar(&m.tables, "stats", false, "report how often each instruction, pipe and source line executed, and how many bytes moved between memories")
}

// used reports whether the command line requests a report.
func (m *statsMode) used() bool { return m.tables || m.file != "" }

// statsReport is the listener that counts instructions.
type statsReport struct {
	debug.Stats
	statsMode
}

// finish prints the tables and writes the JSON file after the run.
func (s *statsReport) finish(l *launch) error {
	if s.tables {
		s.Report(l.Out)
	}
	if s.file == "" {
		return nil
	}
	text, err := json.MarshalIndent(s.Counts(), "", "  ")
	if err != nil {
		return err
	}
	return files.WriteFile(s.file, append(text, '\n'), l.Out)
}
