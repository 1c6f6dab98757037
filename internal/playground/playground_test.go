package playground_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/playground"
)

const root = "../.."

// ask answers a request and decodes the answer. An error of the request ends the test.
func ask(t *testing.T, name string, request any, in playground.Files, answer any) playground.Files {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	got, out := playground.Call(name, text, in)
	var f playground.Failure
	if json.Unmarshal(got, &f); f.Error != "" {
		t.Fatalf("%s: %s", name, f.Error)
	}
	if err := json.Unmarshal(got, answer); err != nil {
		t.Fatalf("%s: %v in %s", name, err, got)
	}
	return out
}

// examples returns the programs of the menu of the page.
func examples(t *testing.T) (files []string) {
	t.Helper()
	for _, pattern := range []string{"examples/*.pto", "examples/tutorial/*.pto", "examples/level2/*.pto", "examples/cores/*.pto", "examples/ranks/*.pto"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// expectedFiles returns the arrays that commands in examples name.
func expectedFiles(t *testing.T) playground.Files {
	t.Helper()
	in := playground.Files{}
	found, _ := filepath.Glob("examples/expected/*.npy")
	for _, f := range found {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		in["examples/expected/"+filepath.Base(f)] = content
	}
	return in
}

// TestExamples runs each example as the page does and with pto-run: the arrays have the
// same bytes, comparisons hold, and there is something to show for each pane.
func TestExamples(t *testing.T) {
	t.Chdir(root)
	in := expectedFiles(t)
	for _, file := range examples(t) {
		file := filepath.ToSlash(file)
		t.Run(file, func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := playground.Program{Name: file, Text: string(content)}
			var a playground.Analysis
			ask(t, "analyse", p, nil, &a)
			if !a.OK || a.Launch == nil || len(a.Launch.Args) == 0 || len(a.Kernels) == 0 {
				t.Fatalf("analysis %+v", a)
			}
			var r playground.RunAnswer
			out := ask(t, "run", playground.RunRequest{Program: p, Launch: *a.Launch}, in, &r)
			if !r.Ran || r.Fault != nil || r.Timing == nil || r.Trace == nil || r.Checks == nil || r.Stats == nil {
				t.Fatalf("run %+v", r)
			}
			for _, c := range r.Comparisons {
				if c.Outcome != "equal" && c.Outcome != "within" {
					t.Errorf("comparison %+v", c)
				}
			}
			var checks struct{ Errors, Warnings int }
			if err := json.Unmarshal(r.Checks, &checks); err != nil || checks.Errors+checks.Warnings > 0 {
				t.Errorf("checks: %v %s", err, r.Checks)
			}
			if len(r.Comparisons) != len(a.Launch.Expect) {
				t.Errorf("%d comparisons, want %d", len(r.Comparisons), len(a.Launch.Expect))
			}
			compareNative(t, file, a.Launch, &r, out)
		})
	}
}

// compareNative runs pto-run with a launch and compares its outputs with those of an answer.
func compareNative(t *testing.T, file string, l *playground.Launch, r *playground.RunAnswer, out playground.Files) {
	t.Helper()
	command := []string{file}
	targets := map[int]string{}
	if l.Kernel != "" {
		command = append(command, "--kernel="+l.Kernel)
	}
	if l.Target != "" {
		command = append(command, "--pto-arch="+l.Target)
	}
	command = append(command, "--blocks="+itoa(max(l.Blocks, 1)), "--ranks="+itoa(max(l.Ranks, 1)))
	for i, spec := range l.Args {
		if shape, ok := strings.CutPrefix(spec, "zeros="); ok {
			targets[i] = filepath.Join(t.TempDir(), "out{rank}.npy")
			spec = "out=" + targets[i] + ":" + shape
		}
		command = append(command, "--arg="+spec)
	}
	var messages bytes.Buffer
	if code := cli.Run(command, strings.NewReader(""), io.Discard, &messages); code != 0 {
		t.Fatalf("pto-run %v: code %d: %s", command, code, messages.String())
	}
	compared := 0
	for i, target := range targets {
		for rank := range max(l.Ranks, 1) {
			want, err := os.ReadFile(strings.ReplaceAll(target, "{rank}", itoa(rank)))
			if err != nil {
				t.Fatal(err)
			}
			got := out[itoa(rank*len(l.Args)+i)+".npy"]
			if !bytes.Equal(got, want) {
				t.Errorf("argument %d of rank %d has other bytes than that of pto-run", i, rank)
			}
			compared++
		}
	}
	if compared == 0 {
		t.Errorf("no array was compared with pto-run: %v", l.Args)
	}
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

const misspelt = `func.func @f(%x: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  // é 𝒳: characters of more than one unit
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %xs = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %d = pto.tmulss %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tstore %d, %xp : !pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>
  return
}
`

// TestFix checks that a diagnostic has its range in UTF-16 units, and that the offered edit
// removes it.
func TestFix(t *testing.T) {
	var a playground.Analysis
	ask(t, "analyse", playground.Program{Text: misspelt}, nil, &a)
	if a.OK || len(a.Diagnostics) != 1 || len(a.Diagnostics[0].Fixes) == 0 {
		t.Fatalf("analysis %+v", a)
	}
	d := a.Diagnostics[0]
	text := utf16Of(misspelt)
	if got := string16(text[d.From:d.To]); got != "pto.tmulss" || d.Line != 10 || d.Severity != "error" {
		t.Errorf("range %q of %+v", got, d)
	}
	f := d.Fixes[0]
	fixed := string16(text[:f.From]) + f.New + string16(text[f.To:])
	var again playground.Analysis
	ask(t, "analyse", playground.Program{Text: fixed}, nil, &again)
	if !again.OK || len(again.Diagnostics) != 0 || len(again.Kernels) != 1 || again.Kernels[0].Params[1].Pointer {
		t.Errorf("after %q: %+v", f.Title, again)
	}
}

// TestPasses checks the stages of the path to the device: they differ as their lines say,
// and lines know their place in the source.
func TestPasses(t *testing.T) {
	content, err := os.ReadFile(root + "/examples/softmax.pto")
	if err != nil {
		t.Fatal(err)
	}
	var a playground.PassesAnswer
	ask(t, "passes", playground.PassesRequest{Program: playground.Program{Text: string(content)}}, nil, &a)
	if len(a.Diagnostics) != 0 || len(a.Stages) != 6 || a.Stages[0].Pass != "source" {
		t.Fatalf("answer %+v", a)
	}
	text := func(s playground.Stage, without string) (lines []string) {
		for _, l := range s.Lines {
			if l.Sign != without {
				lines = append(lines, l.Text)
			}
		}
		return lines
	}
	for i, s := range a.Stages[1:] {
		if before, after := text(a.Stages[i], "-"), text(s, "+"); !slices.Equal(before, after) {
			t.Errorf("stage %s does not begin with the text of the stage before", s.Pass)
		}
	}
	last := a.Stages[len(a.Stages)-1]
	source := strings.Split(string(content), "\n")
	loads := 0
	for _, l := range last.Lines {
		if l.Sign != "-" && strings.Contains(l.Text, "pto.tload") {
			loads++
			if l.Source == 0 || !strings.Contains(source[l.Source-1], "pto.tload") {
				t.Errorf("line %+v does not come from a pto.tload", l)
			}
		}
	}
	if loads != 1 || !last.Changed || !strings.Contains(strings.Join(text(last, "-"), "\n"), "pto.set_flag") {
		t.Errorf("%d loads in the last stage %+v", loads, last)
	}
	ask(t, "passes", playground.PassesRequest{Program: playground.Program{Text: string(content)}, Passes: []string{"canonicalize", "pto-bufferize", "pto-multi-buffer{factor=3}"}}, nil, &a)
	if len(a.Stages) != 4 || len(a.Diagnostics) != 0 {
		t.Errorf("own passes: %+v", a)
	}
	ask(t, "passes", playground.PassesRequest{Program: playground.Program{Text: string(content)}, Passes: []string{"nothing"}}, nil, &a)
	if len(a.Diagnostics) != 1 || !strings.Contains(a.Diagnostics[0].Message, "unknown pass 'nothing'") {
		t.Errorf("unknown pass: %+v", a.Diagnostics)
	}
}

// TestDiff compares two versions of a program. Common and added lines have the number of the
// line in the later version.
func TestDiff(t *testing.T) {
	var got struct{ Lines []playground.Line }
	ask(t, "diff", map[string]string{"before": "a\nb\nc\n", "text": "a\nx\nc\n"}, nil, &got)
	want := []playground.Line{{Text: "a", Source: 1}, {Sign: "-", Text: "b"}, {Sign: "+", Text: "x", Source: 2}, {Text: "c", Source: 3}}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("got %v, want %v", got.Lines, want)
	}
}

// TestAdvise searches for a faster program, and runs it: its results are those of the program
// as written, without reports of checkers.
func TestAdvise(t *testing.T) {
	t.Chdir(root)
	const file = "examples/clamp.pto"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	request := func(text string, l playground.Launch) map[string]any {
		return map[string]any{"name": file, "text": text, "launch": l, "as_written": true}
	}
	launch := playground.Launch{Blocks: 2, Args: []string{"iota=64x32xf32", "zeros=64x32xf32", "100.0", "1000.0", "64"}}
	var found playground.AdviseAnswer
	ask(t, "advise", request(string(text), launch), nil, &found)
	if !found.Faster || found.Launch.Blocks <= 2 || !strings.Contains(found.Report, "times as fast as before") {
		t.Fatalf("found %+v", found)
	}
	var before, after playground.RunAnswer
	want := ask(t, "run", request(string(text), launch), nil, &before)
	got := ask(t, "run", request(found.Text, found.Launch), nil, &after)
	if !bytes.Equal(got[after.Arrays[1].File], want[before.Arrays[1].File]) || after.Fault != nil {
		t.Errorf("results differ, fault %v", after.Fault)
	}
	micros := func(a *playground.RunAnswer) float64 {
		var time struct {
			Kernel float64 `json:"kernel_us"`
		}
		if err := json.Unmarshal(a.Timing, &time); err != nil {
			t.Fatal(err)
		}
		return time.Kernel
	}
	if micros(&after) >= micros(&before) {
		t.Errorf("%v µs instead of %v", micros(&after), micros(&before))
	}
}

// TestEmit checks that each form is the text that pto-opt writes.
func TestEmit(t *testing.T) {
	t.Chdir(root)
	for _, file := range []string{"examples/softmax.pto", "examples/gemm.pto", "examples/fahrenheit.pto"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"llvm", "cpp", "pto-as"} {
			var a playground.EmitAnswer
			ask(t, "emit", playground.EmitRequest{Program: playground.Program{Name: file, Text: string(content)}, Form: form}, nil, &a)
			var want, messages bytes.Buffer
			if code := cli.Opt([]string{"--emit=" + form, file}, strings.NewReader(""), &want, &messages); code != 0 && a.Text != "" {
				t.Errorf("%s %s: pto-opt ends with code %d: %s", file, form, code, messages.String())
			}
			if a.Text != want.String() {
				t.Errorf("%s %s: text of %d bytes differs from that of pto-opt, %d bytes; %+v", file, form, len(a.Text), want.Len(), a.Diagnostics)
			}
		}
	}
}

