// This file lets pto-opt accept command lines of the public assembler ptoas.

package opt

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// ptoasName is the executable name of the public assembler ptoas. pto-opt can be
// installed under this name.
const ptoasName = "ptoas"

// asPtoas is the option that makes pto-opt behave like ptoas. Installing pto-opt under
// the name ptoas has the same effect.
const asPtoas = "as-ptoas"

// MainAs is pto-opt under another executable name. Under the name ptoas, for example
// through a symbolic link, it accepts the command lines of ptoas.
func MainAs(name string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if strings.TrimSuffix(filepath.Base(name), ".exe") == ptoasName {
		args = slices.Insert(slices.Clone(args), 0, "--"+asPtoas)
	}
	return Main(args, stdin, stdout, stderr)
}

// ptoasMode makes pto-opt behave like ptoas.
type ptoasMode struct {
	on bool
	// wholeVec permits tiles near the end of vec memory, which some devices corrupt.
	wholeVec bool
	// postUpdate is an option of ptoas about loops of vector instructions.
	postUpdate bool
	// ownBackend means that the program says whether it wants C++ or an object.
	ownBackend bool
}

// asksForPtoas reports whether a command line contains option --as-ptoas. It works on
// the unparsed arguments, so that errors in the command line already mention ptoas.
func asksForPtoas(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == asPtoas && a != asPtoas })
}

// printVersion writes only the version of ptoas to standard output, because
// scripts compare it. The note that pto-opt replaces ptoas goes to standard error. It
// returns the exit code.
func (p *ptoasMode) printVersion(t *optTool) int {
	v, err := ptoasVersion(t.flags.public.imitated)
	if err != nil {
		return t.Usage("%v", err)
	}
	fmt.Fprintln(t.Streams.Out, ptoasName, v)
	fmt.Fprintln(t.Err, version.Text(), "in its place")
	return exit.OK
}

// setDefaults changes the defaults of options to those of ptoas. By default, ptoas reads a
// Level 2 program and writes C++.
func (p *ptoasMode) setDefaults(t *optTool, fs *pflag.FlagSet) {
	f := &t.flags
	if !fs.Changed("emit") && !f.emitPTO && !f.emitVPTO {
		f.emit = "cpp"
	}
	p.postUpdate = given(fs, postUpdateFlag) == "true"
	f.arch, f.level = strings.ToLower(f.arch), strings.ToLower(cmp.Or(f.level, "level2"))
	p.ownBackend = f.emit == "cpp" && !fs.Changed(backendFlag)
	// ptoas never uses more event IDs than the hardware has, whatever the option
	// allows.
	f.sync.eventIDs = min(f.sync.eventIDs, sem.EventIDs)
	f.passes.before = knownPasses(t, f.passes.before)
	f.passes.after = knownPasses(t, f.passes.after)
	f.passes.numbered = true
	if f.passes.pipeline == "" {
		f.passes.steps = append(wholeVec(deviceSteps(f.passes.steps, f.level, asPtoas)), passStep{pass: reservedBuffers})
		p.fuse(t, fs)
	}
}

// wholeVec adds an option to the step that runs the memory planner. With this option, the
// planner uses the whole vec memory, as ptoas does. Without it, the planner leaves the
// end of this memory unused, because some devices corrupt it.
func wholeVec(steps []passStep) []passStep {
	for i := range steps {
		if steps[i].pass.Name == "pto-plan-memory" && steps[i].options == "" {
			steps[i].options = "whole-vec=true"
		}
	}
	return steps
}

// warnPlanned warns about tiles at addresses near the end of vec memory. Some devices
// corrupt this part of the memory, so the pass pto-plan-memory does not place tiles in
// it.
func (p *ptoasMode) warnPlanned(t *optTool, module *ir.Op, diags *ir.Diags) {
	if p.on && !p.wholeVec && t.flags.level != "level3" {
		plan.WarnTop(module, t.target, diags)
	}
}

// checkSignals checks the functions for A2/A3 that use signals between cores. It reports
// an error and returns false if such a function does not contain pto.set_ffts, which sets
// the address of the signals. ptoas requires this instruction.
func (p *ptoasMode) checkSignals(t *optTool, module *ir.Op, diags *ir.Diags) bool {
	if !p.on || t.flags.emit != "cpp" || t.target == sem.A5 {
		return true
	}
	for _, f := range fn.Functions(module) {
		var signal *ir.Op
		placed := false
		for op := range f.Walk() {
			if isSignal(op) {
				signal = cmp.Or(signal, op)
			}
			register, ok := op.Def().Sem.(sem.WriteRegister)
			placed = placed || ok && register.Name == "FFTS"
		}
		if signal != nil && !placed {
			diags.Error(signal.Loc(), "'"+signal.Name()+"' op: A3 inter-core sync requires explicit `pto.set_ffts` in the same function")
			return false
		}
	}
	return true
}

// isSignal reports whether op raises or awaits a signal between cores.
func isSignal(op *ir.Op) bool {
	_, raises := op.Def().Sem.(sem.CrossSet)
	_, waits := op.Def().Sem.(sem.CrossWait)
	return raises || waits
}

// checkMoved applies the rules of ptoas to programs that change the address of a tile. It
// returns true if ptoas accepts the program, or if pto-opt was not called as ptoas. With
// options that insert synchronization, ptoas refuses such programs, because ptoas follows
// only the address of the allocation. In this case, checkMoved reports an error and
// returns false. Without ptoas options, pto-opt accepts such programs: it assumes that a
// tile with an unknown address may be anywhere in memory.
func (p *ptoasMode) checkMoved(t *optTool, module *ir.Op, diags *ir.Diags) bool {
	names, _ := t.flags.sync.modes()
	if !p.on || len(names) == 0 {
		return true
	}
	for op := range module.Walk() {
		if _, moves := op.Def().Sem.(sem.PlaceTile); moves {
			diags.Error(op.Loc(), op.Name()+" requires --"+names[0]+" to be disabled. It assigns another address to a tile, and the synchronization of ptoas does not track this address").
				Note(ir.Loc{}, "write the synchronization into the program, or use pto-opt --emit=cpp, which also inserts it into this program")
			return false
		}
	}
	return true
}

