// This file implements the stepping debugger.

package debug

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Stepper is a debugger: a listener that stops before operations and executes commands.
// Runs are deterministic, so the same commands always have the same result. A step back
// is a new run that stops at the previous operation.
type Stepper struct {
	// In provides the commands, one per line.
	In *bufio.Scanner
	// Out receives the output of commands.
	Out io.Writer
	// Echo makes the stepper write each command before its output, for commands from a
	// file.
	Echo bool
	// Stopped, if not nil, is called at each stop before the operation of e, instead of
	// executing commands from In. why is "step", "breakpoint", "data breakpoint" or
	// "pause". The function calls Command or SetBreaks, and returns when the run should
	// continue.
	Stopped func(e *runtime.Event, why string)
	// Poll, if not nil, is called before every operation. If it returns true, the run
	// stops there with the reason "pause". It may call SetBreaks.
	Poll func() (pause bool)
	// Ended, if not nil, is called at the end of a launch with the fault that ended it,
	// or nil.
	Ended func(f *runtime.Fault)

	// module is the program, and launch is the current launch.
	module *ir.Op
	launch *runtime.Launch
	// n is the number of operations in this run so far.
	n int
	// target is the number of the operation at which a step back stops, or 0.
	target int
	// again means that the launch must run again; see Again.
	again bool
	// ended means that there are no more commands, or that the user has quit.
	ended bool
	// stop reports whether to stop before the operation of an event. If stop is nil, the
	// run stops only at breakpoints.
	stop func(e *runtime.Event) bool
	// breaks are the breakpoints.
	breaks []Selector
	// here is the place of the last stop. It is used if Stopped is set.
	here place
	// passed contains the numbers of the operations at which breakpoints have stopped the
	// run.
	passed []int
	// watch contains the data breakpoints: ranges of memory to which a write stops the
	// run.
	watch []watched
	// hit is the message of a data breakpoint that was triggered, or "".
	hit string
	// flags counts, for each channel, the signals that are raised and not yet waited for.
	flags map[runtime.Channel]int
	// order lists the channels in the order in which their first signals were raised.
	order []runtime.Channel
}

// place is a source line in one iteration of the loops of a core. One source instruction
// may become several operations, for example if its tile becomes a buffer. All of these
// operations have the same place.
type place struct {
	core  *runtime.CoreInfo
	line  int
	where string
}

// placeOf returns the core, source line and loop iteration of event e.
func placeOf(e *runtime.Event) place { return place{e.Core, lineOf(e.Op), e.Where()} }

// watched is a watched range of memory (a data breakpoint): a write to it stops the run.
// The field name is the memory in the syntax of commands. The field buffer is the number
// of the buffer, for global memory.
type watched struct {
	name     string
	space    sem.Space
	buffer   int
	from, to int64
}

// NewStepper returns a stepper, a debugger for the program in the parameter module. The
// stepper stops the program before its first operation. It reads commands from the
// parameter in, and writes their output to the parameter out.
func NewStepper(in io.Reader, out io.Writer, module *ir.Op) *Stepper {
	s := &Stepper{In: bufio.NewScanner(in), Out: out, module: module}
	s.stop = func(*runtime.Event) bool { return true }
	return s
}

// Again reports whether the caller must run the launch again from its beginning, because
// the user has stepped back.
func (s *Stepper) Again() bool { return s.again }

// Quit reports whether the user has ended the debugger before the end of the run.
func (s *Stepper) Quit() bool { return s.ended && s.target < 0 }

// Replaying reports whether the run has not yet reached the operation to which the user
// has stepped back.
func (s *Stepper) Replaying() bool { return s.target > 0 }

// Begin prepares the stepper for a run. It implements runtime.Watcher.
func (s *Stepper) Begin(l *runtime.Launch) {
	s.launch, s.n, s.again, s.hit = l, 0, false, ""
	s.flags, s.order = map[runtime.Channel]int{}, nil
}

