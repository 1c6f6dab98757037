package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// ptoasFlag is an option of the public assembler ptoas that pto-opt knows, but
// has no meaning for.
type ptoasFlag struct {
	name  string
	value string // what it takes, "" for a switch
	about string
	then  reaction
}

// reaction is what pto-opt does about an option of ptoas.
type reaction uint8

const (
	warn   reaction = iota // it has no effect here
	ignore                 // nor in ptoas
	refuse                 // without it the output is not what was asked for
)

// backendFlag chooses between C++ and an object.
const backendFlag = "pto-backend"

// ptoasFlags are the options of ptoas, apart from those that optTool.define
// gives a meaning.
var ptoasFlags = []ptoasFlag{
	{"emit-vpto", "", "asks for the program as ptoas lowers it, which pto-opt does not", refuse},
	{"emit-vpto-llvm-ir", "", "asks for LLVM IR with calls of the vendor's instructions; --emit=llvm writes LLVM IR that runs anywhere", refuse},
	{"vpto-print-ir", "", "asks for the program as ptoas lowers it, which pto-opt does not", refuse},
	{"dump-vpto-ir", "", "asks for the program as ptoas lowers it, which pto-opt does not", refuse},
	{"pto-print-seam-ir", "", "asks for the program as ptoas lowers it, which pto-opt does not", refuse},
	{"pto-seam-ir-file", "path", "asks for the program as ptoas lowers it, which pto-opt does not", refuse},
	{"emit-addptr-trace", "", "asks for comments on offsets of pointers in C++", warn},
	{"dump-vfsim-unroll-test", "", "asks for times of a simulator that pto-opt does not have", refuse},

	{backendFlag, "emitc|vpto", "chooses how ptoas makes code", warn},
	{"cann-output-version", "version", "chooses the toolchain that ptoas makes code for", warn},
	{"enable-tile-op-expand", "", "means nothing to ptoas any more", ignore},
	{"plan-memory-impl", "legacy|modern", "chooses among the planners of ptoas; pto-plan-memory is ours", warn},
	{"plan-memory-order-by-size", "", "adjusts the planner of ptoas; pto-plan-memory is ours", warn},
	{"pto-insert-sync-debug", "N", "makes ptoas report how it inserts synchronization", warn},
	{"enable-bufid-sync-debug", "", "makes ptoas report how it inserts synchronization", warn},
	{"enable-op-fusion", "", "makes code faster that ptoas writes", warn},
	{"enable-unroll-after-loop-fusion", "", "makes code faster that ptoas writes", warn},
	{"enable-shape-inference", "", "makes code faster that ptoas writes", warn},
	{"enable-vfsim-costmodel-optimization", "", "makes code faster that ptoas writes", warn},
	{"enable-vexpdif-fusion", "", "makes code faster that ptoas writes", warn},
	{"enable-vpto-soft-postupdate", "", "makes code faster that ptoas writes", warn},
	{"vpto-lowering-strategy", "post-update|no-post-update", "adjusts how ptoas makes code", warn},
	{"vpto-scheduler", "off|analyze|on", "adjusts how ptoas makes code", warn},
	{"vmi-prefer-lane-stride-narrowing", "true|false", "adjusts how ptoas makes code", warn},
	{"disable-infer-layout", "", "adjusts how ptoas makes code", warn},
	{"vpto-fix-vfsimt-size", "auto|off|verify", "adjusts how ptoas makes code", warn},
	{"vpto-disable-align-chain-verification", "", "leaves out a check of the code that ptoas makes", warn},
	{"simt-fastmath", "", "is for the vendor's compiler", warn},
	{"bisheng-vf-auto-sync", "off|fused|global", "is for the vendor's compiler", warn},
	{"enable-bisheng-vec-misched", "", "is for the vendor's compiler", warn},
}

// ptoasValue is one use of an option of ptoas.
type ptoasValue struct {
	*ptoasFlag
	given string
}

func (v *ptoasValue) String() string { return v.given }
func (v *ptoasValue) Type() string   { return cmp.Or(v.value, "bool") }

// Set reports a value that ptoas does not take either.
func (v *ptoasValue) Set(s string) error {
	choices := strings.Split(cmp.Or(v.value, "true|false"), "|")
	if len(choices) > 1 && !slices.Contains(choices, s) {
		return fmt.Errorf("expected %s", strings.Join(choices, " or "))
	}
	v.given = s
	return nil
}

// definePtoas adds the options of ptoas, out of sight of --help and of
// completion.
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

// checkPtoas reports which of the given options of ptoas mean nothing here. It
// returns an error for one whose output the user would miss, and for more files
// than the one that ptoas takes.
func (t *optTool) checkPtoas(fs *pflag.FlagSet) error {
	if t.flags.asPtoas && fs.NArg() > 1 {
		return fmt.Errorf("too many files: ptoas takes one, and %s is another; pto-opt takes several", fs.Arg(1))
	}
	for _, f := range ptoasFlags {
		given := fs.Lookup(f.name).Value.String()
		switch {
		case given == "" || given == "false":
		case f.name == backendFlag && given == "vpto" && t.flags.asPtoas && !t.flags.emitPTO:
			return errors.New("--pto-backend=vpto asks for an object that the vendor's compiler makes. " + noToolchain + "; C++ for that compiler is written with --pto-backend=emitc")
		case f.then == ignore || f.name == backendFlag && t.flags.asPtoas:
		case f.then == refuse:
			return fmt.Errorf("--%s %s", f.name, f.about)
		default:
			fmt.Fprintf(t.err, "%s: warning: --%s has no effect: it %s\n", t.tool, f.name, f.about)
		}
	}
	return nil
}

// PtoasOptions is a page on what pto-opt does with the options of ptoas.
func PtoasOptions() string {
	var b strings.Builder
	b.WriteString(`# Options of ptoas

Made by "go run ./tools/docs/gen"; do not edit.

pto-opt accepts every option of the public assembler ptoas. These mean the same in both: --pto-arch, --pto-level,
--emit-pto-ir, -o, --version and the --mlir options. --enable-insert-sync, --enable-graph-sync-solver with
--graph-sync-solver-event-id-max, --enable-bufid_sync and --enable-inject-barrier-all-sync run the pass pto-insert-sync in
one of its modes. The table lists what pto-opt does with all others.

Under the name ptoas, or with --as-ptoas, pto-opt behaves like ptoas. It writes C++, or with --emit-pto-ir the program after the
passes. It assumes --pto-level=level2. Every failure has exit code 1. It rejects --pto-backend=vpto and modules with
pto.backend = "vpto", because they ask for an object that only the vendor's compiler can make.

| option | pto-opt | since it |
|---|---|---|
`)
	for _, f := range ptoasFlags {
		does := "warns"
		switch f.then {
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