// noToolchain is the message of ptoas if an object file is requested and the vendor's
// compiler is missing. Frontends search for this text.
const noToolchain = "CANN toolchain is required but was not initialized"

// checkObject reports an error and returns false if the module requests an object file,
// because pto-opt cannot write object files. Programs of the frontend ptodsl request one
// by default.
func (p *ptoasMode) checkObject(t *optTool, module *ir.Op, diags *ir.Diags) bool {
	if !p.ownBackend {
		return true
	}
	for op := range module.Walk() {
		if backend, _ := op.Attr("pto.backend").AsString(); backend == "vpto" {
			diags.Error(op.Loc(), "requests an object file with pto.backend = \"vpto\", which only the vendor's compiler can make. "+noToolchain).
				Note(ir.Loc{}, "C++ for it is written with --pto-backend=emitc, --emit-pto-ir writes the program after the passes")
			return false
		}
	}
	return true
}

// reservedBuffers is a pass that changes nothing. In ptoas, the pass of this name assigns
// addresses to reserved buffers. In pto-opt, the memory planner has already assigned
// these addresses. The pass exists only for command lines of ptoas that refer to it, for
// example to print the program after it.
var reservedBuffers = &passes.Pass{
	Name: "pto-resolve-reserved-buffers", Title: "PTOResolveReservedBuffers",
	Doc: "Does nothing: pto-plan-memory has given reserved buffers their addresses.",
	Run: func(*passes.Context, *ir.Op) error { return nil },
}

// ptoasPasses maps names of passes of ptoas to names of passes of pto-opt.
var ptoasPasses = map[string]string{
	reservedBuffers.Name:          reservedBuffers.Name,
	"pto-graph-sync-solver":       "pto-insert-sync",
	"pto-bufid-sync":              "pto-insert-sync",
	"pto-inject-barrier-all-sync": "pto-insert-sync",
}

// knownPasses translates names of passes of ptoas to those of pto-opt, and drops names
// that have no counterpart.
func knownPasses(t *optTool, names []string) []string {
	var known []string
	for _, name := range names {
		if ours, ok := ptoasPasses[name]; ok {
			known = append(known, ours)
		} else if registry.Lookup(name) != nil {
			known = append(known, name)
		} else {
			fmt.Fprintf(t.Err, "%s: warning: there is no pass '%s' here to print the program around\n", t.Tool, name)
		}
	}
	return known
}

// Options of ptoas about the fusion of tile instructions.
const (
	fusionFlag = "enable-op-fusion"
	shapeFlag  = "enable-shape-inference"
	expDifFlag = "enable-vexpdif-fusion"
	// postUpdateFlag concerns all loops of vector instructions.
	postUpdateFlag = "enable-vpto-soft-postupdate"
)

// given returns the value of an option of ptoas, or "" if the command line lacks it.
func given(fs *pflag.FlagSet, name string) string { return fs.Lookup(name).Value.String() }

// checkFusion returns an error if the fusion of tile instructions is requested for a target
// without vector instructions.
func (p *ptoasMode) checkFusion(t *optTool, fs *pflag.FlagSet) error {
	if p.on && given(fs, fusionFlag) == "true" && t.flags.arch != "" && !strings.EqualFold(t.flags.arch, "a5") {
		return errors.New("--" + fusionFlag + " needs the vector instructions of a5, but --pto-arch is " + t.flags.arch)
	}
	return nil
}

// fuse adds the passes that --enable-op-fusion requests: those that find and mark
// the instructions that can share a loop, and with --emit-vpto those that make the loops.
func (p *ptoasMode) fuse(t *optTool, fs *pflag.FlagSet) {
	f := &t.flags
	if given(fs, fusionFlag) != "true" {
		return
	}
	if f.level == "level1" {
		fmt.Fprintf(t.Err, "%s: warning: --%s has no effect at level1, where tiles have no buffers yet\n", t.Tool, fusionFlag)
		return
	}
	last := fusion.MarkLastUse
	if given(fs, backendFlag) == "vpto" {
		last = fusion.FormRegions
	}
	for _, p := range []*passes.Pass{fusion.Plan, fusion.Schedule, last} {
		step := passStep{pass: p}
		if given(fs, shapeFlag) == "false" && p == fusion.Plan {
			step.options = shapeFlag + "=false"
		}
		f.passes.steps = insertStep(f.passes.steps, lower.DevicePath[1:], step)
	}
	if !f.emitVPTO {
		return
	}
	order := []*passes.Pass{fusion.Flatten, expand.Fuse}
	if given(fs, expDifFlag) == "true" { // which works on the loops in regions
		order = []*passes.Pass{expand.Fuse, fusion.ExpDif, fusion.Flatten}
	}
	for _, p := range order {
		f.passes.steps = append(f.passes.steps, passStep{pass: p})
	}
}

// ptoasVersion returns the version of ptoas that pto-opt prints if it runs under that
// name. Frontends compare it with the oldest version that they support. It states which
// texts and options pto-opt reads, and nothing else.
func ptoasVersion(flag string) (string, error) {
	for _, text := range []string{flag, os.Getenv(ptoasVersionVar)} {
		if text != "" {
			v, err := history.Parse(text)
			return v.String(), err
		}
	}
	return history.Last().String(), nil
}
