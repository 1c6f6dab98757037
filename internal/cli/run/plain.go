// This file runs kernels without checkers, and checks small ones for certain errors.

package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// These constants determine which kernels are small. After a run without --check, a small
// kernel runs again with the checkers of initialization and memory. Findings that are
// certainly mistakes are printed as warnings. The limits ensure that no run becomes
// noticeably slower.
const (
	// certainSteps is the maximum number of operations that a small kernel executes.
	certainSteps = 20_000
	// certainWork is the maximum number of operations multiplied by the bytes of the largest
	// tile: the checkers need time for each byte.
	certainWork = 32 << 20
	// certainBytes is the maximum size in bytes of the arguments of a small kernel.
	certainBytes = 16 << 20
)

// executePlain runs kernels without checkers. If the arguments are small and the run
// succeeds, it runs the kernels again to find results that certainly depend on
// uninitialized memory, and warns about them. It returns the exit code of the first run.
func executePlain(l *launch, o runtime.Options) int {
	hintCheck(l)
	size := 0
	for _, a := range l.args {
		if b := a.Value.Buf; b != nil {
			size += len(b.Data)
		}
	}
	if l.quiet || size > certainBytes || len(o.Listeners) > 0 {
		return l.runPlan(l.prog, l.args, o)
	}
	few := o
	if most := min(certainSteps, certainWork/largestTile(l.prog.Kernels)); few.MaxSteps == 0 || few.MaxSteps > most {
		few.MaxSteps = most
	}
	again := repeat(l.prog, l.args, few)
	code := l.runPlan(l.prog, l.args, o)
	if code == exit.OK {
		warnCertain(l, again, o.ScratchFill)
	}
	return code
}

// largestTile returns the size in bytes of the largest tile in the kernels, but at least 1.
func largestTile(kernels []*ir.Op) int64 {
	size := int64(1)
	for _, k := range kernels {
		for op := range k.Walk() {
			for _, v := range op.Results() {
				if t, ok := pto.TileOf(v.Type()); ok {
					size = max(size, t.Bytes())
				}
			}
		}
	}
	return size
}

// warnCertain warns about certain mistakes in a small kernel even if --check is not
// given. It runs the kernel several times, and each time uninitialized memory has another
// byte value. If a result differs between the runs, it certainly depends on uninitialized
// memory. The parameter again is a function that runs the kernel with a given byte value.
// The parameter fill is the byte value of the first run.
func warnCertain(l *launch, again func(r *check.Run) error, fill byte) {
	c, _ := check.New(check.Options{Kinds: []check.Kind{check.Init, check.Mem}})
	if again(&check.Run{Fill: fill, Listener: c}) != nil {
		return // the kernel is too large to run again
	}
	c.Confirm(again)
	for _, r := range c.Reports() {
		if r.Severity == ir.Remark || l.warned[r.Loc] {
			continue
		}
		d := r.Diag()
		d.Severity = ir.Warning
		l.TellFinding(report.Finding{Diag: d, Report: r})
	}
}

// hintCheck prints a note that the user can check the kernels with the option --check. It
// does so only on a terminal and if the kernels contain synchronization, and only once for
// each text of the kernels.
func hintCheck(l *launch) {
	kernels := l.prog.Kernels
	if l.quiet || !report.IsTerminal(report.Raw(l.Err)) || !notes.Synchronizes(kernels) {
		return
	}
	sum := sha256.New()
	for _, k := range kernels {
		io.WriteString(sum, k.String())
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return
	}
	mark := filepath.Join(base, "ptogo", "hints", hex.EncodeToString(sum.Sum(nil)[:8]))
	if _, err := os.Stat(mark); err == nil || os.MkdirAll(filepath.Dir(mark), 0o755) != nil || os.WriteFile(mark, nil, 0o644) != nil {
		return
	}
	fmt.Fprintf(l.Err, "%s: note: instructions run in the order of the text here; --check=all looks for races and misused flags in @%s\n", l.Tool, ir.Visible(fn.Name(kernels[0])))
}
