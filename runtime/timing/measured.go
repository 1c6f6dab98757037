// This file compares the predicted schedule of a graph with times that the public runtime
// measured on a device.

package timing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Measured contains the executions of tasks on the cores of a device. The public runtime
// writes them to the file chip_swimlane_records.json.
type Measured struct {
	// Kinds are the kinds of the cores: aic is a cube core, and aiv a vector core.
	Kinds []string
	Runs  []MeasuredRun
}

// MeasuredRun is the execution of a part of a task on a core. Times are in microseconds.
type MeasuredRun struct {
	// Token identifies the task: the number of its ring, shifted by 32 bits, and its number
	// in the ring.
	Token uint64
	Core  int
	// Start and End are the times at which the core starts and ends the kernel.
	Start, End float64
	// Sent and Noticed are the times at which the scheduler sends the task to the core, and
	// at which it notices the end. They are NaN if the file does not have them.
	Sent, Noticed float64
}

// measuredFile is the part of chip_swimlane_records.json that ReadMeasured needs. Times are
// numbers of cycles.
type measuredFile struct {
	Level    int `json:"chip_swimlane_level"`
	Metadata struct {
		Clock float64  `json:"clock_freq_hz"`
		Kinds []string `json:"core_types"`
	} `json:"metadata"`
	// Cores are lists of core, task, number on the core, start and end; a sixth number is the
	// time that the core needed before the start. Schedulers are lists of core, number on the
	// core, and the times of dispatch and notice.
	Cores      [][]uint64 `json:"aicore_tasks"`
	Schedulers [][]uint64 `json:"aicpu_tasks"`
}

// ReadMeasured reads the text of a file chip_swimlane_records.json.
func ReadMeasured(text []byte) (*Measured, error) {
	var f measuredFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	switch {
	case f.Level < 1 || f.Level > 4:
		return nil, fmt.Errorf(`"chip_swimlane_level" must be a number from 1 to 4, but is %d: expected a file chip_swimlane_records.json of the public runtime`, f.Level)
	case f.Metadata.Clock < 1:
		return nil, fmt.Errorf(`"clock_freq_hz" in "metadata" must be at least 1, but is %v`, f.Metadata.Clock)
	case len(f.Cores) == 0:
		return nil, fmt.Errorf(`"aicore_tasks" has no rows`)
	}
	type place struct{ core, number uint64 }
	sent := map[place][]uint64{}
	for i, row := range f.Schedulers {
		if len(row) < 4 {
			return nil, fmt.Errorf(`row %d of "aicpu_tasks" must have 4 numbers, but has %d`, i, len(row))
		}
		sent[place{row[0], row[1]}] = row
	}
	first := uint64(math.MaxUint64)
	for i, row := range f.Cores {
		switch {
		case len(row) < 5:
			return nil, fmt.Errorf(`row %d of "aicore_tasks" must have 5 or 6 numbers, but has %d`, i, len(row))
		case row[0] >= uint64(len(f.Metadata.Kinds)):
			return nil, fmt.Errorf(`row %d of "aicore_tasks" names core %d, but "core_types" lists %d cores`, i, row[0], len(f.Metadata.Kinds))
		case row[4] < row[3]:
			return nil, fmt.Errorf(`row %d of "aicore_tasks" ends before it starts`, i)
		}
		first = min(first, row[3])
	}
	micros := func(cycles uint64) float64 { return float64(int64(cycles-first)) / f.Metadata.Clock * 1e6 }
	m := &Measured{Kinds: f.Metadata.Kinds}
	for _, row := range f.Cores {
		r := MeasuredRun{Token: row[1], Core: int(row[0]), Start: micros(row[3]), End: micros(row[4]), Sent: math.NaN(), Noticed: math.NaN()}
		if s := sent[place{row[0], row[2]}]; s != nil && s[2] > 0 && s[3] > 0 {
			r.Sent, r.Noticed = micros(s[2]), micros(s[3])
		}
		m.Runs = append(m.Runs, r)
	}
	return m, nil
}

// tokenOf returns the token of the task with the given name. The importer of graphs names
// tasks KERNEL.RING.NUMBER; the kernel may be missing.
func tokenOf(name string) (uint64, bool) {
	parts := strings.Split(name, ".")
	if len(parts) < 2 {
		return 0, false
	}
	ring, err := strconv.ParseUint(parts[len(parts)-2], 10, 32)
	number, err2 := strconv.ParseUint(parts[len(parts)-1], 10, 32)
	return ring<<32 | number, err == nil && err2 == nil
}

