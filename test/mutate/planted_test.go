package mutate

import (
	"regexp"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/lower"
	"ptogo/passes"
	"ptogo/runtime/equiv"
	"ptogo/tools/testsize"
)

// fault is a class of errors that a compiler pass could make. where matches the text to
// change. plant returns the replacement, or "" if the match cannot be changed.
type fault struct {
	class string
	where *regexp.Regexp
	plant func(found []string) string
}

var faults = []fault{
	{"wrong address", regexp.MustCompile(`arith\.constant ([1-9]\d*) : i64`), func(m []string) string { return "arith.constant " + m[1] + "0 : i64" }},
	{"wrong address of zero", regexp.MustCompile(`arith\.constant 0 : i64`), func([]string) string { return "arith.constant 1024 : i64" }},
	{"wrong offset of a part", regexp.MustCompile(`offsets = \[%(\w+), %(\w+)\]`), func(m []string) string {
		if m[1] == m[2] {
			return ""
		}
		return "offsets = [%" + m[2] + ", %" + m[1] + "]"
	}},
	{"swapped operands", regexp.MustCompile(`(pto\.(?:tsub|tdiv|vsub|vdiv|vsel|tsel|trowexpandsub|trowexpanddiv)\b[^\n%]*)(%\w+), (%\w+)`), func(m []string) string {
		return m[1] + m[3] + ", " + m[2]
	}},
	{"another operation", regexp.MustCompile(`pto\.(tadd|tmul|tmax|texp|vadd|vmul|vexp|vmax|trowmax|trowsum|tadds|tmuls)\b`), func(m []string) string {
		return "pto." + map[string]string{"tadd": "tmul", "tmul": "tadd", "tmax": "tmin", "texp": "tabs", "vadd": "vmul", "vmul": "vadd", "vexp": "vabs", "vmax": "vmin",
			"trowmax": "trowmin", "trowsum": "trowmax", "tadds": "tmuls", "tmuls": "tadds"}[m[1]]
	}},
	{"dropped instruction", regexp.MustCompile(`(?m)^ *pto\.(?:tstore|tload|tmov|texp|tadd|tmul|tsub|tmatmul|tmatmul\.acc|vsts|tcvt|textract)\b[^\n]*\n`), func([]string) string { return "\n" }},
	{"wrong rounding", regexp.MustCompile(`round_mode (\w+)>`), func(m []string) string {
		if m[1] == "FLOOR" {
			return "round_mode CEIL>"
		}
		return "round_mode FLOOR>"
	}},
	{"stale buffer", regexp.MustCompile(`(ins\(%\w+, )(%\w+)( : )`), func(m []string) string {
		return m[1] + strings.TrimSuffix(strings.TrimPrefix(m[1], "ins("), ", ") + m[3]
	}},
	{"wrong constant", regexp.MustCompile(`arith\.constant (\d)\.(\d+)(?:e[+-]\d+)? : f(32|16)`), func(m []string) string { return "arith.constant 7." + m[2] + " : f" + m[3] }},
	{"wrong extent", regexp.MustCompile(`arith\.constant (16|32|64|128) : index`), func(m []string) string {
		return "arith.constant " + map[string]string{"16": "15", "32": "31", "64": "48", "128": "96"}[m[1]] + " : index"
	}},
	{"order of float sums", regexp.MustCompile(`ins\(%a, %b( : !\w+, !\w+\) outs\(%sum : !\w+\)\n *pto\.tadd ins\(%sum, )%s`), func(m []string) string { return "ins(%s, %b" + m[1] + "%a" }},
	{"wrong slot", regexp.MustCompile(`(pto\.multi_tile_get %\w+)\[%i\]`), func(m []string) string { return m[1] + "[%c0]" }},
	{"wrong valid column", regexp.MustCompile(`valid_col = %c60`), func([]string) string { return "valid_col = %c48" }},
	{"order of products", regexp.MustCompile(`ins\(%(\w+), %(\w+)( : [^)]*\) outs\(%\w+ : [^)]*\)\n *pto\.tmatmul\.acc ins\(%\w+, )%(\w+), %(\w+)`), func(m []string) string {
		return "ins(%" + m[4] + ", %" + m[5] + m[3] + "%" + m[1] + ", %" + m[2]
	}},
	{"order of two lines", regexp.MustCompile(`(?m)^( *pto\.[^\n]*\n)( *pto\.[^\n]*\n)`), func(m []string) string { return m[2] + m[1] }},
}