const doubled = `func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %xs = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %ys = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %d = pto.tmuls %t, %two : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tstore %d, %yp : !pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>
  return
}
`

// TestExpression compares a run with expressions that hold, that do not, and that are wrong.
func TestExpression(t *testing.T) {
	launch := playground.Launch{Args: []string{"iota=16x64xf32", "zeros=16x64xf32"}}
	for _, c := range []struct{ expression, outcome, text string }{
		{"y = 2 * x", "equal", ""},
		{"x + x", "equal", ""},
		{"y = 2 * x + where(x == 70, 1, 0)", "differs", ""},
		{"y = 2 * x + 1e-6", "within", ""},
		{"z = x", "error", "assigns no pointer parameter"},
		{"y = x +", "error", "line 1: expected an expression"},
		{"y = x[0]", "error", "shape [64]"},
	} {
		var r playground.RunAnswer
		ask(t, "run", playground.RunRequest{Program: playground.Program{Text: doubled}, Launch: launch, Expression: c.expression}, nil, &r)
		if len(r.Comparisons) != 1 || r.Comparisons[0].Outcome != c.outcome || !strings.Contains(r.Comparisons[0].Text, c.text) {
			t.Errorf("%s: %+v", c.expression, r.Comparisons)
		}
		if c.outcome == "differs" {
			got := r.Comparisons[0]
			if got.Count != 1 || got.First == nil || got.First.At != "1, 6" || got.First.Got != "140" || got.First.Want != "141" || !strings.Contains(got.First.Writer, "pto.tstore") {
				t.Errorf("%s: %+v %+v", c.expression, got, got.First)
			}
		}
	}
}

