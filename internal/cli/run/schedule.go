// This file runs kernels on random schedules (--schedule).

package run

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ptogo/internal/cli/exit"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/runtime"
)

// scheduleMode runs kernels on random schedules (--schedule). Its text is the value of the option.
type scheduleMode struct{ text string }

// check returns an error if the value of --schedule is malformed.
func (m *scheduleMode) check(*runFlags) error {
	_, err := parseSchedule(m.text)
	return err
}

// parsed returns the value of --schedule.
func (m *scheduleMode) parsed() schedule {
	s, _ := parseSchedule(m.text) // check has read it
	return s
}

// used reports whether the command line requests random schedules.
func (m *scheduleMode) used() bool { return m.parsed().runs > 0 }

// orders returns a phrase for the reports of checkers. It describes in which orders the run
// has executed instructions: the order of the text, and possibly random orders in which pipes
// (hardware queues) run ahead of each other.
func (m *scheduleMode) orders() string {
	if s := m.parsed(); s.runs > 0 {
		return fmt.Sprintf("the order of the text, followed by %d random ones", s.runs)
	}
	return "the order of the text"
}

// schedule is the value of --schedule: the number of random schedules to run, and the
// seed of the first one. A schedule is an order in which the pipes execute
// instructions.
type schedule struct {
	runs int
	seed uint64
}

// mostSchedules is the maximum number of random schedules in a run.
const mostSchedules = 1 << 20

// parseSchedule parses the value of --schedule: program, random:N or random:N:SEED.
func parseSchedule(text string) (schedule, error) {
	if text == "" || text == "program" {
		return schedule{}, nil
	}
	parts := strings.Split(text, ":")
	bad := fmt.Errorf("--schedule is %q: expected program, random:N or random:N:SEED, with N from 1 to %d and a SEED above 0", text, mostSchedules)
	if parts[0] != "random" || len(parts) < 2 || len(parts) > 3 {
		return schedule{}, bad
	}
	s := schedule{seed: 1}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 1 || n > mostSchedules {
		return schedule{}, bad
	}
	s.runs = n
	if len(parts) == 3 {
		if s.seed, err = strconv.ParseUint(parts[2], 10, 63); err != nil || s.seed == 0 {
			return schedule{}, bad
		}
	}
	return s, nil
}

// execute runs kernels several times: first in program order, by calling the function
// run, and then on random schedules. It reports an error unless all runs leave the same
// contents in all arguments. It returns the exit code.
func (m *scheduleMode) execute(l *launch, o runtime.Options, run way) int {
	s := m.parsed()
	start := data.Take(l.args, l.prog.Kernels, l.ranks)
	if code := run(o); code != exit.OK {
		return code
	}
	fmt.Fprintf(l.Err, "pto-run: %s, seeds %d to %d\n", ir.Count(s.runs, "random schedule"), s.seed, s.seed+uint64(s.runs)-1)
	for i := range s.runs {
		o.Seed, o.Listeners, o.Out, o.Warn = s.seed+uint64(i), nil, io.Discard, nil
		ok, code := onSchedule(l, start, o)
		if code != exit.OK {
			return code
		}
		if !ok {
			l.found = true
			return exit.OK // what program order gave is shown all the same
		}
	}
	return exit.OK
}

// onSchedule runs kernels on one random schedule. The result same reports whether the
// resulting arrays are the same as after the run in program order, and the result code is
// the exit code. The parameter start contains the initial contents of the arrays.
func onSchedule(l *launch, start *data.Snapshot, o runtime.Options) (same bool, code int) {
	args := l.args
	plan, err := l.prog.Plan(o)
	if err != nil {
		return false, l.Failed(err)
	}
	values, fresh := make([]any, len(args)), start.Fresh()
	for i, v := range fresh {
		values[i] = v
	}
	if err := plan.Run(values...); err != nil {
		fmt.Fprintf(l.Err, "pto-run: on the schedule of seed %d, which program order does not show (again with --schedule=random:1:%d):\n", o.Seed, o.Seed)
		return false, l.fault(err)
	}
	for i := range fresh {
		buf := fresh[i].Buf
		if buf == nil || buf == args[i].Value.Buf {
			continue
		}
		if at, n := differs(buf.Data, args[i].Value.Buf.Data); n > 0 {
			fmt.Fprintf(l.Err, "pto-run: error: the schedule of seed %d leaves other numbers in argument %d%s%s than program order: %s from byte %d on [race]\n"+
				"pto-run: note: --check=race,sync reports which accesses are not ordered; --schedule=random:1:%d runs this schedule again\n",
				o.Seed, i%(len(args)/max(l.ranks, 1)), l.rankSuffix(i), named(buf.Name), ir.Count(n, "byte"), at, o.Seed)
			return false, exit.OK
		}
	}
	return true, exit.OK
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// differs returns the index of the first byte in which a and b differ, and the number
// of differing bytes.
func differs(a, b []byte) (first, n int) {
	for i := range a {
		if a[i] != b[i] {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}
