package ir_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/dialect/arith"
	"ptogo/ir"
)

// ExampleParse reads a program, checks it and looks at its operations.
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

// ExampleVerify shows what a program is told that breaks a rule.
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
	// bad.mlir:3:3: error: 'func.return' op operand 0 is i32, but function @f returns i64
}

// ExampleBuilder inserts operations after those of a function.
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
