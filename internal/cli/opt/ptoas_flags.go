// This file lists the options of ptoas and how pto-opt treats each.

package opt

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// ptoasFlag is an option of the public assembler ptoas that pto-opt does not have.
// pto-opt recognizes it to explain the difference.
type ptoasFlag struct {
	name string
	// value is the name of the option's value, or "" for an option without a value.
	value string
	about string
	then  reaction
}

// reaction is how pto-opt responds to an option of ptoas that it does not have.
type reaction uint8

const (
	// warn means that pto-opt prints a warning, because the option has no effect in
	// pto-opt.
	warn reaction = iota
	// ignore means that pto-opt ignores the option silently, because it has no effect
	// in ptoas either.
	ignore
	// runPass means that pto-opt runs passes under the name ptoas. Otherwise it prints a
	// warning.
	runPass
	// refuse means that pto-opt reports an error, because ignoring the option would
	// produce other output than requested.
	refuse
)

// backendFlag is the option of ptoas that selects C++ or an object file as output.
const backendFlag = "pto-backend"

// ptoasFlags lists the options of ptoas that pto-opt does not have.
var ptoasFlags = []ptoasFlag{
	{"emit-vpto-llvm-ir", "", "requests LLVM IR with the vendor's intrinsics; pto-opt --emit=llvm writes portable LLVM IR", refuse},
	{"vpto-print-ir", "", "requests the IR of internal stages of ptoas, which pto-opt does not have", refuse},
	{"dump-vpto-ir", "", "requests the IR of internal stages of ptoas, which pto-opt does not have", refuse},
	{"pto-print-seam-ir", "", "requests the IR of internal stages of ptoas, which pto-opt does not have", refuse},
	{"pto-seam-ir-file", "path", "requests the IR of internal stages of ptoas, which pto-opt does not have", refuse},
	{"emit-addptr-trace", "", "requests comments about pointer offsets in the C++ code", warn},
	{"dump-vfsim-unroll-test", "", "requests times of a simulator that pto-opt does not have", refuse},

	{backendFlag, "emitc|vpto", "selects the code generator of ptoas", warn},
	{"cann-output-version", "version", "selects the toolchain for which ptoas generates code", warn},
	{"enable-tile-op-expand", "", "no longer has an effect in ptoas", ignore},
	{"plan-memory-impl", "legacy|modern", "selects a memory planner of ptoas; pto-opt has its own memory planner, pto-plan-memory", warn},
	{"plan-memory-order-by-size", "", "adjusts the memory planner of ptoas; pto-opt has its own memory planner, pto-plan-memory", warn},
	{"pto-insert-sync-debug", "N", "makes ptoas report how it inserts synchronization", warn},
	{"enable-bufid-sync-debug", "", "makes ptoas report how it inserts synchronization", warn},
	{fusionFlag, "", "enables the fusion of tile instructions, for which pto-opt has separate passes", runPass},
	{"enable-unroll-after-loop-fusion", "", "enables an optimization of ptoas", warn},
	{shapeFlag, "", "sets an option of the pass pto-fusion-plan, which pto-opt also has", runPass},
	{"enable-vfsim-costmodel-optimization", "", "enables an optimization of ptoas", warn},
	{expDifFlag, "", "enables pto-vexpdif-fusion, which is a pass of its own in pto-opt", runPass},
	{postUpdateFlag, "", "enables vpto-soft-postupdate, which is a pass of its own in pto-opt", runPass},
	{"vpto-lowering-strategy", "post-update|no-post-update", "adjusts the code generation of ptoas", warn},
	{"vpto-scheduler", "off|analyze|on", "adjusts the code generation of ptoas", warn},
	{"vmi-prefer-lane-stride-narrowing", "true|false", "adjusts the code generation of ptoas", warn},
	{"disable-infer-layout", "", "adjusts the code generation of ptoas", warn},
	{"vpto-fix-vfsimt-size", "auto|off|verify", "adjusts the code generation of ptoas", warn},
	{"vpto-disable-align-chain-verification", "", "disables a check of the code that ptoas generates", warn},
	{"simt-fastmath", "", "is for the vendor's compiler", warn},
	{"bisheng-vf-auto-sync", "off|fused|global", "is for the vendor's compiler", warn},
	{"enable-bisheng-vec-misched", "", "is for the vendor's compiler", warn},
}