// special is a program with features that the examples lack: valid regions, a rounding
// mode, sums of three terms, and buffers used in rotation.
const special = `//   pto-run special.pto --arg rand=16x64xf32 --arg rand=16x64xf32 --arg zeros=16x64xf16 --arg zeros=64x64xf32 --arg zeros=16x64xf32
!view = !pto.tensor_view<?x?xf32>
!viewh = !pto.tensor_view<?x?xf16>
!part = !pto.partition_tensor_view<16x60xf32>
!parth = !pto.partition_tensor_view<16x60xf16>
!tile = !pto.tile_buf<vec, 16x64xf32, valid=16x60>
!open = !pto.tile_buf<vec, 16x64xf32, valid=?x?>
!half = !pto.tile_buf<vec, 16x64xf16, valid=16x60>
!slots = !pto.multi_tile_buf<vec, 16x64xf32, valid=16x60, count=3>
func.func @special(%x: !pto.ptr<f32>, %w: !pto.ptr<f32>, %y: !pto.ptr<f16>, %z: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c60 = arith.constant 60 : index
  %pitch = arith.constant 64 : index
  %vx = pto.make_tensor_view %x, shape = [%c16, %pitch], strides = [%pitch, %c1] : !view
  %vw = pto.make_tensor_view %w, shape = [%c16, %pitch], strides = [%pitch, %c1] : !view
  %vy = pto.make_tensor_view %y, shape = [%c16, %pitch], strides = [%pitch, %c1] : !viewh
  %vz = pto.make_tensor_view %z, shape = [%c48, %pitch], strides = [%pitch, %c1] : !view
  %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c16, %c60] : !view -> !part
  %pw = pto.partition_view %vw, offsets = [%c0, %c0], sizes = [%c16, %c60] : !view -> !part
  %py = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c16, %c60] : !viewh -> !parth
  %vo = pto.make_tensor_view %o, shape = [%c16, %pitch], strides = [%pitch, %c1] : !view
  %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c60] : !view -> !part
  %at_a = arith.constant 0 : i64
  %at_b = arith.constant 4096 : i64
  %at_s = arith.constant 8192 : i64
  %at_sum = arith.constant 12288 : i64
  %at_h = arith.constant 16384 : i64
  %at_open = arith.constant 18432 : i64
  %at_slots = arith.constant 24576 : i64
  %a = pto.alloc_tile addr = %at_a : !tile
  %b = pto.alloc_tile addr = %at_b : !tile
  %s = pto.alloc_tile addr = %at_s : !tile
  %sum = pto.alloc_tile addr = %at_sum : !tile
  %h = pto.alloc_tile addr = %at_h : !half
  %u = pto.alloc_tile addr = %at_open valid_row = %c16 valid_col = %c60 : !open
  %whole = pto.alloc_tile addr = %at_open : !tile
  %all = pto.alloc_multi_tile addr = %at_slots : !slots
  pto.tload ins(%px : !part) outs(%a : !tile)
  pto.tload ins(%pw : !part) outs(%b : !tile)
  pto.texp ins(%a : !tile) outs(%s : !tile)
  pto.tadd ins(%a, %b : !tile, !tile) outs(%sum : !tile)
  pto.tadd ins(%sum, %s : !tile, !tile) outs(%sum : !tile)
  pto.tcvt ins(%sum {rmode = #pto<round_mode RINT>} : !tile) outs(%h : !half)
  pto.tstore ins(%h : !half) outs(%py : !parth)
  pto.tload ins(%pw : !part) outs(%whole : !tile)
  pto.tadd ins(%a, %s : !tile, !tile) outs(%u : !open)
  pto.tstore ins(%whole : !tile) outs(%po : !part)
  scf.for %i = %c0 to %c3 step %c1 {
    %t = pto.multi_tile_get %all[%i] : !slots -> !tile
    pto.tmul ins(%sum, %b : !tile, !tile) outs(%t : !tile)
    pto.tsub ins(%sum, %a : !tile, !tile) outs(%sum : !tile)
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %t = pto.multi_tile_get %all[%i] : !slots -> !tile
    %row = arith.muli %i, %c16 : index
    %pz = pto.partition_view %vz, offsets = [%row, %c0], sizes = [%c16, %c60] : !view -> !part
    pto.tstore ins(%t : !tile) outs(%pz : !part)
  }
  return
}
`

