package timing

import (
	"math"
	"strings"
	"testing"
)

// TestMeasured reads executions, and compares a task that runs on two cores.
func TestMeasured(t *testing.T) {
	m, err := ReadMeasured([]byte(`{"chip_swimlane_level": 2, "metadata": {"clock_freq_hz": 1000000, "core_types": ["aic", "aiv", "aiv"]},
		"aicore_tasks": [[1, 4294967299, 5, 110, 130], [2, 4294967299, 5, 120, 150, 3]], "aicpu_tasks": [[2, 5, 117, 152]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Runs[0]; r.Start != 0 || r.End != 20 || !math.IsNaN(r.Sent) {
		t.Errorf("the first execution is %+v", r)
	}
	s := &Schedule{Tasks: []Task{{Name: "k.1.3"}, {Name: "k.1.4"}}, Start: []float64{1, 2}, End: []float64{31, 4}, Cores: [][]int{{0}, nil}}
	s.Dispatch.Cores.Cube = 1
	c := s.Compare(m, 0)
	if len(c.Tasks) != 1 || c.Tasks[0].Measured != 40 || c.Tasks[0].Predicted != 30 || c.Tasks[0].Cores != 2 || c.Sent != 3 || c.Noticed != 2 || c.Noted != 1 {
		t.Errorf("the comparison is %+v", c)
	}
	if len(c.Missing) != 1 || c.Missing[0] != "k.1.4" || c.Measured != 40 || c.Predicted != 30 {
		t.Errorf("the comparison is %+v", c)
	}
	if x := c.Cores[0]; len(c.Cores) != 3 || x.Kind != "aic" || x.Predicted != 30 || x.Measured != 0 {
		t.Errorf("the cores are %+v", c.Cores)
	}
}

// TestMeasuredErrors reads files that are not records of the runtime.
func TestMeasuredErrors(t *testing.T) {
	const meta = `"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 5, "core_types": ["aic"]}`
	for text, want := range map[string]string{
		`{}`: "chip_swimlane_level",
		`{"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 1e-300}}`: "clock_freq_hz",
		`{` + meta + `}`: "no rows",
		`{` + meta + `, "aicore_tasks": [[0, 1]]}`:                                   "5 or 6 numbers",
		`{` + meta + `, "aicore_tasks": [[0, 1, 2, 9, 8]]}`:                          "ends before it starts",
		`{` + meta + `, "aicore_tasks": [[-1, 1, 2, 3, 4]]}`:                         "cannot unmarshal",
		`{` + meta + `, "aicore_tasks": [[0, 1, 2, 3, 4]], "aicpu_tasks": [[0, 2]]}`: "4 numbers",
	} {
		if _, err := ReadMeasured([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: expected an error with %q, found %v", text, want, err)
		}
	}
	for _, name := range []string{"", "x", "a.b", "1.x", "x.1", "1.99999999999"} {
		if _, ok := tokenOf(name); ok {
			t.Errorf("%q must not identify a task", name)
		}
	}
}
