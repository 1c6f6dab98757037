package sync

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// planted is a correctly synchronized kernel with markers for errors. A line that ends in
// "// N" belongs to error N. Removing the lines of one error, or replacing them by the
// text after "// N: ", makes the kernel wrong.
type planted struct {
	name, arch string
	args       []string
	// check holds the names of the checkers; "" means "race,sync".
	check string
	// opts holds further options of pto-run.
	opts []string
	body string
	// whole states that body is a complete program.
	whole bool
	// static holds the expected verdicts of --verify-sync, for the correct kernel and for
	// the errors. "" skips this check.
	static string
	// remarks states that the errors are reported as remarks, with exit code 0.
	remarks bool
	// faults holds, for each error, a part of the expected report.
	faults []string
}

// plantedKernels and plantedMore together contain at least one error of every class that
// the checkers claim to find.
var plantedKernels = []planted{
	{
		name: "flags and event numbers", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] // 0
  scf.for %i = %c0 to %c3 step %c1 {
    pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] // 0
    pto.tload ins(%xp : !part) outs(%t : !tile)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] // 1 // 2
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] // 1 // 3
    pto.tabs ins(%t : !tile) outs(%u : !tile)
    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] // 4: pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]
    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] // 5: pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID3>]
    pto.tstore ins(%u : !tile) outs(%yp : !part)
    pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] // 0
  }
  pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] // 0 // 6`,
		faults: []string{
			"[race] WAR", "[race] RAW", "waits for", "before a wait has consumed it", "waits for", "waits for", "still raised",
		},
	},
	{
		name: "an event raised again too early", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.tload ins(%xp : !part) outs(%u : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>] // 0: pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>] // 0: pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%u : !tile) outs(%u : !tile)`,
		faults: []string{"[sync]"},
	},
	{
		name: "a barrier of one pipe", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.texpands ins(%five : f32) outs(%t : !tile)
  pto.barrier <PIPE_V> // 0 // 1: pto.barrier <PIPE_MTE2>
  pto.tabs ins(%t : !tile) outs(%u : !tile)`,
		faults: []string{"no flags at all", "[race] RAW"},
	},
	{
		name: "the data cache of the scalar unit", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.store_scalar %five, %x[%c1] : !pto.ptr<f32>, f32
  pto.dcci %x "ENTIRE_DATA_CACHE", "CACHELINE_OUT" : !pto.ptr<f32> // 0
  pto.dsb "DDR" // 0
  pto.set_flag[<PIPE_S>, <PIPE_MTE2>, <EVENT_ID0>] // 1
  pto.wait_flag[<PIPE_S>, <PIPE_MTE2>, <EVENT_ID0>] // 1
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
  %old = pto.load_scalar %y[%c0] : !pto.ptr<f32> -> f32
  pto.set_flag[<PIPE_S>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_S>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%yp : !part)
  pto.set_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>]
  pto.dcci %y "ENTIRE_DATA_CACHE", "CACHELINE_OUT" : !pto.ptr<f32> // 2
  %v = pto.load_scalar %y[%c1] : !pto.ptr<f32> -> f32`,
		faults: []string{"missing dcci", "[race] RAW", "missing dcci"}, // dcci or dsb alone writes stores back
	},
	{
		name: "buffers", arch: "a5", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.get_buf "PIPE_MTE2", 0, 0 // 0
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.rls_buf "PIPE_MTE2", 0, 0 // 0 // 2
  pto.get_buf "PIPE_MTE3", 0, 0 // 1
  pto.tstore ins(%t : !tile) outs(%yp : !part)
  pto.rls_buf "PIPE_MTE3", 0, 0 // 1 // 3`,
		faults: []string{"[race] RAW", "[race] RAW", "would wait forever", "still holds"},
	},
	{
		name: "a vector function", arch: "a5", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  %ub = pto.castptr %at0 : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %v = pto.vbr %five : f32 -> !pto.vreg<64xf32>
    pto.vsts %v, %ub[%c0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    pto.mem_bar "VST_VLD" // 0
    %w = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %w, %ub[%c64], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
  }`,
		faults: []string{"[race] RAW"},
	},
	{
		name: "signals between cores", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, not checked",
		body: `
  pto.section.cube {
    pto.store_scalar %five, %x[%c0] : !pto.ptr<f32>, f32
    pto.dcci %x "ENTIRE_DATA_CACHE", "CACHELINE_OUT" : !pto.ptr<f32>
    pto.dsb "DDR"
    pto.sync.set <PIPE_S>, 1 // 0 // 1
    pto.sync.set <PIPE_S>, 17 // 0 // 1
  }
  pto.section.vector {
    pto.sync.wait <PIPE_S>, 1 // 0 // 2
    pto.dcci %x "ENTIRE_DATA_CACHE", "CACHELINE_OUT" : !pto.ptr<f32>
    %v = pto.load_scalar %x[%c0] : !pto.ptr<f32> -> f32
  }`,
		faults: []string{"[race] RAW", "wait", "[race] RAW"},
	},
}

func (k *planted) program(lines []string) string {
	if k.whole {
		return strings.Join(lines, "\n") + "\n"
	}
	return `!tile = !pto.tile_buf<vec, 16x64xf32>
!view = !pto.tensor_view<16x64xf32>
!part = !pto.partition_tensor_view<16x64xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %five = arith.constant 5.0 : f32
  %at0 = arith.constant 0 : i64
  %at1 = arith.constant 4096 : i64
  %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !view
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c16, %c64] : !view -> !part
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c16, %c64] : !view -> !part
  %t = pto.alloc_tile addr = %at0 : !tile
  %u = pto.alloc_tile addr = %at1 : !tile
