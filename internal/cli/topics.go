// This file contains the topics of --explain.

package cli

import (
	"fmt"
	"ptogo/passes"
	"slices"
	"strings"
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
			"pto.target_arch = \"a5\". A file may omit the module: functions at the top level form one implicit module.",
		[]string{"docs/tutorial/1-elementwise.md"}},
	{[]string{"target", "profile", "pto.target_arch", "target_arch", "--pto-arch"},
		"The target is the hardware generation for which a program is checked and compiled: a2, a3 or a5. The option\n" +
			"--pto-arch=a5 selects it, or the attribute of the module: module attributes {pto.target_arch = \"a5\"} { ... }. The\n" +
			"default is a3. The output of passes names the target, so that later commands need no option.",
		[]string{"docs/tutorial/1-elementwise.md"}},
	{[]string{"assumption", "assumptions", "v-order", "m-order", "mte1-order", "mte2-order", "mte3-order", "fix-order", "scope-order", "no-scope-order",
		"distinct-arguments", "distinct-tiles", "mte2-write-order"},
		"An assumption is a property of the hardware, or of the launch, that public sources do not guarantee. With v-order,\n" +
			"for example, the vector pipe starts an instruction only after its previous instruction has ended. Proofs of\n" +
			"--verify-sync name the assumptions on which they rely. --check-assume and --check-strict select those of --check.",
		[]string{"docs/synchronization.md", "docs/checking.md"}},
	{[]string{"kernel", "entry", "pto.kernel"},
		"A kernel is a function that the host launches. The function has the attribute pto.kernel, or pto.kernel_kind,\n" +
			"which names the kind of core that executes the kernel. Pointer parameters are arrays in global memory. Scalars\n" +
			"are passed by value. A kernel returns no results. pto-run executes a kernel with one --arg for each parameter.",
		[]string{"docs/tutorial/1-elementwise.md", "docs/running.md"}},
	{[]string{"level", "levels", "level 1", "level 2", "level 3"},
		"A tile is an SSA value at Level 1, a buffer at Level 2, and a buffer with an address at Level 3. A Level 3 program\n" +
			"also contains its synchronization.\n" +
			"--enable-insert-sync lowers a program from any level to Level 3.",
		[]string{"docs/levels.md"}},
	{[]string{"valid region", "valid", "valid shape", "ragged", "tail"},
		"A tile has a fixed size; its valid region is the number of rows and columns with data. The type\n" +
			"attribute valid=?x64 makes the number of valid rows dynamic. pto.tload of a partition with fewer rows sets the valid\n" +
			"region, and pto.set_validshape changes it. Instructions compute only the valid region, so a ragged tail needs no\n" +
			"padding.",
		[]string{"docs/tutorial/2-ragged-rows.md", "docs/tutorial/3-matrix-product.md"}},
	{[]string{"rms", "rmsnorm", "rms norm"},
		"RMS norm computes x / sqrt(mean(x*x) + eps) for each row. Use these instructions in order: pto.tmul of x by itself,\n" +
			"pto.trowsum, pto.treshape to a row, pto.tmuls by 1/columns, pto.tadds of eps, pto.trsqrt, pto.treshape to a column,\n" +
			"pto.trowexpandmul. pto.tcolexpandmul then scales the columns.",
		[]string{"examples/layernorm.pto", "docs/tutorial/2-ragged-rows.md"}},
	{[]string{"causal", "causal mask", "triangular"},
		"A causal mask keeps the keys at or before the position of the query. pto.ttri computes a mask tile with ones on and\n" +
			"below a diagonal, and zeros above. pto.tcmps compares the mask tile with 0, and pto.tsel then replaces the scores at\n" +
			"zeros by a large negative number.",
		[]string{"examples/flash_attention.pto"}},
	{[]string{"tuning", "tune", "tile size", "tile sizes", "--tune"},
		"pto-run --tune FILE.json searches for the parameters of a kernel with the shortest predicted time. FILE.json names a\n" +
			"template of the kernel, the values of each parameter, and constraints. The best candidates are executed, compared\n" +
			"with a baseline, and checked for races.",
		[]string{"docs/tuning.md", "examples/tune/gemm.json"}},
	{[]string{"numerics", "cancellation", "--numerics", "--perturb"},
		"pto-run --numerics computes every float also in float64, and reports by line which instructions add and amplify\n" +
			"errors. The report names cancellation, sums in 16-bit formats, overflow and similar losses. --perturb N runs the\n" +
			"kernel N more times with results of exp, log and similar functions changed at random, and prints the tolerance that\n" +
			"a test of the kernel needs for the given arguments.",
		[]string{"docs/numerics.md"}},
	{[]string{"memory", "memories", "ub", "l1", "l0c"},
		"Kernel arguments are in global memory (gm). Vector instructions read and write vec memory (UB). Matrix products read\n" +
			"left and right (L0A, L0B) and write acc (L0C). mat (L1) buffers matrices between gm and left or right.",
		[]string{"docs/memory.md"}},
	{[]string{"pipe", "pipes", "flag", "synchronization", "race"},
		"A core has several pipes, which execute instructions concurrently. Flags and barriers order instructions of different\n" +
			"pipes. --enable-insert-sync inserts flags and barriers, --verify-sync proves that they order all memory accesses, and\n" +
			"pto-run --check=all reports accesses that are unordered in a run.",
		[]string{"docs/pipes.md", "docs/synchronization.md", "docs/checking.md"}},
	{[]string{"block", "blocks", "core", "launch"},
		"A launch runs a kernel on several blocks: pto-run --blocks N. pto.get_block_idx returns the index of the\n" +
			"executing block, and pto.get_block_num the number of blocks. A block has one cube core and two vector cores.",
		[]string{"docs/tutorial/5-several-blocks.md", "docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"queue", "tpipe", "fifo"},
		"A queue transfers tiles between the cube core and the vector cores of a block. From cube to vector, the instructions are\n" +
			"pto.tpush_to_aiv, pto.tpop_from_aic and pto.tfree_from_aic; in the other direction pto.tpush_to_aic,\n" +
			"pto.tpop_from_aiv and pto.tfree_from_aiv. The cube core declares the queue by pto.aic_initialize_pipe, the vector\n" +
			"cores by pto.aiv_initialize_pipe.",
		[]string{"docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"rounding", "precision", "accuracy", "tolerance", "nan"},
		"The reference page of an instruction states its rounding, its order of additions and its special values.\n" +
			"docs/numerics.md states the rules that most instructions share, and explains how to choose a tolerance.",
		[]string{"docs/numerics.md", "docs/isa/differences.md"}},
	{[]string{"python", "numpy", "pytest"},
		"The Python package ptogo calls kernels on numpy arrays: ptogo.load(\"kernel.pto\")[blocks](x, y).",
		[]string{"docs/python.md"}},
	{[]string{"c++", "cpp", "device", "ptoas"},
		"pto-opt --emit=cpp runs the passes that the program needs, and writes C++ for the public tile library pto-isa.",
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
	b.WriteString("# Topics\n\nMade from the topics that `pto-opt --explain` knows by `go run ./tools/docs/gen`; do not edit.\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "\n## %s\n\n", t.names[0])
		if len(t.names) > 1 {
			fmt.Fprintf(&b, "Also: %s.\n\n", strings.Join(t.names[1:], ", "))
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
	b.WriteString("# Passes\n\nMade from the passes by `go run ./tools/docs/gen`; do not edit.\n\n" +
		"Run a pass by its option (`--cse`), or name it in a pipeline (`--pass-pipeline`):\n\n" +
		"```sh\npto-opt --pto-bufferize --canonicalize examples/softmax.pto\n" +
		"pto-opt --pass-pipeline='builtin.module(pto-bufferize,func.func(canonicalize,cse))' examples/softmax.pto\n```\n\n" +
		"The options of a pass follow its name: `--pto-insert-sync=remarks=true`, in a pipeline `pto-insert-sync{remarks=true}`.\n" +
		"[options.md](options.md) lists the options that print the program between passes.\n")
	for _, p := range registry.Passes() {
		b.WriteString("\n#")
		passPage(&b, p)
	}
	return b.String()
}

// passPage writes the name of a pass, what it does, its options and its statistics.
func passPage(b *strings.Builder, p *passes.Pass) {
	fmt.Fprintf(b, "# %s\n\n%s\n", p.Name, p.Doc)
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
