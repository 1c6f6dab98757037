// This file writes the schedule of a graph as JSON.

package timing

import "encoding/json"

// jsonSchedule is the JSON format of a schedule. Other programs read the names of its fields,
// so the names must not change. Times are in microseconds from the start of the graph.
type jsonSchedule struct {
	Total   float64 `json:"total_us"`
	Longest float64 `json:"longest_path_us"`
	// Dispatched is the part of the critical path in which tasks are dispatched, and Host the
	// time that the host needs in addition.
	Dispatched float64 `json:"dispatch_us"`
	Host       float64 `json:"host_us"`
	Slowed     float64 `json:"lost_us"`
	Waited     float64 `json:"waited_us"`
	// Critical are the numbers of the tasks of the critical path, in the order of Schedule.Critical.
	Critical []int      `json:"critical_path"`
	Memory   []float64  `json:"memory_busy"`
	Tasks    []jsonTask `json:"tasks"`
	WhatIf   []WhatIf   `json:"what_if,omitempty"`
	// Compared has, for each rank, the comparison with measured times.
	Compared []*Comparison `json:"compared,omitempty"`
}

// jsonTask is the JSON format of a task in a schedule. Alone is its time without other tasks.
type jsonTask struct {
	Name  string  `json:"task"`
	Rank  int     `json:"rank"`
	Start float64 `json:"start_us"`
	End   float64 `json:"end_us"`
	Alone float64 `json:"alone_us"`
	Cores []int   `json:"cores,omitempty"`
	After []int   `json:"after,omitempty"`
}

// JSON returns the schedule as JSON, with predictions for other constants of the chip, and with
// comparisons of the predicted times with measured ones.
func (s *Schedule) JSON(whatIf []WhatIf, compared ...*Comparison) []byte {
	j := jsonSchedule{
		Total: s.Micros, Longest: s.Longest, Dispatched: s.Dispatched(), Host: s.Dispatch.Host, Slowed: s.Slowed, Waited: s.Waited,
		Critical: s.Critical, Memory: s.Memory, WhatIf: whatIf, Compared: compared,
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		j.Tasks = append(j.Tasks, jsonTask{t.Name, t.Rank, s.Start[i], s.End[i], t.Cost.Micros, s.Cores[i], t.After})
	}
	text, _ := json.MarshalIndent(j, "", "  ") // a schedule has finite numbers only
	return append(text, '\n')
}