// End reports the end of the launch and its fault f, if any. It implements
// runtime.Watcher.
func (s *Stepper) End(f *runtime.Fault) {
	switch {
	case s.Ended != nil:
		if !s.again {
			s.Ended(f)
		}
	case f == nil && !s.ended:
		fmt.Fprintln(s.Out, "the launch has ended")
	}
}

// After does nothing. It implements runtime.Watcher.
func (s *Stepper) After(*runtime.Event) {}

// Event counts signals and checks writes against the watched memory. It implements
// runtime.Watcher.
func (s *Stepper) Event(e *runtime.Event) {
	for _, l := range e.Links {
		if _, known := s.flags[l.Channel]; !known {
			s.order = append(s.order, l.Channel)
		}
		// A signal is raised once and waited for once. The difference is the number
		// that is still raised.
		if l.Raised {
			s.flags[l.Channel]++
		} else {
			s.flags[l.Channel]--
		}
	}
	for _, a := range e.Accesses {
		for _, w := range s.watch {
			if a.Space == w.space && (a.Space != sem.GM || a.Buffer == w.buffer) && a.Kind&runtime.WriteAccess != 0 && overlaps(a.Runs, w.from, w.to) {
				s.hit = fmt.Sprintf("%s %d..%d was written by %s", w.name, w.from, w.to-1, title(e.Op))
				if s.launch.Ranks > 1 {
					s.hit += fmt.Sprintf(" (rank %d)", e.Core.Rank)
				}
			}
		}
	}
}

// overlaps reports whether one of the byte ranges in runs contains a byte of a given
// range. This range starts at offset from and ends before offset to.
func overlaps(runs []runtime.Run, from, to int64) bool {
	for _, r := range runs {
		for i := range r.Count {
			if at := r.Start + i*r.Stride; at < to && from < at+r.Length {
				return true
			}
		}
	}
	return false
}

