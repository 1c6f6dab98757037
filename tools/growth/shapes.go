// This file lists the programs with the tools and options that work on them.

package main

import (
	"os"
	"path/filepath"
	"strings"

	"ptogo/internal/cli"
)

var (
	synced  = []string{"--enable-insert-sync", "--verify-sync"}
	planned = []string{"--pto-bufferize", "--pto-plan-memory"}
	fused   = []string{"--pto-arch=a5", "--pto-bufferize", "--pto-fusion-plan", "--pto-op-scheduling", "--pto-fusion-region-gen", "--pto-mark-last-use"}
	checked = "--check=all,redundant"
)

// mostTiles is about the number of tiles of 8x8 elements that fit into the memory of the vector
// core.
const mostTiles = 720

// Shapes returns the programs of this package with the tools that work on them.
func Shapes() []Shape {
	all := []Shape{
		{"names/siblings", 2000, 0, siblings, opt("--mlir-print-unique-ssa-ids")},
		{"names/siblings as C++", 1000, 0, siblings, opt("--emit=cpp")},
		{"names/siblings as LLVM IR", 1000, 0, siblings, opt("--emit=llvm")},
		{"names/clashes as C++", 500, 0, clashes, opt("--emit=cpp")},
		{"names/unknown functions", 1000, 0, unknownFunctions, with(cli.Opt, 1)},
		{"names/unknown values", 1000, 0, unknownValues, with(cli.Opt, 1)},
		{"names/unknown operations", 100, 0, unknownOperations, with(cli.Opt, 1)},
		{"names/users", 2000, 0, values, opt("--mlir-print-value-users")},
		{"names/later values", 1000, 0, laterValues, opt()},
		{"names/functions", 1000, 0, functions, opt()},
		{"names/functions on a line", 1000, 0, oneLine(functions), opt()},
		{"names/functions as C++", 1000, 0, functions, opt("--emit=cpp")},
		{"names/functions as LLVM IR", 1000, 0, functions, opt("--emit=llvm")},
		{"names/calls as C++", 500, 0, calls, opt("--emit=cpp")},
		{"names/calls as LLVM IR", 500, 0, calls, opt("--emit=llvm")},
		{"names/call chain as LLVM IR", 200, 0, callChain, opt("--emit=llvm")},
		{"names/call chain for the device", 200, 0, callChain, opt("--pto-plan-memory", "--pto-insert-sync")},
		{"text/entries of an attribute", 1000, 0, entries, opt()},
		{"text/errors on a line", 500, 0, oneLine(unknownValues), with(cli.Opt, 1)},
		{"text/basic blocks as C++", 500, 0, jumps, opt("--emit=cpp")},
		{"text/basic blocks as LLVM IR", 500, 0, jumps, opt("--emit=llvm")},
		{"text/programs", 1000, 0, programs, opt("--split-input-file")},
		{"text/expectations", 500, 0, expectations, with(cli.Opt, 1, "--verify-diagnostics")},
		{"text/expected patterns", 200, 0, patterns, with(cli.Opt, 1, "--verify-diagnostics")},
		{"text/attributes", 1000, 0, attributes, opt()},
		{"text/locations", 1000, 0, locations, opt("--mlir-print-debuginfo")},
		{"text/fused locations", 1000, 0, fusedLocations, opt("--mlir-print-debuginfo")},
		{"text/nested locations", 20, 900, nestedLocations, opt("--mlir-print-debuginfo")},
		{"text/unregistered", 1000, 0, unregistered, opt("--allow-unregistered-dialect")},
		{"text/elements", 10000, 0, elements, opt("--mlir-print-op-generic")},
		{"text/assembly form", 500, 0, chain, opt("--emit=pto-as")},
		{"scalars/switch as LLVM IR", 500, 0, cases, opt("--canonicalize", "--emit=llvm")},

		{"sync/pointers", 200, 0, pointers, opt(synced...)},
		{"sync/arguments", 200, 0, arguments, opt(synced...)},
		{"sync/selections", 40, mostTiles, selections, opt(synced...)},
		{"sync/rotation", 40, mostTiles, rotation, opt(synced...)},
		{"sync/subviews", 200, 0, subviews, opt(synced...)},
		{"sync/columns", 200, 0, columns, opt(synced...)},
		{"sync/partitions", 100, 0, partitions, opt(synced...)},
		{"sync/unknown partitions", 100, 0, unknownPartitions, opt(synced...)},
		{"sync/blocks", 50, 0, blocks, opt(synced...)},
		{"sync/crowd", 40, mostTiles, crowd, opt(synced...)},
		{"sync/window", 100, 0, window, opt(synced...)},
		{"sync/branches", 100, 0, branches, opt(synced...)},
		{"sync/loops", 100, 0, loops, opt(synced...)},
		{"sync/nest", 4, 0, nest, opt(synced...)},
		{"sync/ladder", 48, 0, ladder, opt(synced...)},
		{"sync/while loops in each other", 48, 0, whiles, opt(synced...)},
		{"sync/basic blocks", 50, 0, basicBlocks, opt(synced...)},
		{"sync/flags", 500, 0, flags, opt("--verify-sync")},
		{"sync/open flags", 500, 0, open, with(cli.Opt, 0, "--verify-sync")},
		{"sync/barriers", 1000, 0, barriers, opt("--verify-sync")},

		{"tiles/memory of a window", 200, 0, window, opt(planned...)},
		{"tiles/memory of a crowd", 40, mostTiles, crowd, opt(planned...)},
		{"tiles/selections that do not fit", 1000, 0, selections, with(cli.Opt, 1, synced...)},
		{"tiles/rotation that does not fit", 1000, 0, rotation, with(cli.Opt, 1, synced...)},
		{"tiles/map as HTML", 100, 0, window, opt("--memory-map=html")},
		{"tiles/map as JSON", 100, 0, window, opt("--memory-map=json")},
		{"tiles/map as SVG", 100, 0, window, opt("--memory-map=svg")},
		{"tiles/fusion of a chain", 100, 0, chain, opt(fused...)},
		{"tiles/fusion of a fan", 100, 0, fan, opt(fused...)},
		{"tiles/fusion of sums", 100, 0, sums, opt(fused...)},
		{"tiles/vector code", 50, 0, chain, opt("--pto-arch=a5", "--emit-vpto")},
		{"tiles/equivalence of passes", 50, 0, chain, opt("--pto-bufferize", "--pto-plan-memory", "--verify-equivalence")},
		{"tiles/LLVM IR of loops", 200, 0, loops, opt("--emit=llvm")},
		{"tiles/LLVM IR of a chain", 200, 0, chain, opt("--emit=llvm")},
		{"tiles/C++ of loops", 200, 0, loops, opt("--emit=cpp")},
		{"tiles/C++ of a chain", 200, 0, chain, opt("--emit=cpp")},
		{"run/scalar stores", 200, 0, scalarStores, with(cli.Run, 0, "--arg=zeros=100000xf32", checked)},
		{"run/partitions", 100, 0, partitions, with(cli.Run, 5, "--arg=zeros=8x100000xf32", "--arg=true", "--arg=1", "--arg=2.0", checked)},
		{"run/partitions, timing", 100, 0, partitions, with(cli.Run, 0, "--arg=zeros=8x100000xf32", "--arg=true", "--arg=1", "--arg=2.0", "--timing")},
		{"run/loops, checks", 100, 0, loops, reports(checked)},
	}
	for _, p := range []struct {
		name string
		text func(n int) string
	}{{"chain", chain}, {"window", window}} {
		for _, mode := range []string{"", "--timing", "--numerics", "--stats", "--perturb=2", "--trace=-"} {
			all = append(all, Shape{"run/" + p.name + " " + mode, 100, 0, p.text, run(strings.Fields(mode)...)})
		}
		all = append(all, Shape{"run/" + p.name + " --report", 100, 0, p.text, run("--report=" + os.DevNull)})
		// These have no flags, which is what the checks report.
		all = append(all, Shape{"run/" + p.name + " " + checked, 100, 0, p.text, reports(checked)})
	}
	all = append(all, Shape{"run/window --schedule=random:2", 100, 0, window, run("--schedule=random:2")})
	for _, modulo := range []string{"", "--modulo=reassociation"} {
		all = append(all, Shape{"run/equivalence " + modulo, 50, 0, chain, equivalent(modulo)})
	}
	return all
}

// equivalent returns the work of comparing a program with a copy of itself.
func equivalent(flags string) func(text string) error {
	return func(text string) error {
		folder, err := os.MkdirTemp("", "growth")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		file := filepath.Join(folder, "copy.pto")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		return run(append(strings.Fields(flags), "--equivalent="+file)...)(text)
	}
}
