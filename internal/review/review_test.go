package review

import (
	"strings"
	"testing"
)

// right is a kernel and its tests.
var right = Version{
	Program: `func.func @add(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %x, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %w = pto.make_tensor_view %y, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %u = pto.make_tensor_view %n, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  %r = pto.partition_view %u, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  %t = pto.tload %p : !pto.partition_tensor_view<64x64xf32> -> !pto.tile<64x64xf32>
  %s = pto.tabs %t : !pto.tile<64x64xf32> -> !pto.tile<64x64xf32>
  pto.tstore %s, %q : (!pto.tile<64x64xf32>, !pto.partition_tensor_view<64x64xf32>) -> ()
  pto.tstore %t, %r : (!pto.tile<64x64xf32>, !pto.partition_tensor_view<64x64xf32>) -> ()
  return
}
`,
	Tests: `// RUN: pto-run add.pto --arg rand=64x64xf32,seed=1 --arg zeros=64x64xf32 --arg=zeros=64x64xf32 --blocks 4 \
// RUN:   --expect 1=want.npy,rtol=1e-5,atol=1e-6 --check=race,init --schedule=random:20 --strict | FileCheck %s
// RUN: pto-opt add.pto --verify-sync | FileCheck %s --check-prefix=PROOF
// CHECK: %y: 64x64xf32
// CHECK-NEXT: 0.25 1.5
// PROOF: proved
def test_add():
    np.testing.assert_allclose(y, np.abs(x), rtol=1e-5)
    assert reports == []
`,
}

// cheats are changes that make the tests weaker, and the kind and a part of the finding.
var cheats = []struct{ old, new, kind, want string }{
	{"rtol=1e-5,atol=1e-6", "rtol=1e-2,atol=1e-6", "tolerance", "rtol is 1e-2 instead of 1e-5 for 1"},
	{"atol=1e-6", "atol=1", "tolerance", "atol is 1 instead of 1e-6 for 1"},
	{"--expect 1=want.npy,rtol=1e-5,atol=1e-6 ", "", "comparison", "not compared any more"},
	{"1=want.npy", "1=mine.npy", "reference", "compared with mine.npy instead of want.npy"},
	{"--arg zeros=64x64xf32", "--arg in=want.npy", "reference", "are an argument"},
	{"--arg zeros=64x64xf32", "--arg out=want.npy:64x64xf32", "reference", "are an argument"},
	{"rand=64x64xf32,seed=1", "zeros=64x64xf32", "data", "argument 0 is zeros=64x64xf32"},
	{"rand=64x64xf32,seed=1", "rand=8x64xf32,seed=1", "data", "argument 0 is smaller"},
	{"rand=64x64xf32,seed=1", "fill=1.0,64x64xf32", "data", "argument 0 is fill"},
	{"--blocks 4", "--blocks 1", "data", "--blocks is 1 instead of 4"},
	{"--blocks 4 ", "", "data", "--blocks is 1 instead of 4"},
	{" --check=race,init", "", "checks", "--check, which runs the checkers, is gone"},
	{"--check=race,init", "--check=init", "checks", "--check=init instead of race,init"},
	{"--schedule=random:20", "--schedule=random:2", "checks", "fewer orders"},
	{" --schedule=random:20", "", "checks", "--schedule, which runs with other orders, is gone"},
	{" --strict", "", "checks", "--strict"},
	{"--strict", "--strict --check-suppress=known.txt", "checks", "new --check-suppress"},
	{" --verify-sync", "", "checks", "--verify-sync, which proves the synchronization, is gone"},
	{"--strict | FileCheck %s", "--strict || true", "checks", "a failure does not count"},
	{"// RUN: pto-opt add.pto --verify-sync | FileCheck %s --check-prefix=PROOF\n", "", "commands", "1 of 2 commands are gone"},
	{"// CHECK-NEXT: 0.25 1.5\n", "", "assertions", "lines of FileCheck"},
	{"// CHECK-NEXT: 0.25 1.5", "// CHECK-NEXT: {{.*}}", "assertions", "accepts more"},
	{"// PROOF: proved", "// XFAIL: *\n// PROOF: proved", "left out", "XFAIL"},
	{"FileCheck %s\n", "FileCheck %s --allow-empty\n", "checks", "accepts an empty input"},
	{"def test_add", "@pytest.mark.skip(reason=\"slow\")\ndef test_add", "left out", "pytest.mark.skip"},
	{"rtol=1e-5)", "rtol=0.1)", "tolerance", "rtol is 0.1 instead of 1e-5"},
	{"    assert reports == []\n", "", "assertions", "assertions instead of"},
	{"assert_allclose(y, np.abs(x)", "assert_allclose(y, y", "assertions", "compared with itself"},
	{"  pto.tstore %s, %q : (!pto.tile<64x64xf32>, !pto.partition_tensor_view<64x64xf32>) -> ()\n", "", "stores", "@add no longer stores through %y"},
	{"%n: !pto.ptr<f32>)", "%n: !pto.ptr<f32>, %want: !pto.ptr<f32>)", "parameters", "new parameters %want"},
	{"  %s = pto.tabs", "  // pto-check: allow(race)\n  %s = pto.tabs", "suppressed", "allow(race)"},
	{" attributes {pto.kernel}", "", "program", "no kernel any more"},
	{"pto-opt add.pto", "not pto-opt add.pto", "checks", "new --not"},
}

// TestCheats makes each change: all must be named, and only their kind.
func TestCheats(t *testing.T) {
	if r := Compare(right, right); len(r.Findings) > 0 {
		t.Fatalf("the same text: %v", r)
	}
	named := 0
	for _, c := range cheats {
		after := Version{strings.Replace(right.Program, c.old, c.new, 1), strings.Replace(right.Tests, c.old, c.new, 1)}
		if after == right {
			t.Errorf("%q is not in the texts", c.old)
			continue
		}
		r := Compare(right, after)
		found := false
		for _, f := range r.Findings {
			found = found || f.Kind == c.kind && strings.Contains(f.Text, c.want)
		}
		if !found {
			t.Errorf("%q to %q: no %s with %q in:\n%v", c.old, c.new, c.kind, c.want, r)
		}
		if found {
			named++
		}
	}
	if named < 30 {
		t.Errorf("%d changes are named", named)
	}
}

// TestHonest makes changes that do not make tests weaker: nothing is named.
func TestHonest(t *testing.T) {
	for _, c := range [][2]string{
		{"rtol=1e-5,atol=1e-6", "rtol=1e-6,atol=1e-6"},
		{"--blocks 4", "--blocks 8"},
		{"rand=64x64xf32,seed=1", "rand=128x64xf32,seed=7"},
		{"--check=race,init", "--check=all"},
		{"--schedule=random:20", "--schedule=random:40"},
		{"    assert reports == []\n", "    assert reports == []\n    assert y.shape == x.shape\n"},
		{"pto.tabs", "pto.texp"},
		{"  %s = pto.tabs", "  // Takes the magnitude.\n  %s = pto.tabs"},
		{"// PROOF: proved", "// PROOF: proved\n// PROOF: 1 function"},
	} {
		after := Version{strings.Replace(right.Program, c[0], c[1], 1), strings.Replace(right.Tests, c[0], c[1], 1)}
		if after == right {
			t.Errorf("%q is not in the texts", c[0])
		}
		if r := Compare(right, after); len(r.Findings) > 0 {
			t.Errorf("%q to %q: %v", c[0], c[1], r)
		}
	}
}