// Before stops the run if a stop condition holds for event e, and executes commands of
// the user until one of them continues the run. The result "" continues the run; any
// other result is the message with which the run ends. Before implements runtime.Watcher.
func (s *Stepper) Before(e *runtime.Event) string {
	s.n++
	why := "step"
	pause := s.Poll != nil && s.Poll()
	switch {
	// The order of the cases matters: on the way to the target of a step back,
	// neither breaks nor watches stop the run.
	case s.ended:
		return ""
	case s.target > 0 && s.n < s.target:
		return ""
	case s.target > 0:
		s.target = 0
	case s.hit != "":
		fmt.Fprintln(s.Out, s.hit)
		why = "data breakpoint"
	case s.breaksAt(e) && (s.Stopped == nil || placeOf(e) != s.here):
		why = "breakpoint"
		s.passed = append(s.passed, s.n)
	case pause:
		why = "pause"
	case s.stop == nil || !s.stop(e):
		return ""
	}
	s.hit, s.stop = "", nil
	if s.Stopped != nil {
		s.here = placeOf(e)
		s.Stopped(e, why)
		return s.afterCommand()
	}
	s.tellPlace(e)
	for s.In.Scan() {
		line := strings.TrimSpace(s.In.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if s.Echo {
			fmt.Fprintf(s.Out, "(step) %s\n", line)
		}
		words := strings.Fields(line)
		goOn, err := s.command(e, words[0], words[1:])
		if err != nil {
			fmt.Fprintln(s.Out, err)
			continue
		}
		if ends := s.afterCommand(); ends != "" || goOn {
			return ends
		}
	}
	s.ended = true // without commands the run continues to its end
	return ""
}

// afterCommand returns "" if the run continues after the last command of the user.
// Otherwise it returns a predicate for a message about the run: "was left" if the user
// has ended the debugger, or "is run again" if the user has stepped back.
func (s *Stepper) afterCommand() string {
	switch {
	case s.again:
		return "is run again"
	case s.Quit():
		return "was left"
	}
	return ""
}

// Command executes one command line of StepHelp at a stop and writes its output to Out.
// The result goOn reports whether the run should continue.
func (s *Stepper) Command(e *runtime.Event, line string) (goOn bool, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	return s.command(e, words[0], words[1:])
}

// SetBreaks replaces all breakpoints. It may be called at a stop, and by the goroutine of
// the run between two stops.
func (s *Stepper) SetBreaks(breaks []Selector) { s.breaks, s.passed = breaks, nil }

// ClearWatches removes all data breakpoints.
func (s *Stepper) ClearWatches() { s.watch = nil }

// BackToBreak goes back to the last breakpoint before the current stop, or to the first
// operation. It considers only breakpoints at which the run has stopped.
func (s *Stepper) BackToBreak() {
	s.target, s.again = 1, true
	for _, n := range s.passed {
		if n < s.n {
			s.target = max(s.target, n)
		}
	}
}

// Values returns the current elements of all named values in the function that contains
// e.Op, in the order of the program text. It omits values that have no elements at this
// moment.
func (s *Stepper) Values(e *runtime.Event) (list []NamedArray) {
	for op := range functionOf(e.Op).Walk() {
		for _, v := range valuesOf(op) {
			if x, ok := e.Elements(v, false); ok && v.Name() != "" {
				list = append(list, NamedArray{Name: v.Name(), Array: arrayOf(x)})
			}
		}
	}
	return list
}

// functionOf returns the innermost operation around op that is isolated from outer
// values, such as a function. Names of values are unique only within it.
func functionOf(op *ir.Op) *ir.Op {
	for op.Parent() != nil && !op.HasTrait(ir.IsolatedFromAbove) {
		op = op.Parent()
	}
	return op
}

// StepLine makes the run stop before the next operation on the core of e that is in
// another source line or in another loop iteration.
func (s *Stepper) StepLine(e *runtime.Event) {
	from := placeOf(e)
	s.stop = func(e *runtime.Event) bool { return e.Core == from.core && placeOf(e) != from }
}

// Flags returns the names of the signals that are raised and not yet waited for, and how
// many times each is raised.
func (s *Stepper) Flags() (names []string, counts []int) {
	for _, c := range s.order {
		if n := s.flags[c]; n > 0 {
			names, counts = append(names, s.launch.ChannelName(c)), append(counts, n)
		}
	}
	return names, counts
}

// Launch returns the current launch, or nil before its first operation.
func (s *Stepper) Launch() *runtime.Launch { return s.launch }

// Line returns the source line of op, or 0 if it is unknown.
func Line(op *ir.Op) int { return lineOf(op) }

// Number returns the number of the next operation in the run, from 1.
func (s *Stepper) Number() int { return s.n }

// breaksAt reports whether the debugger must stop at event e: a breakpoint selects the
// operation of e, and the conditions of the breakpoint are true.
func (s *Stepper) breaksAt(e *runtime.Event) bool {
	for i := range s.breaks {
		if s.breaks[i].Selects(e.Op) && s.breaks[i].Applies(e) {
			return true
		}
	}
	return false
}

// tellPlace writes the operation at which the run has stopped, and its position: core,
// source line and loop iterations.
func (s *Stepper) tellPlace(e *runtime.Event) {
	where := ""
	if w := e.Where(); w != "" {
		where = " (" + w + ")"
	}
	fmt.Fprintf(s.Out, "[%d] line %d%s: %s\n", s.n, lineOf(e.Op), where, strings.SplitN(e.Op.String(), "\n", 2)[0])
}

// StepHelp is the help text that lists the commands of the debugger.
const StepHelp = `step [N]               go N operations on (s)
round                  go on to the next round of the innermost loop
core                   go on to an operation on another core or block
continue               go on to a break or the end (c)
break WHAT             stop in front of a line, a value %x, a mnemonic; conditions as in --dump: 12@i=3,block=1 (b)
watch SPACE FROM N     stop behind a write to N bytes, such as watch ub 0 64 (w)
back [N]               go N operations back (one)
print %x               show a value: tile, view, register, mask or scalar (p)
memory SPACE FROM N    show bytes of ub, l1, ... or of argument N as gm:N, gm:N@RANK (m)
flags                  show signals that are raised and not waited for
where                  show the operation that comes next
quit                   leave (q)
`

// command executes the command with the given name and arguments. The result goOn reports
// whether the run should continue.
func (s *Stepper) command(e *runtime.Event, name string, args []string) (goOn bool, err error) {
	switch name {
	case "s", "step":
		n, err := number(args, 1)
		at := s.n + n
		s.stop = func(*runtime.Event) bool { return s.n >= at }
		return err == nil, err
	case "round":
		if len(e.Rounds) == 0 {
			return false, fmt.Errorf("no loop contains this instruction")
		}
		// Stop at the next operation on this core that is in another iteration of
		// this loop or outside the loop. Operations on other cores may come
		// between.
		last, depth, core := e.Rounds[len(e.Rounds)-1], len(e.Rounds), e.Core
		s.stop = func(e *runtime.Event) bool {
			return e.Core == core && (len(e.Rounds) < depth || e.Rounds[depth-1].Round != last.Round)
		}
		return true, nil
	case "core":
		core := e.Core
		s.stop = func(e *runtime.Event) bool { return e.Core != core }
		return true, nil
	case "c", "continue":
		return true, nil
	case "b", "break":
		return false, s.addBreak(args)
	case "w", "watch":
		at, _, from, n, err := s.memoryArgs(e, args)
		if err == nil {
			s.watch = append(s.watch, watched{args[0], at.Space, at.Buffer, from, from + n})
		}
		return false, err
	case "back":
		n, err := number(args, 1)
		// The machine cannot go back, but runs are deterministic: run the launch
		// again, up to the earlier operation.
		s.target, s.again = max(1, s.n-n), err == nil
		return false, err
	case "p", "print":
		return false, s.print(e, args)
	case "m", "memory":
		return false, s.printMemory(e, args)
	case "flags":
		s.printFlags()
		return false, nil
	case "where":
		s.tellPlace(e)
		return false, nil
	case "q", "quit":
		s.ended, s.target = true, -1
		return false, nil
	case "help":
		io.WriteString(s.Out, StepHelp)
		return false, nil
	}
	return false, fmt.Errorf("there is no command '%s'; help lists them", name)
}

// number parses the optional argument N of a debugger command, which must be positive.
// The slice args contains N or is empty. If it is empty, number returns the default value
// in the parameter otherwise.
func number(args []string, otherwise int) (int, error) {
	if len(args) == 0 {
		return otherwise, nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("'%s' is not a number above 0", args[0])
	}
	return n, nil
}

// addBreak adds a breakpoint. It returns an error if the selector cannot select anything
// in the program, so that a misspelled breakpoint is not ignored.
func (s *Stepper) addBreak(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected break WHAT, such as break 12@i=3")
	}
	sel, err := ParseSelector(args[0], nil)
	if err == nil {
		err = sel.Check(s.module)
	}
	if err == nil {
		s.breaks = append(s.breaks, sel)
	}
	return err
}

