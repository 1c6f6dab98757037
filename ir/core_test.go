package ir_test

import (
	"slices"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

// find returns the operations with the given name, in the order of the text.
func find(m *ir.Op, name string) []*ir.Op {
	var ops []*ir.Op
	for op := range m.Walk() {
		if op.Name() == name {
			ops = append(ops, op)
		}
	}
	return ops
}

// users returns the names of the operations that use v, the most recent use first.
func users(v *ir.Value) string {
	var names []string
	for u := range v.Uses() {
		names = append(names, u.Owner().Name())
	}
	return strings.Join(names, " ")
}

func TestUses(t *testing.T) {
	m := mlirtest.Parse(t, "in", `func.func @f(%a: i32, %b: i32) {
  "my.one"(%a) : (i32) -> ()
  "my.two"(%a, %b, %a) : (i32, i32, i32) -> ()
  "my.three"(%b) : (i32) -> ()
  return
}`)
	one, two, three := find(m, "my.one")[0], find(m, "my.two")[0], find(m, "my.three")[0]
	a, b := one.Operand(0), three.Operand(0)
	check := func(when, wantA, wantB string) {
		t.Helper()
		if users(a) != wantA || users(b) != wantB {
			t.Errorf("%s: %%a is used by %q and %%b by %q, want %q and %q", when, users(a), users(b), wantA, wantB)
		}
	}
	check("at first", "my.two my.two my.one", "my.three my.two")
	two.SetOperand(0, b)
	check("after SetOperand", "my.two my.one", "my.two my.three my.two")
	one.SetOperands([]*ir.Value{b, b, b, b}, nil) // more than have room in the operation
	check("after SetOperands", "my.two", "my.one my.one my.one my.one my.two my.three my.two")
	three.Erase()
	check("after Erase", "my.two", "my.one my.one my.one my.one my.two my.two")
	a.ReplaceAllUses(a)
	check("after replacing by itself", "my.two", "my.one my.one my.one my.one my.two my.two")
	b.ReplaceAllUses(a)
	if b.HasUses() || len(users(a)) != len("my.two my.one my.one my.one my.one my.two my.two") {
		t.Errorf("after ReplaceAllUses: %q and %q", users(a), users(b))
	}
	for u := range a.Uses() {
		if u.Owner().Operand(u.Index()) != a {
			t.Errorf("use %d of %s is %s", u.Index(), u.Owner().Name(), u.Value().Name())
		}
	}
	if a.HasOneUse() || !a.HasUses() {
		t.Error("%a has several uses")
	}
}

// TestEraseUsed checks that Erase panics for an operation whose result is still used.
func TestEraseUsed(t *testing.T) {
	m := mlirtest.Parse(t, "in", "func.func @f() {\n%a = \"my.def\"() : () -> i32\n\"my.use\"(%a) : (i32) -> ()\nreturn\n}")
	defer func() {
		if r, _ := recover().(string); !strings.HasPrefix(r, "BUG: ") {
			t.Errorf("recovered %q", r)
		}
	}()
	find(m, "my.def")[0].Erase()
}

func TestBlockOrder(t *testing.T) {
	m := mlirtest.Parse(t, "in", "func.func @f() {\n\"my.a\"() : () -> ()\n\"my.b\"() : () -> ()\n\"my.c\"() : () -> ()\nreturn\n}")
	a, b, c := find(m, "my.a")[0], find(m, "my.b")[0], find(m, "my.c")[0]
	block := a.Block()
	names := func() string {
		var s []string
		for op := range block.Ops() {
			s = append(s, strings.TrimPrefix(op.Name(), "my."))
		}
		return strings.Join(s, " ")
	}
	if !a.Before(b) || !b.Before(c) || c.Before(a) {
		t.Error("the order is a b c")
	}
	block.InsertBefore(c, a)
	if !c.Before(a) || names() != "c a b func.return" {
		t.Errorf("after moving c: %s", names())
	}
	block.InsertAfter(a, b)
	if !b.Before(a) || names() != "c b a func.return" {
		t.Errorf("after moving a: %s", names())
	}
	block.Prepend(a)
	if !a.Before(c) || names() != "a c b func.return" || block.First() != a || block.Last().Name() != "func.return" {
		t.Errorf("after moving a to the front: %s", names())
	}
	last := block.Last()
	block.Append(last)
	block.InsertBefore(c, b)
	block.InsertAfter(b, c)
	block.InsertAfter(b, b)
	if names() != "a c b func.return" || block.Last() != last || last.Prev() != b {
		t.Errorf("after moving all to where they are: %s", names())
	}
	block.Region().Append(block)
	if block.Next() != nil || block.Region().Last() != block || block.Region().Entry() != block {
		t.Error("after moving the block to where it is: it is not alone")
	}
	b.Remove()
	if names() != "a c func.return" || b.Block() != nil || b.Parent() != nil {
		t.Errorf("after removing b: %s", names())
	}
	tail := block.SplitAfter(c)
	if names() != "a c" || tail.First().Name() != "func.return" || tail.Region() != block.Region() || block.Next() != tail {
		t.Errorf("after splitting: %s", names())
	}
	block.Splice(tail)
	tail.Erase()
	if names() != "a c func.return" || block.Next() != nil {
		t.Errorf("after joining: %s", names())
	}
}

// TestWalkErasing checks that Walk continues if the loop body erases or replaces the
// current operation.
func TestWalkErasing(t *testing.T) {
	m := mlirtest.Parse(t, "in", `func.func @f(%c: i1) {
  "my.drop"() : () -> ()
  scf.if %c {
    "my.drop"() : () -> ()
    "my.keep"() : () -> ()
    "my.drop"() : () -> ()
  }
  "my.drop"() : () -> ()
  return
}`)
	for op := range m.Walk() {
		if op.Name() == "my.drop" {
			op.Erase()
		}
	}
	if len(find(m, "my.drop")) != 0 || len(find(m, "my.keep")) != 1 || len(find(m, "scf.if")) != 1 {
		t.Errorf("left over:\n%s", m)
	}
}

func TestClone(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"values", "func.func @f(%a: i32) -> i32 {\n%0 = arith.addi %a, %a overflow<nsw> {note} : i32\n%1:2 = \"my.pair\"(%0) : (i32) -> (i32, i32)\nreturn %1#1 : i32\n}"},
		{"regions", "func.func @f(%n: index, %x: f32) -> f32 {\n%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) {\n%s = arith.addf %p, %x : f32\nscf.yield %s : f32\n}\nreturn %r : f32\n}"},
		{"blocks", "func.func @f(%c: i1, %x: i32) -> i32 {\ncf.cond_br %c, ^a(%x : i32), ^b\n^a(%p: i32):\nreturn %p : i32\n^b:\ncf.br ^a(%x : i32)\n}"},
		{"value of a block further on", "func.func @f(%c: i1) {\ncf.br ^b\n^a:\nscf.if %c {\n\"my.use\"(%v) : (i32) -> ()\n}\nreturn\n^b:\n%v = \"my.def\"() : () -> i32\ncf.br ^a\n}"},
		{"graph", "\"my.graph\"() ({\n%a = \"my.op\"(%b) : (i32) -> i32\n%b = \"my.op\"(%a) : (i32) -> i32\n}) : () -> ()"},
		{"segments", "func.func @f(%m: memref<?xf32>, %n: index) {\n%0 = memref.subview %m[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>\nreturn\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mlirtest.Parse(t, "in", c.text)
			copied := m.Clone(nil)
			if got, want := mlirtest.Print(copied, true), mlirtest.Print(m, true); got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			own := map[*ir.Op]bool{}
			for op := range copied.Walk() {
				own[op] = true
			}
			for op := range copied.Walk() {
				for i, v := range op.Operands() {
					if d := v.Op(); d != nil && !own[d] {
						t.Errorf("operand %d of the copy of %s belongs to the original", i, op.Name())
					}
				}
			}
		})
	}
}

