// Package timing predicts how long a kernel takes on a chip. A Recorder listens
// to the events of a launch and keeps what matters for time; Replay then puts
// its instructions on the pipes of a chip and says when each begins and ends:
//
//	rec := timing.NewRecorder()
//	plan, err := prog.Plan(runtime.Options{Blocks: 24, Listeners: []runtime.Listener{rec}})
//	...
//	chip, err := timing.ChipFor("910B2", target)
//	res, err := timing.Replay(rec, chip, timing.Options{})
//	fmt.Print(res.Text())
//
//	chips.tsv, chip.go    constants per chip, each with its source and class
//	record.go, depend.go  what is kept of events: instructions, and what they wait for
//	cost*.go              how long an instruction keeps its pipe, and until its result is there
//	replay.go             pipes in order, signals, cores, waves of blocks
//	gm.go, l2.go          global memory: fair shares of its rate, a cache in front
//	ranks.go              several ranks: links, and signals through memory
//	bound.go              a lower bound of the time while a launch is recorded
//	result.go, path.go    busy and idle time with reasons, the critical path
//	graph.go, schedule.go tasks of a graph, each timed alone and scheduled on the cores
//	text.go, json.go      reports
//
// Time is in cycles of the core clock throughout, but where a name says
// microseconds. docs/timing.md says what is modelled, and how sure it is.
package timing