// Comparison compares the measured times of the tasks of a rank with the predicted ones.
// Times are in microseconds.
type Comparison struct {
	Rank int `json:"rank"`
	// Measured and Predicted are the times from the start of the first task to the end of the
	// last, of the tasks that have both.
	Measured  float64 `json:"measured_us"`
	Predicted float64 `json:"predicted_us"`
	// Tasks and Cores are in the order of decreasing differences.
	Tasks []ComparedTask `json:"tasks"`
	Cores []ComparedCore `json:"cores"`
	// Sent is the mean time from the dispatch of a task until its start, and Noticed the mean
	// time from its end until the scheduler notices it. Noted is the number of executions with
	// these times.
	Sent    float64 `json:"sent_us"`
	Noticed float64 `json:"noticed_us"`
	Noted   int     `json:"noted"`
	// Missing are the names of the tasks without measured times. Unknown is the number of
	// measured tasks that the graph does not have.
	Missing []string `json:"not_measured,omitempty"`
	Unknown int      `json:"not_in_graph,omitempty"`
}

// ComparedTask is a task with measured and predicted times. Number is its index in the
// schedule, and Cores is the number of executions on cores.
type ComparedTask struct {
	Number    int     `json:"number"`
	Name      string  `json:"task"`
	Cores     int     `json:"cores"`
	Start     float64 `json:"measured_start_us"`
	Measured  float64 `json:"measured_us"`
	Predicted float64 `json:"predicted_us"`
}

// ComparedCore is the time in which a core executes tasks. Number counts the cores of a kind.
type ComparedCore struct {
	Kind      string  `json:"kind"`
	Number    int     `json:"core"`
	Measured  float64 `json:"measured_busy_us"`
	Predicted float64 `json:"predicted_busy_us"`
}

// off returns the absolute difference of two times.
func off(measured, predicted float64) float64 { return math.Abs(measured - predicted) }

// Compare compares the tasks of a rank with measured times.
func (s *Schedule) Compare(m *Measured, rank int) *Comparison {
	c := &Comparison{Rank: rank}
	runs := map[uint64][]MeasuredRun{}
	for _, r := range m.Runs {
		runs[r.Token] = append(runs[r.Token], r)
		if !math.IsNaN(r.Sent) {
			c.Sent, c.Noticed, c.Noted = c.Sent+r.Start-r.Sent, c.Noticed+r.Noticed-r.End, c.Noted+1
		}
	}
	c.Sent, c.Noticed = c.Sent/float64(max(c.Noted, 1)), c.Noticed/float64(max(c.Noted, 1))
	measured, predicted := newSpan(), newSpan()
	for i := range s.Tasks {
		if s.Tasks[i].Rank != rank {
			continue
		}
		token, ok := tokenOf(s.Tasks[i].Name)
		list := runs[token]
		if !ok || len(list) == 0 {
			c.Missing = append(c.Missing, s.Tasks[i].Name)
			continue
		}
		delete(runs, token)
		own := newSpan()
		for _, r := range list {
			own.add(r.Start, r.End)
		}
		measured.add(own.from, own.to)
		predicted.add(s.Start[i], s.End[i])
		c.Tasks = append(c.Tasks, ComparedTask{i, s.Tasks[i].Name, len(list), own.from, own.to - own.from, s.End[i] - s.Start[i]})
	}
	c.Measured, c.Predicted, c.Unknown = measured.length(), predicted.length(), len(runs)
	slices.SortStableFunc(c.Tasks, func(a, b ComparedTask) int {
		return cmp.Compare(off(b.Measured, b.Predicted), off(a.Measured, a.Predicted))
	})
	c.cores(s, m, rank)
	return c
}

// cores compares the load of the cores of a rank. The model and the runtime number the cores
// of each kind from 0.
func (c *Comparison) cores(s *Schedule, m *Measured, rank int) {
	type core struct {
		kind   string
		number int
	}
	load := map[core]*ComparedCore{}
	at := func(kind string, number int) *ComparedCore {
		k := core{kind, number}
		if load[k] == nil {
			load[k] = &ComparedCore{Kind: kind, Number: number}
		}
		return load[k]
	}
	numbers, counts := make([]int, len(m.Kinds)), map[string]int{}
	for i, kind := range m.Kinds {
		numbers[i] = counts[kind]
		counts[kind]++
	}
	for _, r := range m.Runs {
		at(m.Kinds[r.Core], numbers[r.Core]).Measured += r.End - r.Start
	}
	for i, cores := range s.Cores {
		if s.Tasks[i].Rank != rank {
			continue
		}
		for _, n := range cores {
			kind := "aic"
			if cubes := s.Dispatch.Cores.Cube; n >= cubes {
				kind, n = "aiv", n-cubes
			}
			at(kind, n).Predicted += s.End[i] - s.Start[i]
		}
	}
	for _, x := range load {
		c.Cores = append(c.Cores, *x)
	}
	slices.SortFunc(c.Cores, func(a, b ComparedCore) int {
		return cmp.Or(cmp.Compare(off(b.Measured, b.Predicted), off(a.Measured, a.Predicted)), strings.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number))
	})
}

// span is a range of time.
type span struct{ from, to float64 }

func newSpan() *span { return &span{math.Inf(1), math.Inf(-1)} }

// add extends the span to contain a range of time.
func (s *span) add(from, to float64) { s.from, s.to = min(s.from, from), max(s.to, to) }

// length returns the length of the span, which is 0 if it contains nothing.
func (s *span) length() float64 { return max(s.to-s.from, 0) }
