// This file reports warnings and faults of a run, and notes about its arguments.

package run

import (
	"errors"
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// warn prints a suspicious event of a run as a warning, only once for each source
// position, even if several blocks report it.
func (l *launch) warn(f *runtime.Fault) {
	d := f.Diag()
	d.Severity = ir.Warning
	l.warning.Lock()
	defer l.warning.Unlock()
	if l.warned[f.Loc] {
		return
	}
	if l.warned == nil {
		l.warned = map[ir.Loc]bool{}
	}
	l.warned[f.Loc] = true
	l.TellFinding(report.Finding{Diag: d, Fault: f})
}

// fault reports the error that stopped the kernel as a diagnostic, and returns the exit
// code.
func (l *launch) fault(err error) int {
	var f *runtime.Fault
	if !errors.As(err, &f) {
		l.Fail("%v", err)
		return exit.Fault
	}
	d := f.Diag()
	var found *check.Report
	if l.checking != nil {
		if found = l.checking.explain(f); found != nil {
			d = found.Diag()
		}
	}
	if f.Behind > 0 && f.Range != nil {
		l.noteFault(d, f.Range.Buffer, f.Behind)
	}
	l.TellFinding(report.Finding{Diag: d, Fault: f, Report: found})
	return exit.Fault
}

// maxPadding is the largest distance in bytes past the end of a buffer at which an
// access is probably covered by padding of a device's allocator.
const maxPadding = 512

// noteFault adds possible causes to a fault at an address past the end of an array: wrong
// strides of a view, or a wrong size of the array. The int argument is the index of the
// array. The last argument is the distance in bytes from the end of the array to the
// address.
func (l *launch) noteFault(d *ir.Diag, buffer int, behind int64) {
	if views, size := l.viewsOf(buffer); len(views) > 0 {
		v := notes.Farthest(views)
		elem := ir.ElementType(v.Op.Operand(0).Type())
		strides, packed := v.Packed()
		switch bytes := int64(pto.ByteSize(elem)); {
		case packed*bytes <= size && v.Elements*bytes > size:
			d.Note(v.Op.Loc(), fmt.Sprintf("with strides %s this view of shape %s ends at element %d; strides %s make it contiguous, with %d elements",
				notes.Joined(v.Strides, ", "), notes.Joined(v.Shape, "x"), v.Elements, notes.Joined(strides, ", "), packed))
			return
		case v.Elements*bytes > size:
			d.Note(v.Op.Loc(), fmt.Sprintf("this view needs an array of %d bytes, such as zeros=%sx%s, but the array has %d", v.Elements*bytes, notes.Joined(v.Shape, "x"), elem, size))
			return
		}
	}
	if behind > int64(l.flags.gmSlack) && behind <= maxPadding {
		d.Note(ir.Loc{}, "devices pad their allocations: if the kernel relies on that, use --gm-slack=BYTES")
	}
}

// viewsOf returns the views that the kernel creates from one pointer parameter, and the
// size in bytes of the array that was passed for this parameter. The parameter buffer is
// the index of the kernel parameter. If no array was passed for it, the views are nil and
// the size is 0.
func (l *launch) viewsOf(buffer int) (views []notes.View, size int64) {
	if l.prog == nil || buffer < 0 || buffer >= len(l.args) || l.args[buffer].Array == nil {
		return nil, 0
	}
	args := fn.Body(l.prog.Entry()).Args()
	if buffer >= len(args) {
		return nil, 0
	}
	views, _ = notes.ViewsOf(args[buffer])
	return views, int64(len(l.args[buffer].Array.Data))
}

// note prints notes about a launch, but only for the first run of a program.
func (l *launch) note(texts []string) {
	if l.quiet {
		return
	}
	for _, text := range texts {
		fmt.Fprintf(l.Err, "%s: note: %s\n", l.Tool, text)
	}
}
