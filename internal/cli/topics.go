// This file contains the topics of --explain.

package cli

import (
	"fmt"
	"slices"
	"strings"
)

// topic is a subject of --explain that is not an instruction: a short text, and pages
// with more information.
type topic struct {
	// names are in lower case; the first one is the heading.
	names []string
	text  string
	// pages are paths relative to the root of the project.
	pages []string
}

// topics are in the order of docs/topics.md.
var topics = []topic{
	{[]string{"module", "builtin.module"},
		"A module is the content of a file: functions, and attributes that hold for all of them, such as\n" +
			"pto.target_arch = \"a5\". A file may leave it out: functions at the top level are in one implicit module.",
		[]string{"docs/tutorial/1-elementwise.md"}},
	{[]string{"kernel", "entry", "pto.kernel"},
		"A kernel is a function that the host launches. It has the attribute pto.kernel, or pto.kernel_kind, which\n" +
			"names the core that executes it. Pointers are arrays in global memory, scalars are passed by value, and\n" +
			"it has no results. pto-run executes a kernel: one --arg for each parameter.",
		[]string{"docs/tutorial/1-elementwise.md", "docs/running.md"}},
	{[]string{"level", "levels", "level 1", "level 2", "level 3"},
		"At Level 1 tiles are values, at Level 2 buffers, and at Level 3 buffers with addresses and synchronization.\n" +
			"--enable-insert-sync lowers a program from any level to Level 3.",
		[]string{"docs/levels.md"}},
	{[]string{"valid region", "valid", "valid shape", "ragged", "tail"},
		"A tile has a fixed size; its valid region is the number of rows and columns with data. valid=?x64 in its type\n" +
			"leaves the rows open until the kernel runs. pto.tload of a partition with fewer rows sets it, and\n" +
			"pto.set_validshape changes it. Instructions work on the valid region only, so a ragged tail needs no padding.",
		[]string{"docs/tutorial/2-ragged-rows.md", "docs/tutorial/3-matrix-product.md"}},
	{[]string{"rms", "rmsnorm", "rms norm"},
		"x / sqrt(mean(x*x) + eps) of each row: pto.tmul of x by itself, pto.trowsum, pto.treshape into a row, pto.tmuls by\n" +
			"1/columns, pto.tadds eps, pto.trsqrt, pto.treshape back, pto.trowexpandmul. Scaling by columns: pto.tcolexpandmul.",
		[]string{"examples/layernorm.pto", "docs/tutorial/2-ragged-rows.md"}},
	{[]string{"causal", "causal mask", "triangular"},
		"A causal mask keeps keys that are not after the query. pto.ttri makes a tile of ones on and below a diagonal.\n" +
			"Scores where it has 0 become a very negative number: compare it by pto.tcmps, then choose by pto.tsel.",
		[]string{"examples/flash_attention.pto"}},
	{[]string{"memory", "memories", "ub", "l1", "l0c"},
		"Arguments are in global memory. Vector instructions compute in vec (UB), products read left and right (L0A, L0B)\n" +
			"and write acc (L0C), and mat (L1) holds matrices on their way there.",
		[]string{"docs/memory.md"}},
	{[]string{"pipe", "pipes", "flag", "synchronization", "race"},
		"A core has several pipes that work at the same time. Flags and barriers order them. --enable-insert-sync inserts\n" +
			"them, --verify-sync proves them, and pto-run --check=all finds what is missing in a run.",
		[]string{"docs/pipes.md", "docs/synchronization.md", "docs/checking.md"}},
	{[]string{"block", "blocks", "core", "launch"},
		"A launch runs a kernel on several blocks: pto-run --blocks N. pto.get_block_idx and pto.get_block_num return the\n" +
			"number of this block and of all blocks. A block has one cube core and two vector cores.",
		[]string{"docs/tutorial/5-several-blocks.md", "docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"queue", "tpipe", "fifo"},
		"A queue carries tiles between the cube core and the vector cores of a block: pto.tpush_to_aiv, pto.tpop_from_aic,\n" +
			"pto.tfree_from_aic, and the same in the other direction. Both sides declare it by pto.aic_initialize_pipe and\n" +
			"pto.aiv_initialize_pipe.",
		[]string{"docs/tutorial/4-cube-and-vector.md"}},
	{[]string{"rounding", "precision", "accuracy", "tolerance", "nan"},
		"The page of an instruction states its rounding, its order of additions and its special values. docs/numerics.md\n" +
			"has the rules that most instructions share, and how to choose a tolerance.",
		[]string{"docs/numerics.md", "docs/isa/differences.md"}},
	{[]string{"python", "numpy", "pytest"},
		"Package ptogo calls kernels on numpy arrays: ptogo.load(\"kernel.pto\")[blocks](x, y).",
		[]string{"docs/python.md"}},
	{[]string{"c++", "cpp", "device", "ptoas"},
		"pto-opt --emit=cpp writes C++ for the public tile library, after the passes that the program needs.",
		[]string{"docs/device.md", "docs/ptoas-options.md"}},
}

// topicOf returns the topic of a name, or nil.
func topicOf(name string) *topic {
	for i := range topics {
		if slices.Contains(topics[i].names, strings.ToLower(strings.TrimSpace(name))) {
			return &topics[i]
		}
	}
	return nil
}

// page returns a topic as text, with links to pages in parentheses.
func (t *topic) page() string {
	return fmt.Sprintf("# %s\n\n%s\n\nMore: %s\n", t.names[0], t.text, strings.Join(t.pages, ", "))
}

// TopicsPage returns docs/topics.md.
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

// PassesPage returns docs/passes.md.
func PassesPage() string {
	var b strings.Builder
	b.WriteString("# Passes\n\nMade from the passes by `go run ./tools/docs/gen`; do not edit.\n\n" +
		"A pass is a flag (`--cse`), or a name in a pipeline:\n\n" +
		"```sh\npto-opt --pto-bufferize --canonicalize examples/softmax.pto\n" +
		"pto-opt --pass-pipeline='builtin.module(pto-bufferize,func.func(canonicalize,cse))' examples/softmax.pto\n```\n\n" +
		"Options follow the name: `--pto-insert-sync=remarks=true`, in a pipeline `pto-insert-sync{remarks=true}`.\n" +
		"[options.md](options.md) lists the options that print the program between passes.\n")
	for _, p := range registry.Passes() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", p.Name, p.Doc)
		if len(p.Options) > 0 {
			b.WriteString("\n| option | default | meaning |\n|---|---|---|\n")
			for _, o := range p.Options {
				doc := strings.ReplaceAll(o.Doc, "|", `\|`)
				if len(o.Choices) > 0 {
					doc += " (" + strings.Join(o.Choices, ", ") + ")"
				}
				fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", o.Name, o.Default, doc)
			}
		}
		if len(p.Stats) > 0 {
			b.WriteString("\nStatistics:\n\n")
			for _, s := range p.Stats {
				fmt.Fprintf(&b, "- `%s`: %s\n", s.Name, s.Doc)
			}
		}
	}
	return b.String()
}
