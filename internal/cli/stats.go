package cli

import "ptogo/kernel/debug"

// statsReport is --stats.
type statsReport struct{ debug.Stats }

// finish writes the tables.
func (s *statsReport) finish(t *runTool) error {
	s.Report(t.out)
	return nil
}