// print writes the elements of the value whose name is the argument of the command.
func (s *Stepper) print(e *runtime.Event, args []string) error {
	if len(args) != 1 || !strings.HasPrefix(args[0], "%") {
		return fmt.Errorf("expected print %%VALUE, such as print %%sum")
	}
	for op := range functionOf(e.Op).Walk() {
		for _, v := range valuesOf(op) {
			if v.Name() != args[0][1:] {
				continue
			}
			x, ok := e.Elements(v, false)
			if !ok {
				return fmt.Errorf("%s has no elements here: it is a pointer, or is not computed yet", args[0])
			}
			arrayOf(x).Print(s.Out, args[0])
			return nil
		}
	}
	return fmt.Errorf("there is no value %s in this function", args[0])
}

// valuesOf returns all values that an operation defines: its results, and the arguments
// of the blocks in its regions.
func valuesOf(op *ir.Op) []*ir.Value {
	vs := op.Results()
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			vs = append(vs, b.Args()...)
		}
	}
	return vs
}

// memoryArgs parses the arguments SPACE FROM N of a debugger command. SPACE is the name
// of a memory; gm:2 is the memory of argument 2 on the rank of event e, and gm:2@1 is
// that on rank 1. The result at identifies the memory, data contains the N bytes that
// begin at offset FROM, and from and n are the two numbers. The error describes malformed
// arguments or a range outside of the memory.
func (s *Stepper) memoryArgs(e *runtime.Event, args []string) (at runtime.Access, data []byte, from, n int64, err error) {
	bad := fmt.Errorf("expected SPACE FROM N, such as ub 0 64 or gm:1 0 64")
	if len(args) != 3 {
		return at, nil, 0, 0, bad
	}
	at = runtime.Access{Space: sem.GM, Core: e.Core.Number}
	if arg, isGM := strings.CutPrefix(args[0], "gm:"); isGM {
		if at.Buffer, err = s.bufferOf(arg, e.Core.Rank); err != nil {
			return at, nil, 0, 0, err
		}
	} else {
		found := false
		for _, k := range []sem.Space{sem.UB, sem.L1, sem.L0A, sem.L0B, sem.L0C, sem.FB} {
			if k.String() == args[0] {
				at.Space, found = k, true
			}
		}
		if !found {
			return at, nil, 0, 0, bad
		}
	}
	from, err1 := strconv.ParseInt(args[1], 0, 64)
	n, err2 := strconv.ParseInt(args[2], 0, 64)
	data = e.Memory(at)
	if err1 != nil || err2 != nil || from < 0 || n < 1 || n > int64(len(data))-from {
		return at, nil, 0, 0, fmt.Errorf("the range is not inside of %s, which has bytes 0 to %d", args[0], len(data)-1)
	}
	return at, data[from : from+n], from, n, nil
}

