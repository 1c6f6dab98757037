// Package timing predicts the duration of a kernel on a chip. A [Recorder] is a listener
// that records the events of a launch on which the duration depends. [Replay] then
// schedules the recorded instructions on the pipes of a chip and returns a [Result] with
// the predicted times:
//
//	rec := timing.NewRecorder()
//	plan, err := prog.Plan(runtime.Options{Blocks: 24, Listeners: []runtime.Listener{rec}})
//	...
//	chip, err := timing.ChipFor("910B2", target)
//	res, err := timing.Replay(rec, chip, timing.Options{})
//	fmt.Print(res.Text())
//
//	chips.tsv, chip.go    constants per chip, each with its source and class
//	record.go, depend.go  the recording: instructions, and what each waits for
//	cost*.go              the cycles of an instruction on its pipe, and until its result
//	vector.go, opcode.go  tile instructions as sequences of vector instructions
//	replay.go             the simulation of pipes, signals, cores and waves of blocks
//	gm.go, l2.go          global memory: fair shares of its rate, and the L2 cache
//	ranks.go              several ranks: links, and signals through memory
//	bound.go              a lower bound of the time while a launch is recorded
//	result.go, path.go    busy and idle time with reasons, the critical path
//	graph.go, schedule.go tasks of a graph, each timed alone and scheduled on the cores
//	text.go, json.go      reports
//
// Times are in cycles of the core clock, unless a name or comment states microseconds.
// docs/timing.md describes the model and its accuracy.
package timing
