// This file contains the topics of --explain.

package opt

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/history"
	"ptogo/internal/refpage"
	"ptogo/passes"
)

// topic is a subject of --explain that is not an instruction, such as modules: a short
// text, and links to pages with more information.
type topic struct {
	// names are the names of the topic in lower case; the first one is its heading.
	names []string
	text  string
	// pages are paths relative to the root of the project.
	pages []string
}

// topics are the subjects of --explain that are not instructions, in the order of
// docs/topics.md.
var topics = []topic{
	{[]string{"module", "builtin.module"},
		"A module contains the functions of a file and the attributes that apply to all functions, such as\n" +
			"pto.target_arch = \"a5\". A file can omit the module: its functions then belong to one implicit module.",
		[]string{"docs/tutorial/1-elementwise.md"}},
	{[]string{"target", "profile", "pto.target_arch", "target_arch", "--pto-arch"},
		"The target is the hardware generation for which the tools check and compile a program: a2, a3 or a5. The option\n" +
			"--pto-arch=a5 selects the target a5. A program can also name its target by an attribute of the module: module\n" +
			"attributes {pto.target_arch = \"a5\"} { ... }. If neither the option nor the program names a target, the tools assume\n" +
			"a3. Passes write the target into their output, so later commands need no option --pto-arch.",
		[]string{"docs/tutorial/1-elementwise.md"}},
	{[]string{"assumption", "assumptions", "v-order", "m-order", "mte1-order", "mte2-order", "mte3-order", "fix-order", "scope-order", "no-scope-order",
		"distinct-arguments", "distinct-tiles", "mte2-write-order", "views-in-rows"},
		"An assumption is a property of the hardware or of a launch that public sources do not guarantee. For example,\n" +
			"v-order assumes that the vector pipe starts an instruction only after its previous instruction has ended. A proof of\n" +
			"pto-opt --verify-sync names the assumptions on which it relies. For pto-run --check, the options --check-assume and\n" +
			"--check-strict choose the assumptions of the checkers.",
		[]string{"docs/synchronization.md", "docs/checking.md"}},
	{[]string{"kernel", "entry", "pto.kernel"},
		"A kernel is a function that the host launches on the device. A kernel has the attribute pto.kernel, or the attribute\n" +
			"pto.kernel_kind, which names the kind of core (cube or vector) that executes the kernel. Pointer parameters of a\n" +
			"kernel are arrays in global memory, and scalar parameters are passed by value. A kernel returns no results. pto-run\n" +
			"needs one option --arg for each parameter of the kernel.",
		[]string{"docs/tutorial/1-elementwise.md", "docs/running.md"}},
	{[]string{"level", "levels", "level 1", "level 2", "level 3"},
		"A tile is an SSA value at Level 1, a buffer at Level 2, and a buffer with an address at Level 3. A Level 3 program\n" +
			"also contains the flags and barriers that order its memory accesses. pto-opt --enable-insert-sync lowers a program\n" +
			"from any level to Level 3.",
		[]string{"docs/levels.md"}},
	{[]string{"valid region", "valid", "valid shape", "ragged", "tail"},
		"A tile has a fixed size; its valid region is the rows and columns of the tile that hold data. The attribute\n" +
			"valid=?x64 of a tile type makes the number of valid rows dynamic. When pto.tload loads a partition with fewer rows\n" +
			"than the tile, it sets the valid region to these rows. The instruction pto.set_validshape also changes the valid\n" +
			"region of a tile. Instructions compute only the valid region, so the last, smaller part of an array needs no\n" +
			"padding.",
		[]string{"docs/tutorial/2-ragged-rows.md", "docs/tutorial/3-matrix-product.md"}},
	{[]string{"rms", "rmsnorm", "rms norm"},
		"RMS norm divides each row x of a matrix by sqrt(mean(x*x) + eps). To compute RMS norm, use these instructions in\n" +
			"order: pto.tmul of x by itself, pto.trowsum, pto.treshape to a row, pto.tmuls by 1/columns, pto.tadds of eps,\n" +
			"pto.trsqrt, pto.treshape to a column, pto.trowexpandmul. Finally, pto.tcolexpandmul multiplies each column by its\n" +
			"weight.",
		[]string{"examples/layernorm.pto", "docs/tutorial/2-ragged-rows.md"}},
	{[]string{"causal", "causal mask", "triangular"},
		"In attention, a causal mask keeps only the keys at or before the position of the query. pto.ttri computes a mask\n" +
			"tile with ones on and below a diagonal, and zeros above the diagonal. pto.tcmps compares the mask tile with 0. Where\n" +
			"the mask tile is 0, pto.tsel then replaces the attention score by a large negative number.",
		[]string{"examples/flash_attention.pto"}},
	{[]string{"tuning", "tune", "tile size", "tile sizes", "--tune"},
		"pto-run --tune FILE.json searches for the kernel parameters, such as tile sizes, with the shortest predicted time.\n" +
			"FILE.json contains the path of a kernel template, the values to try for each parameter, and constraints on the\n" +
			"parameters. pto-run executes the best candidates, compares their results with those of a baseline, and checks them\n" +
			"for races.",
		[]string{"docs/tuning.md", "examples/tune/gemm.json"}},
	{[]string{"numerics", "cancellation", "--numerics", "--perturb"},
		"pto-run --numerics computes every floating-point result also in float64, and reports which source lines add and\n" +
			"amplify errors. The report names the causes of large errors, such as cancellation, sums in 16-bit formats and\n" +
			"overflow. pto-run --perturb N runs the kernel N more times, and changes the results of exp, log and similar\n" +
			"functions at random. --perturb then prints the tolerance that a test of the kernel needs for the given arguments.",
		[]string{"docs/numerics.md"}},
	{[]string{"memory", "memories", "ub", "l1", "l0c"},
		"The arguments of a kernel are in global memory (gm). Vector instructions read and write the unified buffer (UB),\n" +
			"which tile types call vec. Matrix products read their operands from left (L0A) and right (L0B), and write their\n" +
			"results to acc (L0C). The memory mat (L1) buffers matrices between gm and left or right.",
		[]string{"docs/memory.md"}},
	{[]string{"pipe", "pipes", "flag", "synchronization", "race"},
		"A core has several pipes, which execute instructions concurrently. Flags and barriers order instructions of\n" +
			"different pipes. pto-opt --enable-insert-sync inserts flags and barriers, and pto-opt --verify-sync proves that the\n" +
			"flags and barriers order all memory accesses. pto-run --check=all reports the memory accesses of one run that are\n" +
			"unordered.",
		[]string{"docs/pipes.md", "docs/synchronization.md", "docs/checking.md"}},
	{[]string{"block", "blocks", "core", "launch"},
		"A launch runs a kernel on several blocks: pto-run --blocks N launches N blocks. A block has one cube core and two\n" +
			"vector cores. In the kernel, pto.get_block_idx returns the index of the executing block, and pto.get_block_num\n" +
			"returns the number of blocks.",
		[]string{"docs/tutorial/5-several-blocks.md", "docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"queue", "tpipe", "fifo"},
		"A queue transfers tiles between the cube core and the vector cores of a block. From cube to vector, the instructions\n" +
			"of a queue are pto.tpush_to_aiv, pto.tpop_from_aic and pto.tfree_from_aic. From vector to cube, the instructions are\n" +
			"pto.tpush_to_aic, pto.tpop_from_aiv and pto.tfree_from_aiv. The cube core declares a queue by\n" +
			"pto.aic_initialize_pipe, and the vector cores declare the same queue by pto.aiv_initialize_pipe.",
		[]string{"docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"rounding", "precision", "accuracy", "tolerance", "nan"},
		"The reference page of an instruction states its rounding, its order of additions, and its results for special values\n" +
			"such as NaN. docs/numerics.md states the rounding rules that most instructions share, and explains how to choose the\n" +
			"tolerance of a comparison.",
		[]string{"docs/numerics.md", "docs/isa/differences.md"}},
	{[]string{"python", "numpy", "pytest"},
		"The Python package ptogo launches kernels on numpy arrays: ptogo.load(\"kernel.pto\")[blocks](x, y).",
		[]string{"docs/python.md"}},
	{[]string{"c++", "cpp", "device", "ptoas"},
		"pto-opt --emit=cpp first runs the passes that the program needs, and then writes C++ that calls the public tile\n" +
			"library pto-isa.",
		[]string{"docs/device.md", "docs/ptoas-options.md"}},
}

// topicOf returns the topic with the given name, or nil.
func topicOf(name string) *topic {
	for i := range topics {
		if slices.Contains(topics[i].names, strings.ToLower(strings.TrimSpace(name))) {
			return &topics[i]
		}
	}
	return nil
}

// page returns the text that --explain prints for the topic, including links to pages.
func (t *topic) page() string {
	return fmt.Sprintf("# %s\n\n%s\n\nMore: %s\n", t.names[0], t.text, strings.Join(t.pages, ", "))
}

// TopicsPage returns the text of docs/topics.md, which contains all topics.
func TopicsPage() string {
	var b strings.Builder
	b.WriteString("# Topics\n\n`go run ./tools/docs/gen` writes this page from the topics of `pto-opt --explain`; do not edit it.\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "\n## %s\n\n", t.names[0])
		if len(t.names) > 1 {
			fmt.Fprintf(&b, "Other names of this topic: %s.\n\n", strings.Join(t.names[1:], ", "))
		}
		fmt.Fprintf(&b, "%s\n\nMore:", t.text)
		for i, p := range t.pages {
			target, ok := strings.CutPrefix(p, "docs/")
			if !ok {
				target = "../" + p
			}
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "\n[%s](%s)", p, target)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// PassesPage returns the text of docs/passes.md, which describes all passes.
func PassesPage() string {
	var b strings.Builder
	b.WriteString("# Passes\n\n`go run ./tools/docs/gen` writes this page from the definitions of the passes; do not edit it.\n\n" +
		"To run a pass, write its name as an option (`--cse`) or in a pipeline (`--pass-pipeline`):\n\n" +
		"```sh\npto-opt --pto-bufferize --canonicalize examples/softmax.pto\n" +
		"pto-opt --pass-pipeline='builtin.module(pto-bufferize,func.func(canonicalize,cse))' examples/softmax.pto\n```\n\n" +
		"The options of a pass follow its name: `--pto-insert-sync=remarks=true`, or `pto-insert-sync{remarks=true}` in a pipeline.\n" +
		"[options.md](options.md) lists the options of pto-opt that print the program before or after a pass.\n")
	for _, p := range registry.Passes() {
		b.WriteString("\n#")
		passPage(&b, p)
	}
	return b.String()
}

// passPage writes the name of a pass, what it does, its options and its statistics.
func passPage(b *strings.Builder, p *passes.Pass) {
	fmt.Fprintf(b, "# %s\n\n%s\n", p.Name, p.Doc)
	if _, public := history.Lookup(history.Pass(p.Name)); public {
		fmt.Fprintf(b, "\nVersions of ptoas with a pass of this name: %s.\n", refpage.VersionsOf(history.Pass(p.Name)))
	}
	if len(p.Options) > 0 {
		b.WriteString("\n| option | default | meaning |\n|---|---|---|\n")
		for _, o := range p.Options {
			doc := strings.ReplaceAll(o.Doc, "|", `\|`)
			if len(o.Choices) > 0 {
				doc += " (" + strings.Join(o.Choices, ", ") + ")"
			}
			fmt.Fprintf(b, "| `%s` | `%s` | %s |\n", o.Name, o.Default, doc)
		}
	}
	if len(p.Stats) > 0 {
		b.WriteString("\nStatistics:\n\n")
		for _, s := range p.Stats {
			fmt.Fprintf(b, "- `%s`: %s\n", s.Name, s.Doc)
		}
	}
}