` + strings.Join(lines, "\n") + "\n  return\n}\n"
}

// with returns the lines of the kernel with the given error, or without any error for -1.
func (k *planted) with(fault int) []string {
	mark := " // " + string(rune('0'+fault))
	var lines []string
	for _, line := range strings.Split(strings.Trim(k.body, "\n"), "\n") {
		text, marks, marked := strings.Cut(line, " // ")
		if i := strings.Index(" // "+marks, mark); fault >= 0 && marked && i >= 0 {
			other, replaced := strings.CutPrefix((" // " + marks)[i+len(mark):], ": ")
			if !replaced {
				continue
			}
			text = "    " + other
		}
		lines = append(lines, text)
	}
	return lines
}

// run runs the checkers on the kernel with the given error, or without any error for -1.
// It adds the classes of the reports, as in "race RAW", to classes, and their texts to
// texts.
func (k *planted) run(t *testing.T, fault int, classes map[string]bool, texts *strings.Builder) (code int, said, path string) {
	t.Helper()
	dir := t.TempDir()
	path, file := filepath.Join(dir, "k.pto"), filepath.Join(dir, "reports.json")
	write(t, path, k.program(k.with(fault)))
	checks := k.check
	if checks == "" {
		checks = "race,sync"
	}
	args := append([]string{path, "--pto-arch=" + k.arch, "--check=" + checks, "--check-json", file}, k.opts...)
	for _, a := range k.args {
		args = append(args, "--arg", a)
	}
	code, _, said = tool(cli.Run, args...)
	collect(t, file, classes, texts)
	return code, said, path
}

// collect adds the classes and the texts of the reports in a file of --check-json.
func collect(t *testing.T, file string, classes map[string]bool, texts *strings.Builder) {
	t.Helper()
	var reports struct {
		Reports []struct{ Check, Class, Text string }
	}
	if data, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(data, &reports); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range reports.Reports {
		list := []string{r.Class}
		if r.Check == "race" {
			list = strings.Fields(r.Class)
		}
		for _, class := range list {
			classes[r.Check+" "+class] = true
		}
		texts.WriteString(r.Text + "\n")
	}
}

// declaring is a graph of one task that reads its first argument and writes its second one.
const declaring = `{"version": 1, "ranks": 1}
{"buffer": "x", "type": "f32", "spec": "rand=16x64xf32"}
{"buffer": "y", "type": "f32", "spec": "zeros=16x64xf32"}
{"task": "t", "file": "k.pto", "args": [{"buffer": "x", "access": "READ"}, {"buffer": "y", "access": "WRITE"}]}
`

// plantDeclarations runs a graph with right and with wrong declarations of its arguments.
func plantDeclarations(t *testing.T, seen *seenClasses) {
	dir := t.TempDir()
	graph, file := filepath.Join(dir, "g.jsonl"), filepath.Join(dir, "reports.json")
	k := planted{body: "  pto.tload ins(%xp : !part) outs(%t : !tile)\n  pto.barrier #pto.pipe<PIPE_ALL>\n  pto.tstore ins(%t : !tile) outs(%yp : !part)\n"}
	write(t, filepath.Join(dir, "k.pto"), k.program(k.with(-1)))
	for _, c := range []struct{ read, write, report string }{
		{"read", "write", "check: no reports"},
		{"write", "write", `but task t declares it as "write"`},
		{"read", "read", `but task t declares it as "read"`},
	} {
		write(t, graph, strings.NewReplacer("READ", c.read, "WRITE", c.write).Replace(declaring))
		code, _, said := tool(cli.Run, "--graph="+graph, "--check=race", "--check-json", file)
		collect(t, file, seen.classes, &seen.texts)
		if right := c.report == "check: no reports"; (code == 0) != right || !strings.Contains(said, c.report) {
			t.Errorf("%s, %s: no report with %q, exit code %d:\n%s", c.read, c.write, c.report, code, said)
		}
	}
}

// TestPlanted inserts one error after the other. The checkers must accept the correct
// kernel and report each error. Together, the errors must cover every class in the source
// code of the checkers and of the proof.
func TestPlanted(t *testing.T) {
	seen := &seenClasses{classes: map[string]bool{}}
	for _, k := range slices.Concat(plantedKernels, plantedMore) {
		t.Run(k.name, func(t *testing.T) { k.plant(t, seen) })
	}
	t.Run("declarations", func(t *testing.T) { plantDeclarations(t, seen) })
	t.Run("classes", seen.complete)
}

// seenClasses collects the classes and texts of all reports.
type seenClasses struct {
	classes map[string]bool
	// texts holds the reports of the checkers.
	texts strings.Builder
	// proofs holds the messages of the static proof.
	proofs strings.Builder
}

func (k *planted) plant(t *testing.T, seen *seenClasses) {
	verdict := func(path string) (code int, said string) {
		code, _, said = tool(cli.Opt, path, "--pto-arch="+k.arch, "--verify-sync", "-o", "-")
		seen.proofs.WriteString(said)
		return code, said
	}
	code, said, path := k.run(t, -1, map[string]bool{}, &strings.Builder{})
	if code != 0 || !strings.Contains(said, "check: no reports") {
		t.Fatalf("the right kernel ends with %d:\n%s\n%s", code, said, k.program(k.with(-1)))
	}
	right, wrong, _ := strings.Cut(k.static, ", ")
	if k.static != "" {
		if code, said := verdict(path); code != 0 || !strings.Contains(said, "@k: "+right) {
			t.Errorf("the right kernel is not %s:\n%s", right, said)
		}
	}
	for i, report := range k.faults {
		code, said, path := k.run(t, i, seen.classes, &seen.texts)
		if (code == 0) != k.remarks || !strings.Contains(said, report) {
			t.Errorf("fault %d: no report with %q, exit code %d:\n%s\n%s", i, report, code, said, k.program(k.with(i)))
		}
		if k.static == "" {
			continue
		}
		if code, said = verdict(path); (code != 0) != (wrong == "hazard") || !strings.Contains(said, "@k: "+wrong) {
			t.Errorf("fault %d: the proof does not say %q, exit code %d:\n%s\n%s", i, wrong, code, said, k.program(k.with(i)))
		}
	}
}