// ptoasValue is one use of an option of ptoas on the command line.
type ptoasValue struct {
	*ptoasFlag
	given string
}

// String implements pflag.Value. It returns the text of the option's value.
func (v *ptoasValue) String() string { return v.given }
func (v *ptoasValue) Type() string   { return cmp.Or(v.value, "bool") }

// Set implements pflag.Value. If the option has a fixed list of values, Set returns an
// error for every other value, as ptoas does. Set accepts every value of all other
// options.
func (v *ptoasValue) Set(s string) error {
	choices := strings.Split(cmp.Or(v.value, "true|false"), "|")
	if len(choices) > 1 && !slices.Contains(choices, s) {
		return fmt.Errorf("expected %s", strings.Join(choices, " or "))
	}
	v.given = s
	return nil
}

// definePtoas adds the options of ptoas, hidden from --help and from completion.
func definePtoas(fs *pflag.FlagSet) {
	for i := range ptoasFlags {
		f := &ptoasFlags[i]
		flag := fs.VarPF(&ptoasValue{ptoasFlag: f}, f.name, "", f.about)
		flag.Hidden = true
		if f.value == "" {
			flag.NoOptDefVal = "true"
		}
	}
}

// check warns about options of ptoas that have no effect in pto-opt. It returns an
// error for options that request an output which pto-opt cannot write, such as an object
// file. If pto-opt runs under the name ptoas, several input files are an error too,
// because ptoas accepts only one.
func (p *ptoasMode) check(t *optTool, fs *pflag.FlagSet) error {
	if p.on && fs.NArg() > 1 {
		return fmt.Errorf("ptoas accepts only one file, but found also %s; pto-opt accepts several files", fs.Arg(1))
	}
	if err := p.checkFusion(t, fs); err != nil {
		return err
	}
	for _, f := range ptoasFlags {
		given := given(fs, f.name)
		switch {
		case given == "" || given == "false":
		case f.name == backendFlag && given == "vpto" && p.on && !t.flags.emitPTO && !t.flags.emitVPTO:
			return errors.New("--pto-backend=vpto requests an object file, which only the vendor's compiler can make. " + noToolchain + "; C++ for that compiler is written with --pto-backend=emitc")
		case f.then == ignore || f.then == runPass && p.on || f.name == backendFlag && (p.on || t.flags.emitVPTO):
		case f.then == refuse:
			return fmt.Errorf("--%s %s", f.name, f.about)
		default:
			fmt.Fprintf(t.Err, "%s: warning: --%s has no effect: it %s\n", t.Tool, f.name, f.about)
		}
	}
	return nil
}

// PtoasOptions returns the text of the reference page about the options of ptoas.
func PtoasOptions() string {
	var b strings.Builder
	b.WriteString(`# Options of ptoas

"go run ./tools/docs/gen" writes this page from the definitions of the options; do not edit it.

pto-opt recognizes every option of the public assembler ptoas. Some options mean the same in both tools: --pto-arch,
--pto-level, --emit-pto-ir, --emit-vpto, -o, --version and the --mlir options. Other options insert synchronization with
pto-opt's pass pto-insert-sync, each in another mode of the pass: --enable-insert-sync, --enable-graph-sync-solver with
--graph-sync-solver-event-id-max, --enable-bufid_sync and --enable-inject-barrier-all-sync. The table lists what
pto-opt does with all other options of ptoas.

If the executable has the name ptoas, or with the option --as-ptoas, pto-opt behaves like ptoas: it writes C++, or with
--emit-pto-ir the program after the passes, and assumes --pto-level=level2. If pto-opt behaves like ptoas, the exit code
of every failure is 1. pto-opt rejects --pto-backend=vpto without --emit-vpto, and modules with pto.backend = "vpto",
because these options request an object file, which only the vendor's compiler can write.

| option of ptoas | pto-opt | what the option does in ptoas |
|---|---|---|
`)
	for _, f := range ptoasFlags {
		does := "warns"
		switch f.then {
		case runPass:
			does = "runs passes under the name ptoas"
		case ignore:
			does = "ignores it"
		case refuse:
			does = "refuses it"
		}
		name := "--" + f.name
		if f.value != "" {
			name += "=" + strings.ReplaceAll(f.value, "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, does, f.about)
	}
	return b.String()
}