// TestCloneWith checks that Clone replaces the operands that its map contains by the
// given values.
func TestCloneWith(t *testing.T) {
	m := mlirtest.Parse(t, "in", "func.func @f(%a: i32, %b: i32, %c: i32) {\n\"my.use\"(%a, %b) : (i32, i32) -> ()\nreturn\n}")
	use := find(m, "my.use")[0]
	entry := use.Block()
	a, b, c := entry.Arg(0), entry.Arg(1), entry.Arg(2)
	got := use.Clone(map[*ir.Value]*ir.Value{a: b, b: c}).Operands()
	if !slices.Equal(got, []*ir.Value{b, c}) {
		t.Errorf("the clone uses %%%s and %%%s", got[0].Name(), got[1].Name())
	}
}

func TestRewriter(t *testing.T) {
	m := mlirtest.Parse(t, "in", "func.func @f(%a: i32) -> i32 {\n%0 = \"my.def\"(%a) : (i32) -> i32\n%1 = \"my.old\"(%0) : (i32) -> i32\nreturn %1 : i32\n}")
	old := find(m, "my.old")[0]
	def := old.Operand(0).Op()
	var changed, removed []string
	rw := &ir.Rewriter{
		Builder: *ir.Before(old),
		Changed: func(op *ir.Op) { changed = append(changed, op.Name()) },
		Removed: func(op *ir.Op) { removed = append(removed, op.Name()) },
	}
	fresh := rw.Op(ir.Lookup("arith.addi"), []*ir.Value{def.Operand(0), def.Operand(0)}, []ir.Type{ir.I32})
	rw.Replace(old, fresh.Result(0))
	if got := strings.Join(changed, " "); got != "arith.addi func.return my.def" {
		t.Errorf("changed: %s", got)
	}
	if got := strings.Join(removed, " "); got != "my.old" {
		t.Errorf("removed: %s", got)
	}
	rw.Erase(def)
	want := "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}"
	if got := m.Region(0).Entry().First().String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSymbols(t *testing.T) {
	m := mlirtest.Parse(t, "in", "module @outer {\nfunc.func private @f()\nmodule @inner {\nfunc.func private @g()\nfunc.func private @f()\n\"my.op\"() : () -> ()\n}\n}")
	from := find(m, "my.op")[0]
	for _, c := range []struct {
		ref  ir.Attr
		want string // the symbol around the one found
	}{
		{ir.Symbol("f"), "inner"},
		{ir.Symbol("g"), "inner"},
		{ir.Symbol("inner"), "outer"},
		{ir.AttrOf(ir.SymbolRefAttr{Root: "inner", Nested: ir.MakeList("f")}), "inner"},
		{ir.Symbol("h"), ""},
		{ir.AttrOf(ir.SymbolRefAttr{Root: "inner", Nested: ir.MakeList("h")}), ""},
		{ir.Str("f"), ""},
	} {
		got := ""
		if op := ir.LookupSymbol(from, c.ref); op != nil {
			got, _ = ir.SymbolName(op.Parent())
		}
		if got != c.want {
			t.Errorf("%s is found in %q, want %q", c.ref, got, c.want)
		}
	}
}

// TestSymbolsThatChange checks that LookupSymbol finds a symbol after it has been moved
// or renamed, although earlier lookups are cached.
func TestSymbolsThatChange(t *testing.T) {
	m := mlirtest.Parse(t, "in", "module {\nfunc.func private @f()\nfunc.func private @g()\nmodule @inner {\n\"my.op\"() : () -> ()\n}\n}")
	from, fs := find(m, "my.op")[0], find(m, "func.func")
	f, g, inner := fs[0], fs[1], find(m, "builtin.module")[1]
	check := func(when string, wantF, wantG, wantH *ir.Op) {
		t.Helper()
		for name, want := range map[string]*ir.Op{"f": wantF, "g": wantG, "h": wantH} {
			if got := ir.LookupSymbol(from, ir.Symbol(name)); got != want {
				t.Errorf("%s: @%s is %p, want %p", when, name, got, want)
			}
		}
	}
	check("at first", f, g, nil)
	f.SetAttr("sym_name", ir.Str("h"))
	check("after a new name", nil, g, f)
	inner.Region(0).Entry().Prepend(f)
	check("after moving it inside", nil, g, f)
	g.SetAttr("sym_name", ir.Str("h"))
	check("with the name of another around", nil, nil, f)
	f.Erase()
	check("after erasing the inner one", nil, nil, g)
}

func TestDominance(t *testing.T) {
	m := mlirtest.Parse(t, "in", `func.func @f(%c: i1) {
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^join
^right:
  cf.cond_br %c, ^right, ^join
^join:
  return
^dead:
  cf.br ^join
}`)
	blocks := map[string]*ir.Block{}
	for b := range m.Region(0).Entry().First().Region(0).Blocks() {
		blocks[[]string{"entry", "left", "right", "join", "dead"}[len(blocks)]] = b
	}
	var d ir.Dominance
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"entry", "entry", true}, {"entry", "join", true}, {"entry", "right", true},
		{"left", "join", false}, {"right", "join", false}, {"join", "left", false},
		{"right", "right", true}, {"dead", "join", false}, {"left", "dead", true},
	} {
		if got := d.BlockDominates(blocks[c.a], blocks[c.b]); got != c.want {
			t.Errorf("%s dominates %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if n := len(blocks["join"].Predecessors()); n != 3 {
		t.Errorf("join has %d predecessors, want 3", n)
	}
}

// TestUnprintableSource checks that a diagnostic about binary input escapes control
// characters and places the caret correctly.
func TestUnprintableSource(t *testing.T) {
	src := &ir.Source{Name: "in", Text: "é\x1b\xff\tx y"}
	d := &ir.Diag{Loc: ir.LocAt(src, len("é\x1b\xff\tx")), Severity: ir.Error, Text: "bad"}
	want := "in:1:7: error: bad\né\\x1b\\xff\tx y\n         \t ^\n"
	if got := d.Format(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
