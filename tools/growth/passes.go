// This file measures every pass on the programs that it accepts.

package main

import (
	"io"
	"slices"
	"strings"

	"ptogo/internal/cli"
	"ptogo/lower"
	"ptogo/passes"
)

// kinds are the programs on which passes are measured.
var kinds = []struct {
	name    string
	n, most int
	text    func(n int) string
}{
	{"chain", 50, 0, chain},
	{"fan", 50, mostTiles, fan},
	{"loops", 50, 0, loops},
	{"branches", 50, 0, branches},
	{"products", 100, 0, products},
	{"calls", 100, 0, calls},
	{"call chain", 50, 0, callChain},
	{"basic blocks", 50, 0, basicBlocks},
	{"constants", 200, 0, constantChain},
	{"results", 100, 0, results},
	{"carried values", 50, 0, carried},
	{"constant rotation", 50, 0, constantRotation},
	{"block arguments", 20, 0, blockArguments},
	{"cases", 100, 0, cases},
	{"index cases", 100, 0, indexCases},
	{"always", 20, 900, always},
	{"invariants", 5, 0, invariants},
	{"vector in order", 50, 0, inOrder},
	{"vector at once", 50, 0, atOnce},
	{"vector in a loop", 50, 0, inLoop},
	{"vector scattered", 100, 0, scattered},
	{"virtual chain", 50, 0, vmiChain},
	{"virtual conversions", 20, 0, conversions},
}

// prefixes are the passes that can prepare a program for another pass, the shortest first.
var prefixes = []string{
	"",
	"--pto-bufferize",
	"--pto-bufferize --pto-plan-memory",
	"--pto-bufferize --pto-fusion-plan --pto-op-scheduling --pto-fusion-region-gen",
	"--vmi-layout-assignment",
}

// PassShapes returns, for each pass of pto-opt, the programs that it changes, and the
// programs of the instructions that it is for. If there are none, the first program that
// the pass accepts must do.
func PassShapes() (all []Shape) {
	for _, p := range append(slices.Clone(lower.List), passes.List...) {
		pass := p.Name
		var accepted []Shape
		concerns := false
		for _, k := range kinds {
			for _, prefix := range prefixes {
				before := append([]string{"--mlir-disable-threading", "--pto-arch=a5"}, strings.Fields(prefix)...)
				// strip-debuginfo changes nothing here, but a pipeline names the target in its output.
				from, ok := output(append(before, "--strip-debuginfo"), k.text(8))
				if !ok {
					continue
				}
				args := append(before, "--"+pass)
				to, ok := output(args, k.text(8))
				if !ok {
					continue
				}
				s := Shape{"pass/" + pass + " of " + k.name, k.n, k.most, k.text, with(cli.Opt, 0, args...)}
				if concerned := from != to || isFor(pass, k.name); concerned && !concerns {
					accepted, concerns = []Shape{s}, true
				} else if concerned || len(accepted) == 0 {
					accepted = append(accepted, s)
				}
				break
			}
		}
		all = append(all, accepted...)
	}
	return all
}

// output returns what pto-opt writes for a program, and whether it accepts the program.
func output(args []string, text string) (string, bool) {
	var out strings.Builder
	code := cli.Opt(append(args, "-"), strings.NewReader(text), &out, io.Discard)
	return out.String(), code == 0
}

// isFor reports whether the name of a pass says that it works on the instructions of a kind
// of program.
func isFor(pass, kind string) bool {
	return strings.Contains(pass, "vpto") && strings.HasPrefix(kind, "vector") || strings.Contains(pass, "vmi") && strings.HasPrefix(kind, "virtual")
}