// TestOther compares a run with a second kernel: one that computes the same in another way,
// and one that does not.
func TestOther(t *testing.T) {
	launch := playground.Launch{Args: []string{"rand=16x64xf32", "zeros=16x64xf32"}}
	same := strings.Replace(doubled, "pto.tmuls %t, %two : (!pto.tile<16x64xf32>, f32)", "pto.tadd %t, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>)", 1)
	for _, c := range []struct {
		other string
		want  []string
	}{
		{doubled, []string{"equal", "equal", "equal"}},
		{same, []string{"equal", "equal", "not decided"}},
		{strings.Replace(doubled, "2.0", "3.0", 1), []string{"differs", "differs", "differs"}},
		{"func.func @f(", []string{"error"}},
	} {
		var r playground.RunAnswer
		ask(t, "run", playground.RunRequest{Program: playground.Program{Text: doubled}, Launch: launch, Other: c.other}, nil, &r)
		var got []string
		for _, x := range r.Comparisons {
			got = append(got, x.Outcome)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("outcomes %v, want %v: %+v", got, c.want, r.Comparisons)
		}
	}
}

// TestBadRequests checks that a request that is wrong gets an error, and that a program that
// is wrong gets diagnostics.
func TestBadRequests(t *testing.T) {
	for _, c := range []struct{ name, request, want string }{
		{"dance", "{}", "unknown request"},
		{"run", "{", "malformed"},
		{"emit", `{"form": "x"}`, "unknown form"},
		{"run", `{"launch": {"blocks": 1000000}}`, "at most"},
		{"run", `{"launch": {"blocks": -1}}`, "at most"},
	} {
		answer, _ := playground.Call(c.name, []byte(c.request), nil)
		var f playground.Failure
		if json.Unmarshal(answer, &f); !strings.Contains(f.Error, c.want) {
			t.Errorf("%s %s: %s", c.name, c.request, answer)
		}
	}
	bad := func(args ...string) string {
		text, _ := json.Marshal(playground.RunRequest{Program: playground.Program{Text: doubled}, Launch: playground.Launch{Args: args}})
		answer, _ := playground.Call("run", text, nil)
		return string(answer)
	}
	for _, c := range []struct{ arg, want string }{
		{"in=../secret.npy", "not loaded"},
		{"zeros=65536x65536xf32", "256 MiB"},
		{"rand=16x64", "argument x"},
	} {
		if got := bad(c.arg, "zeros=16x64xf32"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.arg, got)
		}
	}
	if got := bad("zeros=16x64xf32"); !strings.Contains(got, "2 parameters, but the launch has 1") {
		t.Errorf("one argument of two: %s", got)
	}
	var r playground.RunAnswer
	ask(t, "run", playground.RunRequest{Program: playground.Program{Text: doubled}, Launch: playground.Launch{Args: []string{"iota=4x64xf32", "zeros=16x64xf32"}}}, nil, &r)
	if r.Fault == nil || r.Fault.Line != 11 {
		t.Errorf("fault %+v", r.Fault)
	}
	ask(t, "run", playground.RunRequest{Program: playground.Program{Text: misspelt}}, nil, &r)
	if len(r.Diagnostics) == 0 || r.Ran {
		t.Errorf("wrong program: %+v", r)
	}
}

