package ir_test

import (
	"strings"
	"testing"

	"ptogo/ir"
)

var side = ir.NewEnum("fmt", "side", "left", "right")

var colour = ir.NewEnum("fmt", "colour", "red", "green")

// formatOps are operations whose custom syntax uses the elements of the format language.
var formatOps = []*ir.Def{
	formatOp("clauses", ir.Asm("$a (`,` `twice` `(` $b^ `)`)? (`,` $side^)? (`sure` $sure^)? attr-dict `:` type($a) (`,` type($b)^)?"),
		[]ir.Arg{{Name: "a", Type: ir.Any}, {Name: "b", Type: ir.Any, Arity: ir.Optional}},
		ir.AttrDef{Name: "side", Type: side, Optional: true}, ir.AttrDef{Name: "sure", Type: ir.AnyUnit, Optional: true}),
	formatOp("comma", ir.Asm("$a `,?` `by` `=` $b attr-dict `:` type($a) `,` type($b)"), []ir.Arg{{Name: "a", Type: ir.Any}, {Name: "b", Type: ir.Any}}),
	formatOp("synonyms", ir.Asm("$a (`loop|loop1|loop2` `(` $bs `)`)* attr-dict `:` type($a) (`,` `loop|loop1|loop2` type($bs))*"),
		[]ir.Arg{{Name: "a", Type: ir.Any}, {Name: "bs", Type: ir.Any, Arity: ir.Variadic}}),
	formatOp("keys", ir.Asm("keys($n, where=$side, what=full($colour)) attr-dict"), nil,
		ir.AttrDef{Name: "n", Type: ir.IntOf(ir.I32)}, ir.AttrDef{Name: "side", Type: side, Optional: true}, ir.AttrDef{Name: "colour", Type: colour, Optional: true}),
	formatOp("enums", ir.Asm("$x `,` quoted($side) `,` full($colour) attr-dict"), nil,
		ir.AttrDef{Name: "x", Type: ir.EnumIn(side, colour)}, ir.AttrDef{Name: "side", Type: side}, ir.AttrDef{Name: "colour", Type: colour}),
	formatOp("anchor", ir.AsmWith("$a (`,` custom<shout>($side)^)? attr-dict `:` type($a)", map[string]ir.Hook{"shout": shout}),
		[]ir.Arg{{Name: "a", Type: ir.Any}}, ir.AttrDef{Name: "side", Type: side, Optional: true}),
}

// shout is a hook that prints an enum keyword followed by (really).
var shout = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) {
		st.Attr("side", p.EnumCase(side))
		p.Expect("(")
		p.Keyword("really")
		p.Expect(")")
	},
	PrintFn: func(w *ir.Printer, op *ir.Op) {
		w.Raw(" " + op.Attr("side").Keyword() + "(really")
		w.Token(")")
	},
}

func formatOp(name string, s ir.Syntax, args []ir.Arg, attrs ...ir.AttrDef) *ir.Def {
	return &ir.Def{Name: "fmt." + name, Attrs: attrs, Forms: []*ir.Form{{Operands: args, Syntax: s}}}
}

func init() {
	ir.Register(&ir.Dialect{Name: "fmt", Defs: formatOps, Enums: []*ir.Enum{side, colour}})
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no clause", "fmt.clauses %a : i32", ""},
		{"operand in a clause", "fmt.clauses %a, twice(%b) : i32, i64", ""},
		{"enum in a clause", "fmt.clauses %a, right : i32", ""},
		{"unit attribute", "fmt.clauses %a, twice(%b), left sure {x} : i32, i64", ""},
		{"unknown clause", "fmt.clauses %a, middle : i32", "error: expected"},
		{"optional comma left out", "fmt.comma %a by = %b : i32, i64", "fmt.comma %a, by = %b : i32, i64"},
		{"optional comma", "fmt.comma %a, by = %b : i32, i64", ""},
		{"another word for an optional comma", "fmt.comma %a; by = %b : i32, i64", "error:"},
		{"synonyms", "fmt.synonyms %a loop(%b) loop2(%b) : i32, loop1 i64, loop i64", "fmt.synonyms %a loop(%b) loop(%b) : i32, loop i64, loop i64"},
		{"keys in order", "fmt.keys {n = 3, where = left, what = #fmt.colour<red>}", ""},
		{"keys in any order", "fmt.keys {what = green, n = 3} {x}", "fmt.keys {n = 3, what = #fmt.colour<green>} {x}"},
		{"key twice", "fmt.keys {n = 3, n = 4}", "error: 'n' is given twice"},
		{"unknown key", "fmt.keys {m = 3}", "error: 'fmt.keys' op has no 'm' here"},
		{"case of one of two enums", "fmt.enums #fmt.colour<red>, \"left\", #fmt.colour<green>", ""},
		{"bare and quoted cases", "fmt.enums \"green\", right, red", "fmt.enums #fmt.colour<green>, \"right\", #fmt.colour<red>"},
		{"case of no enum", "fmt.enums blue, right, red", "error: 'blue' is not a case of"},
		{"hook as an anchor", "fmt.anchor %a, left(really) : i32", ""},
		{"hook that is absent", "fmt.anchor %a : i32", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.text
			}
			if got := rewritten(c.text); !strings.Contains(got, want) {
				t.Errorf("%s\nbecomes\n%s\nwant\n%s", c.text, got, want)
			}
		})
	}
}

// rewritten parses text, an operation with the operands %a and %b, and returns its
// printed form, or the error.
func rewritten(text string) string {
	src := "%a = \"t.def\"() : () -> i32\n%b = \"t.def\"() : () -> i64\n" + text + "\n"
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "text", Text: src}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if m == nil {
		return diags.All()[0].Format()
	}
	var b strings.Builder
	ir.Print(&b, m, ir.PrintOptions{})
	return b.String()
}
