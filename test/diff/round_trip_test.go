package diff

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"ptogo/frontend/cpp"
	"ptogo/runtime"
	"ptogo/tools/cpproundtrip"
	"ptogo/tools/cpptest"
)

var (
	roundTripUses  = flag.Int("round-trip-uses", 0, "let TestRoundTripInstructions write `N` uses of each tile instruction as C++ and read them back; 0 means one use of some instructions")
	roundTripTable = flag.String("round-trip-table", "", "write the results of TestRoundTripInstructions as a table to `FILE`")
)

// notReadYet are the instructions with uses whose C++ does not come back: constants of
// 8-bit floats.
var notReadYet = map[string]bool{"pto.tsetval": true}

// perModule is the number of kernels that are compiled together.
const perModule = 40

// TestRoundTripInstructions writes kernels with uses of tile instructions as C++, reads
// them back and compares both programs. An instruction that can be written as C++ must come
// back, and the C++ must compute the same bytes. The page about round trips names the
// limits of proofs, and instructions that the library performs with others.
func TestRoundTripInstructions(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	uses, every := *roundTripUses, 1
	if uses == 0 {
		uses, every = 1, 8
	}
	byProfile := map[string][]*cpptest.Case{}
	for i, c := range instructionCases(sampling{seed: 7, tries: 40, most: uses}, func(*use, int) numbers { return cpptest.Calm }, nil) {
		if i%every == 0 {
			byProfile[c.Source.Arch] = append(byProfile[c.Source.Arch], c)
		}
	}
	var all []cpproundtrip.Case
	for _, profile := range []string{"a3", "a5"} {
		for cases := byProfile[profile]; len(cases) > 0; {
			n := min(perModule, len(cases))
			all = append(all, roundTripOf(profile, cases[:n])...)
			cases = cases[n:]
		}
	}
	for _, c := range all {
		if name := strings.Fields(c.Program)[1]; !notReadYet[name] && (c.Outcome == cpproundtrip.NotRead || c.Outcome == cpproundtrip.OtherBytes) {
			t.Errorf("%s: %s: %s", c.Program, c.Outcome, c.Reason)
		}
	}
	if *roundTripTable != "" {
		if err := os.WriteFile(*roundTripTable, []byte(cpproundtrip.Table(all)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// roundTripOf compares the kernels of several cases, which become one program. If the
// program cannot be written or read, each kernel is a program of its own.
func roundTripOf(profile string, cases []*cpptest.Case) (all []cpproundtrip.Case) {
	var functions []string
	var launches []cpproundtrip.Launch
	for i, c := range cases {
		name := fmt.Sprint("k", i)
		_, body, _ := strings.Cut(c.Source.Text, "{\n")
		functions = append(functions, strings.Replace(strings.TrimSuffix(body, "}\n"), "@k(", "@"+name+"(", 1))
		launches = append(launches, cpproundtrip.Launch{Kernels: name, Args: argumentsOf(c)})
	}
	p := cpproundtrip.Program{Name: "instructions.pto", Text: inModule(profile, functions...), Arch: profile}
	all = p.Compare(launches)
	if o := all[0].Outcome; len(cases) > 1 && (o == cpproundtrip.NotWritten || o == cpproundtrip.NotRead) {
		half := len(cases) / 2
		return append(roundTripOf(profile, cases[:half]), roundTripOf(profile, cases[half:])...)
	}
	for i, c := range cases {
		all[i].Program, all[i].Launch = c.Name, "k"
	}
	return all
}

// argumentsOf returns the arguments of a case.
func argumentsOf(c *cpptest.Case) []runtime.Arg {
	var args []runtime.Arg
	for _, a := range c.Args {
		if a.Data == nil {
			args = append(args, runtime.Arg{Bits: a.Bits})
			continue
		}
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: a.Data}})
	}
	return args
}