// TestRoofline checks the operations and the bounds of a product: 2 * 32 * 128 * 32
// operations on the cube unit, which reads both factors and writes the result.
func TestRoofline(t *testing.T) {
	t.Chdir(root)
	content, err := os.ReadFile("examples/gemm.pto")
	if err != nil {
		t.Fatal(err)
	}
	p := playground.Program{Text: string(content)}
	var a playground.Analysis
	ask(t, "analyse", p, nil, &a)
	var r playground.RunAnswer
	ask(t, "run", playground.RunRequest{Program: p, Launch: *a.Launch}, nil, &r)
	var timed struct {
		Roofline []struct {
			Unit       string
			Operations float64
			Bytes      float64
			Gops       float64
			Compute    float64 `json:"compute_gops"`
			Memory     float64 `json:"memory_gb_per_s"`
			Bound      string
		}
	}
	if err := json.Unmarshal(r.Timing, &timed); err != nil || len(timed.Roofline) != 1 {
		t.Fatalf("%v: %s", err, r.Timing)
	}
	roof := timed.Roofline[0]
	if roof.Unit != "cube" || roof.Operations != 2*32*128*32 || roof.Bytes != 2*(32*128+128*32)+4*32*32 || roof.Bound != "memory" {
		t.Errorf("roofline %+v", roof)
	}
	if bound := min(roof.Compute, roof.Operations/roof.Bytes*roof.Memory); roof.Gops <= 0 || roof.Gops > bound {
		t.Errorf("%g Gops are not below the bound of %g", roof.Gops, bound)
	}
}