// product is a program that computes a matrix product in two parts, which the accumulator
// adds in order.
const product = `//   pto-run product.pto --arg rand=32x32xf32 --arg rand=32x32xf32 --arg zeros=32x32xf32
!view = !pto.tensor_view<32x32xf32>
!tall = !pto.partition_tensor_view<32x16xf32>
!wide = !pto.partition_tensor_view<16x32xf32>
!mat_a = !pto.tile_buf<mat, 32x16xf32, blayout=col_major, slayout=row_major>
!mat_b = !pto.tile_buf<mat, 16x32xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 32x16xf32, blayout=row_major, slayout=row_major>
!right = !pto.tile_buf<right, 16x32xf32, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
func.func @product(%x: !pto.ptr<f32>, %w: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %vx = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %vw = pto.make_tensor_view %w, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %vy = pto.make_tensor_view %y, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %x0 = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c32, %c16] : !view -> !tall
  %x1 = pto.partition_view %vx, offsets = [%c0, %c16], sizes = [%c32, %c16] : !view -> !tall
  %w0 = pto.partition_view %vw, offsets = [%c0, %c0], sizes = [%c16, %c32] : !view -> !wide
  %w1 = pto.partition_view %vw, offsets = [%c16, %c0], sizes = [%c16, %c32] : !view -> !wide
  %py = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c32, %c32] : !view -> !pto.partition_tensor_view<32x32xf32>
  %ma0 = pto.alloc_tile : !mat_a
  %ma1 = pto.alloc_tile : !mat_a
  %mb0 = pto.alloc_tile : !mat_b
  %mb1 = pto.alloc_tile : !mat_b
  %a0 = pto.alloc_tile : !left
  %a1 = pto.alloc_tile : !left
  %b0 = pto.alloc_tile : !right
  %b1 = pto.alloc_tile : !right
  %sum = pto.alloc_tile : !acc
  pto.tload ins(%x0 : !tall) outs(%ma0 : !mat_a)
  pto.tload ins(%x1 : !tall) outs(%ma1 : !mat_a)
  pto.tload ins(%w0 : !wide) outs(%mb0 : !mat_b)
  pto.tload ins(%w1 : !wide) outs(%mb1 : !mat_b)
  pto.tmov ins(%ma0 : !mat_a) outs(%a0 : !left)
  pto.tmov ins(%ma1 : !mat_a) outs(%a1 : !left)
  pto.tmov ins(%mb0 : !mat_b) outs(%b0 : !right)
  pto.tmov ins(%mb1 : !mat_b) outs(%b1 : !right)
  pto.tmatmul ins(%a0, %b0 : !left, !right) outs(%sum : !acc)
  pto.tmatmul.acc ins(%sum, %a1, %b1 : !acc, !left, !right) outs(%sum : !acc)
  pto.tstore ins(%sum : !acc) outs(%py : !pto.partition_tensor_view<32x32xf32>)
  return
}
`

// lowered returns the program l in several forms that passes produce: with tiles as
// buffers, and with addresses and flags.
func lowered(t *testing.T, l *launchable) []*launchable {
	all := []*launchable{l}
	registry := passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})
	for _, pipeline := range []string{"builtin.module(pto-bufferize)", "builtin.module(pto-bufferize,pto-multi-buffer,pto-plan-memory,pto-insert-sync)"} {
		var diags ir.Diags
		m, _ := ir.Parse(&ir.Source{Name: l.name, Text: l.text}, ir.ParseOptions{}, &diags)
		p := passes.ParsePipeline(registry, pipeline, &diags)
		if m == nil || p == nil || !p.Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
			continue
		}
		other := *l
		other.text = m.String()
		if prog, err := other.load(other.text, len(l.args)); err == nil {
			other.prog = prog
			all = append(all, &other)
		}
	}
	return all
}

// TestPlanted inserts errors of every class into examples, in their original and their
// lowered forms. The equivalence check must refute each error that changes results on
// random data.
func TestPlanted(t *testing.T) {
	perPlace := testsize.Of(1, 3)     // faults of a class in one program
	perClass := testsize.Of(4, 1<<30) // faults of a class
	planted, harmless, open := map[string]int{}, 0, 0
	total := 0
	seen := map[string]bool{}
	all := launchables(t)
	for name, text := range map[string]string{"special.pto": special, "product.pto": product} {
		if l := newLaunchable(name, text, commands(text)[0]); l != nil {
			all = append(all, l)
		} else {
			t.Errorf("the program %s cannot be launched", name)
		}
	}
	for _, first := range all {
		if seen[first.name] {
			continue
		}
		seen[first.name] = true
		for _, l := range lowered(t, first) {
			for _, f := range faults {
				places := f.where.FindAllStringSubmatchIndex(l.text, -1)
				for i, found := 0, 0; i < len(places) && found < perPlace && planted[f.class] < perClass; i++ {
					at := places[i]
					var groups []string
					for k := 0; k < len(at); k += 2 {
						groups = append(groups, l.text[at[k]:at[k+1]])
					}
					becomes := f.plant(groups)
					if becomes == "" || becomes == groups[0] {
						continue
					}
					text := l.text[:at[0]] + becomes + l.text[at[1]:]
					p, err := l.load(text, len(l.args))
					if err != nil {
						continue
					}
					if l.same(p, 11) && l.same(p, 12) {
						harmless++
						continue
					}
					v, err := l.compare(p)
					if err != nil {
						continue
					}
					found++
					planted[f.class]++
					total++
					if v.Outcome == equiv.NotDecided {
						open++
						t.Logf("%s in %s is not decided: %s", f.class, l.name, v.Why)
					}
					if v.Outcome == equiv.Equivalent {
						t.Errorf("%s in %s is not found:\n%s\nbecomes\n%s\nin\n%s", f.class, l.name, groups[0], becomes, l.text)
					}
				}
			}
		}
	}
	t.Logf("%d faults, %d not decided, %d harmless: %v", total, open, harmless, planted)
	if least := testsize.Of(40, 100); total < least {
		t.Errorf("%d faults were planted, expected %d", total, least)
	}
	for _, f := range faults {
		if planted[f.class] == 0 {
			t.Errorf("no fault of class %q changes results", f.class)
		}
	}
	if open > 0 {
		t.Errorf("%d faults were not refuted", open)
	}
}
