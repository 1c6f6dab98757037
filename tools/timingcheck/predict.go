package main

import (
	"embed"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

//go:embed kernels/*.pto
var kernels embed.FS

// launch is a kernel with its arguments, for which the model predicts a time.
type launch struct {
	file, kernel, chip string
	// text is the text of the program, if it is not in a file.
	text string
	// pipeline is the text of a pass pipeline that changes the program before the launch.
	pipeline string
	blocks   int
	warm     bool
	// changes lists changes of model constants, such as l2.dirty=1, that describe the
	// conditions under which the source made the measurement.
	changes []string
	// work is a number of bytes that is added to the size of the buffers when the test
	// decides whether the launch is too large. It represents computation that the buffers
	// do not show.
	work int64
	// args are the arguments of the kernel; a pointer argument is a *buffer.
	args []any
}

// buffer is an argument of a predicted launch: an array of zeros, whose size is given in
// bytes.
type buffer struct{ bytes int64 }

// key returns text that identifies the launch in the cache of predictions.
func (l *launch) key() string {
	s := fmt.Sprint(l.file, l.kernel, l.chip, l.blocks, l.warm, l.changes, l.text, l.pipeline)
	for _, a := range l.args {
		if b, ok := a.(*buffer); ok {
			a = b.bytes
		}
		s += fmt.Sprint(" ", a)
	}
	return s
}

// results caches the predicted result of each launch by its key, because several
// published measurements may belong to the same launch.
var results = map[string]*timing.Result{}

// predict returns the predicted time of a launch. It returns errLarge if the launch is
// too large for the test.
func predict(l *launch) (*timing.Result, error) {
	if r := results[l.key()]; r != nil {
		return r, nil
	}
	if mostBytes > 0 && l.bytes() > mostBytes {
		return nil, errLarge
	}
	text := l.text
	if text == "" {
		b, err := kernels.ReadFile("kernels/" + l.file)
		if err != nil {
			return nil, err
		}
		text = string(b)
	}
	prog, err := l.load(text)
	if err != nil {
		return nil, err
	}
	if d := runtime.DataDependence(prog.Module); d != nil {
		return nil, fmt.Errorf("%s", d.Text)
	}
	rec := timing.NewRecorder()
	plan, err := prog.Plan(runtime.Options{Blocks: max(l.blocks, 1), SkipArithmetic: true, Workers: goruntime.GOMAXPROCS(0), Listeners: []runtime.Listener{rec}})
	if err != nil {
		return nil, err
	}
	var args []any
	for _, a := range l.args {
		if b, ok := a.(*buffer); ok {
			a = runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, b.bytes)}}
		}
		args = append(args, a)
	}
	if err := plan.Run(args...); err != nil {
		return nil, err
	}
	target := prog.Target
	if target == 0 {
		target = ir.TargetOf(prog.Module)
	}
	chip, err := timing.ChipFor(l.chip, target)
	if err != nil {
		return nil, err
	}
	if chip, err = chip.With(slices.Concat(l.changes, whatIf)...); err != nil {
		return nil, err
	}
	r, err := timing.Replay(rec, chip, timing.Options{Warm: l.warm})
	if err != nil {
		return nil, err
	}
	if report {
		fmt.Println(l.key() + "\n" + r.Text())
	}
	results[l.key()] = r
	return r, nil
}

// report is the option to print the report of each launch.
var report bool

// whatIf are the changes of model constants that the option -what-if requests.
var whatIf []string

// quickBytes limits the launches that the Go tests of this package predict: it is the
// maximum total size in bytes of the buffers of a launch. The tests skip the measurements
// of larger launches.
const quickBytes = 64 << 20

// mostBytes is the maximum total size of the buffers of a launch, in bytes. Launches with
// larger buffers are not predicted. If it is 0, the size is not limited.
var mostBytes int64

var errLarge = errors.New("too large for a test")

// bytes returns the total size in bytes of the buffers of a launch.
func (l *launch) bytes() int64 {
	n := l.work
	for _, a := range l.args {
		if b, ok := a.(*buffer); ok {
			n += b.bytes
		}
	}
	return n
}

// quick returns those of the given measurements that the test can predict quickly: the
// total size of the buffers of the measured launch is small.
func quick(rows []*row) (few []*row) {
	for _, r := range rows {
		if r.bytes <= quickBytes {
			few = append(few, r)
		}
	}
	return few
}

// predictAll predicts the measurement of each row that belongs to a family of kernels. It
// returns all rows, followed by the rows that busyRows derives from them. If a prediction
// fails, predictAll stores the error message in the field problem of the row.
func predictAll(rows []*row) []*row {
	for _, r := range rows {
		for _, f := range families {
			if !strings.HasPrefix(r.kernel, f.kernel) {
				continue
			}
			if f.predict != nil {
				if err := f.predict(r); err != nil {
					r.problem = strings.SplitN(err.Error(), "\n", 2)[0]
				}
			}
			break
		}
	}
	return slices.Concat(rows, busyRows(rows), expandedRows(rows))
}

// busyRows returns additional rows for the time in which a pipe is busy. Some published
// rows contain the percentage of time in which one pipe is busy, and another row contains
// the total time of the same kernel. The product of both is the busy time. The additional
// rows test the predicted work of a pipe independently of the predicted total time.
func busyRows(rows []*row) (busy []*row) {
	times := map[string]*row{}
	for _, r := range rows {
		if what, ok := strings.CutSuffix(r.kernel, " time"); ok && r.class != "" && r.problem == "" {
			times[what+r.shape+r.elem] = r
		}
	}
	for _, r := range rows {
		what, _, _ := strings.Cut(r.kernel, " ")
		whole := times[what+r.shape+r.elem]
		if whole == nil || r.pipe == "" || r.class == "" || r.problem != "" {
			continue
		}
		b := *r
		b.class, b.unit = r.pipe+" busy, "+whole.class, whole.unit
		b.value, b.predicted = r.value/100*whole.value, r.predicted/100*whole.predicted
		busy = append(busy, &b)
	}
	return busy
}

// share returns the predicted percentage of time in which a pipe is busy. It uses the
// definition of profilers: the busy time of the pipe, averaged over the cores that
// worked, divided by the total time of the launch.
func share(r *timing.Result, pipe string) float64 {
	for _, u := range r.Units {
		for _, p := range u.Pipes {
			if p.Name == pipe {
				return 100 * p.Flying / (r.Total() * r.Clock())
			}
		}
	}
	return 0
}