// TestHazards runs each kernel with a mistake: the page shows the mistake that its comment
// explains, as a report of a checker or as a fault.
func TestHazards(t *testing.T) {
	t.Chdir(root)
	for file, want := range map[string][2]string{
		"missing_flag":      {"race", "reads what 'pto.tload' on PIPE_MTE2 may not have written yet"},
		"buffer_reused":     {"race", "may overwrite what 'pto.tmuls' on PIPE_V still reads"},
		"unpaired_flag":     {"sync", "waits for a flag that was never raised"},
		"uninitialized":     {"init", "uninitialised memory reaches global memory"},
		"out_of_bounds":     {"mem", "the buffer has 12288 bytes"},
		"overlapping_tiles": {"fault", "which it may not have completely read yet"},
	} {
		content, err := os.ReadFile("examples/hazards/" + file + ".pto")
		if err != nil {
			t.Fatal(err)
		}
		p := playground.Program{Text: string(content)}
		var a playground.Analysis
		ask(t, "analyse", p, nil, &a)
		var r playground.RunAnswer
		ask(t, "run", playground.RunRequest{Program: p, Launch: *a.Launch}, nil, &r)
		var checks struct {
			Reports []struct{ Check, Severity, Text string }
		}
		if err := json.Unmarshal(r.Checks, &checks); err != nil {
			t.Fatal(err)
		}
		found := want[0] == "fault" && r.Fault != nil && strings.Contains(r.Fault.Message, want[1])
		for _, c := range checks.Reports {
			found = found || c.Check == want[0] && c.Severity == "error" && strings.Contains(c.Text, want[1])
		}
		if !found {
			t.Errorf("%s: %s, fault %+v", file, r.Checks, r.Fault)
		}
		if want[0] == "race" && (len(r.Edits) == 0 || len(r.Edits[0]) < 2) {
			t.Errorf("%s: the race has no edits: %+v", file, r.Edits)
		}
	}
}