// bufferOf returns the index of the global memory buffer that text identifies. The form N
// is the buffer of argument N on the given rank, and the form N@RANK is the buffer on
// another rank.
func (s *Stepper) bufferOf(text string, rank int) (int, error) {
	arg, other, named := strings.Cut(text, "@")
	n, err := strconv.Atoi(arg)
	each := len(s.launch.Buffers) / s.launch.Ranks
	if err != nil || n < 0 || n >= each {
		return 0, fmt.Errorf("'%s' is not the number of an argument: the kernel has %d arguments, numbered from 0", arg, each)
	}
	if named {
		if rank, err = strconv.Atoi(other); err != nil || rank < 0 || rank >= s.launch.Ranks {
			return 0, fmt.Errorf("'%s' is not the number of a rank: the launch has %d ranks, numbered from 0", other, s.launch.Ranks)
		}
	}
	return rank*each + n, nil
}

// Bytes returns n bytes of a memory, starting at the byte offset given by the parameter
// from. space is the name of the memory; the memory of kernel argument 2 has the name
// gm:2.
func (s *Stepper) Bytes(e *runtime.Event, space string, from, n int64) ([]byte, error) {
	_, data, _, _, err := s.memoryArgs(e, []string{space, fmt.Sprint(from), fmt.Sprint(n)})
	return data, err
}

// printMemory writes a range of memory, 16 bytes per line, in hexadecimal and with each
// group of 4 bytes as an f32.
func (s *Stepper) printMemory(e *runtime.Event, args []string) error {
	_, data, from, _, err := s.memoryArgs(e, args)
	for i := 0; i < len(data); i += 16 {
		row := data[i:min(i+16, len(data))]
		fmt.Fprintf(s.Out, "%8d  % x", from+int64(i), row)
		for k := 0; k+4 <= len(row); k += 4 {
			f := &kernel.Array{Elem: ir.F32, Shape: []int64{1}, Data: row[k : k+4]}
			fmt.Fprintf(s.Out, "  %g", float32(f.Float(0)))
		}
		fmt.Fprintln(s.Out)
	}
	return err
}

// printFlags writes the signals that are raised, in the order in which they were first
// raised.
func (s *Stepper) printFlags() {
	names, counts := s.Flags()
	for i, name := range names {
		fmt.Fprintf(s.Out, "%s: raised %s\n", name, ir.Count(counts[i], "time"))
	}
	if names == nil {
		fmt.Fprintln(s.Out, "no signal is raised")
	}
}
