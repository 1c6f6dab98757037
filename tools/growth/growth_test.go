package main

import "testing"

// TestShapes runs the work of each shape on its smallest program, so that a change of the
// language or of a tool cannot leave a shape without a measurement.
func TestShapes(t *testing.T) {
	names := map[string]bool{}
	for _, s := range all() {
		if names[s.Name] {
			t.Errorf("two shapes have the name %s", s.Name)
		}
		names[s.Name] = true
		if err := s.Run(s.Text(s.N)); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	for name := range known {
		if !names[name] {
			t.Errorf("the table of known shapes has %s, which does not exist", name)
		}
	}
}
