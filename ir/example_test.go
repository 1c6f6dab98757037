package ir_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/dialect/arith"
	"ptogo/ir"
)

// ExampleParse parses and verifies a program and iterates over its operations.
func ExampleParse() {
	src := &ir.Source{Name: "twice.mlir", Text: `
func.func @twice(%n: i32) -> i32 {
  %m = arith.addi %n, %n : i32
  return %m : i32
}`}
	module, err := ir.Parse(src, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	fmt.Println("legal:", ir.Verify(module, ir.VerifyOptions{}, &diags))
	for op := range module.Walk() {
		fmt.Println(op.Loc(), op.Name(), op.NumOperands())
	}
	// Output:
	// legal: true
	// twice.mlir:1:1 builtin.module 0
	// twice.mlir:2:1 func.func 0
	// twice.mlir:3:8 arith.addi 2
	// twice.mlir:4:3 func.return 1
}

// ExampleVerify prints the diagnostics for a program that violates a rule.
func ExampleVerify() {
	src := &ir.Source{Name: "bad.mlir", Text: `
func.func @f(%n: i32) -> i64 {
  return %n : i32
}`}
	var diags ir.Diags
	module, err := ir.Parse(src, ir.ParseOptions{}, &diags)
	if err == nil && !ir.Verify(module, ir.VerifyOptions{}, &diags) {
		err = diags.Err()
	}
	fmt.Println(err)
	// Output:
	// bad.mlir:3:3: error: 'func.return' op operand 0 has type i32, but function @f returns i64
}

// ExampleBuilder inserts an operation into a function.
func ExampleBuilder() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: "func.func @f(%n: i32) {\n  return\n}"}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := module.Region(0).Entry().First()
	body := f.Region(0).Entry()
	b := ir.Before(body.Terminator())
	three := b.Op(arith.Constant, nil, []ir.Type{ir.I32}, ir.NamedAttr{Name: "value", Attr: ir.IntAttr(ir.I32, 3)})
	b.Op(arith.MulI, []*ir.Value{body.Arg(0), three.Result(0)}, []ir.Type{ir.I32})
	fmt.Println(f)
	// Output:
	// func.func @f(%n: i32) {
	//   %0 = arith.constant 3 : i32
	//   %1 = arith.muli %n, %0 : i32
	//   return
	// }
}

// ExampleVisible shows that Visible escapes control characters, so that names and strings
// of a program cannot control a terminal.
func ExampleVisible() {
	fmt.Println(ir.Visible("red\x1b[31m and\nmore"))
	// Output: red\x1b[31m and\nmore
}

// ExampleNearest finds the name that a misspelled name probably means.
func ExampleNearest() {
	fmt.Println(ir.Nearest("tmatmull", []string{"tmatmul", "tmax", "tmul"}))
	// Output: tmatmul
}

// ExampleCount writes a number with a noun in the right form.
func ExampleCount() {
	fmt.Println(ir.Count(1, "tile"), "and", ir.Count(3, "block"))
	// Output: 1 tile and 3 blocks
}

// ExampleLookup finds the definition of an operation by its name.
func ExampleLookup() {
	fmt.Println(ir.Lookup("arith.addi").Name)
	fmt.Println(ir.Lookup("arith.adi") == nil)
	// Output:
	// arith.addi
	// true
}

// ExampleBytes prints a program in MLIR's generic form, which needs no
// knowledge of a dialect's own syntax.
func ExampleBytes() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: "func.func @f(%n: i32) {\n  %m = arith.addi %n, %n : i32\n  return\n}"}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", ir.Bytes(module, ir.PrintOptions{Generic: true}))
	// Output:
	// "builtin.module"() ({
	//   "func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
	//   ^bb0(%n: i32):
	//     %m = "arith.addi"(%n, %n) : (i32, i32) -> i32
	//     "func.return"() : () -> ()
	//   }) : () -> ()
	// }) : () -> ()
}

// ExampleOp_Walk visits an operation and all operations inside it, outer ones first.
func ExampleOp_Walk() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: "func.func @f(%c: i1) {\n  scf.if %c {\n  }\n  return\n}"}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for op := range module.Walk() {
		fmt.Println(op.Name())
	}
	// Output:
	// builtin.module
	// func.func
	// scf.if
	// scf.yield
	// func.return
}

// ExampleOp_SetOperand replaces an operand; the use lists of both values are updated.
func ExampleOp_SetOperand() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: "func.func @f(%a: i32, %b: i32) -> i32 {\n  return %a : i32\n}"}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := module.Region(0).Entry().First().Region(0).Entry()
	body.First().SetOperand(0, body.Arg(1))
	fmt.Println(body.First())
	// Output: return %b : i32
}

// ExampleOp_Clone copies an operation; the map replaces its operands by other values.
func ExampleOp_Clone() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: "func.func @f(%a: i32, %b: i32) {\n  %m = arith.muli %a, %a : i32\n  return\n}"}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := module.Region(0).Entry().First().Region(0).Entry()
	op := body.First()
	body.InsertAfter(op.Clone(map[*ir.Value]*ir.Value{body.Arg(0): body.Arg(1)}), op)
	fmt.Println(module)
	// Output:
	// module {
	//   func.func @f(%a: i32, %b: i32) {
	//     %m = arith.muli %a, %a : i32
	//     %m_0 = arith.muli %b, %b : i32
	//     return
	//   }
	// }
}

// ExampleDiags collects errors with their source locations and prints them in the order
// of the text.
func ExampleDiags() {
	src := &ir.Source{Name: "two.pto", Text: `
func.func @f(%t: !pto.tile<16x64xf32>, %s: f16) {
  %a = pto.tadd %t, %s : (!pto.tile<16x64xf32>, f16) -> !pto.tile<16x64xf32>
  %b = pto.texp %t : !pto.tile<16x64xf32> -> !pto.tile<16x32xf32>
  return
}`}
	var diags ir.Diags
	if module, err := ir.Parse(src, ir.ParseOptions{}, &diags); err == nil {
		ir.Verify(module, ir.VerifyOptions{}, &diags)
	}
	for _, d := range diags.All() {
		fmt.Println(d.Loc, d.Severity, d.Text)
	}
	// Output:
	// two.pto:3:8 error 'pto.tadd' op: operand "src1" must be a !pto.tile of f32 in vec, blayout=row_major, as "src0" is, but is f16
	// two.pto:4:8 error 'pto.texp' op on target a3: valid columns of "src" and "dst" must be equal, but are 64 and 32
}
