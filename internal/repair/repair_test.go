package repair

import (
	"crypto/sha256"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestTypes checks the places of types in lines of all forms.
func TestTypes(t *testing.T) {
	for line, want := range map[string][]string{
		"%a = arith.constant 1 : index // i32":                                         {"index"},
		"%t = pto.tload %p : !pto.view<2x?xf32> -> !pto.tile<16x64xf32, valid=16x?>":   {"!pto.view<2x?xf32>", "!pto.tile<16x64xf32, valid=16x?>"},
		"pto.tmov ins(%a : !mat) outs(%b : !left)":                                     {"!mat", "!left"},
		"func.func @f(%x: !pto.ptr<f32, gm>, %f32: f32) -> (i1, !p.q<a<b>>) {":         {"!pto.ptr<f32, gm>", "f32", "i1", "!p.q<a<b>>"},
		"%c = scf.for %i32 = %a to %b step %c iter_args(%x = %y) -> (!tile) : i64 {  ": {"!tile", "i64"},
	} {
		var got []string
		for _, s := range types(line, extent(line, 0)) {
			got = append(got, line[s.off:s.end])
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestExtent checks that an operation has all its lines, but not its regions.
func TestExtent(t *testing.T) {
	const text = "a.b {x = [\n  1,\n  2]} : i32\nscf.for %i = %a to %b {\n  c.d\n}\n"
	for at, want := range map[string]string{"a.b": "a.b {x = [\n  1,\n  2]} : i32", "scf.for": "scf.for %i = %a to %b {", "c.d": "  c.d"} {
		s := extent(text, strings.Index(text, at))
		if got := text[s.off:s.end]; got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

// TestSuggest checks that an edit is offered only if the changed program has no other error,
// that the cheapest one is chosen, and that the limits hold.
func TestSuggest(t *testing.T) {
	src := &ir.Source{Text: "%a = arith.constant 1 : i32\n\"my.use\"(%a) : (index) -> ()\n"}
	reads := 0
	read := func(wrong string) func(*ir.Source) []*ir.Diag {
		return func(s *ir.Source) []*ir.Diag {
			reads++
			var diags ir.Diags
			if strings.Contains(s.Text, "i32") && strings.Contains(s.Text, "index") {
				use := strings.LastIndex(s.Text, "%a")
				diags.Error(ir.LocAt(s, use), "use of value '%a' expects different type than prior uses: 'index' vs 'i32'").
					Note(ir.LocAt(s, 0), "prior use here")
			} else if strings.Contains(s.Text, wrong) {
				diags.Error(ir.LocAt(s, 0), "another error")
			}
			return diags.All()
		}
	}
	for wrong, want := range map[string]string{"none": "%a = arith.constant 1 : index\n", "1 : index": "(%a) : (i32) -> ()", "%a": ""} {
		diags := read(wrong)(src)
		Suggest(src, diags, read(wrong))
		fix := diags[0].FirstFix()
		switch {
		case fix == nil && want != "":
			t.Errorf("%s: no edit", wrong)
		case fix != nil:
			if got, _ := ir.Apply(src, []*ir.Fix{fix}); want == "" || !strings.Contains(got, want) {
				t.Errorf("%s: %q", wrong, got)
			}
		}
	}
	long := &ir.Source{Text: src.Text + strings.Repeat("// more\n", maxText/8)}
	diags := read("none")(long)
	reads = 0
	if Suggest(long, diags, read("none")); reads != 0 || diags[0].FirstFix() != nil {
		t.Errorf("a text of %d bytes is read %d times", len(long.Text), reads)
	}
}

// TestHeld checks that the programs in the queue are bounded.
func TestHeld(t *testing.T) {
	s := &search{seen: map[[sha256.Size]byte]bool{}}
	text := strings.Repeat("x", maxText)
	for i := range 2 * maxHeld / maxText {
		s.push(&attempt{text: text + strconv.Itoa(i)})
	}
	if s.held > maxHeld || len(s.queue) >= 2*maxHeld/maxText {
		t.Errorf("%d programs of %d bytes wait", len(s.queue), s.held)
	}
}
