package passes_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/passes"
)

// ExampleParsePipeline parses the text of a pipeline and runs it.
func ExampleParsePipeline() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: `
func.func @f(%n: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %five = arith.addi %c2, %c3 : i32
  %a = arith.muli %n, %five : i32
  %b = arith.muli %n, %five : i32
  %sum = arith.addi %a, %b : i32
  return %sum : i32
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	known := passes.NewRegistry(passes.Table{Passes: passes.List})
	p := passes.ParsePipeline(known, "builtin.module(func.func(canonicalize,cse))", &diags)
	if p == nil || !p.Run(module, passes.RunOptions{Diags: &diags}) {
		fmt.Println(diags.Err())
		return
	}
	fmt.Println(module)
	// Output:
	// module {
	//   func.func @f(%n: i32) -> i32 {
	//     %five = arith.constant 5 : i32
	//     %a = arith.muli %n, %five : i32
	//     %sum = arith.addi %a, %a : i32
	//     return %sum : i32
	//   }
	// }
}

// ExamplePipeline builds a pipeline from passes in Go and prints their statistics.
func ExamplePipeline() {
	module, err := ir.Parse(&ir.Source{Name: "in", Text: `
func.func @f(%n: i32) -> i32 {
  %a = arith.muli %n, %n : i32
  %b = arith.muli %n, %n : i32
  %unused = arith.addi %a, %b : i32
  return %b : i32
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	p := passes.NewPipeline()
	p.Add(passes.CSE, "", &diags)
	p.Add(passes.Canonicalize, "", &diags)
	if !p.Run(module, passes.RunOptions{Diags: &diags}) {
		fmt.Println(diags.Err())
		return
	}
	fmt.Println(module)
	// Output:
	// module {
	//   func.func @f(%n: i32) -> i32 {
	//     %a = arith.muli %n, %n : i32
	//     return %a : i32
	//   }
	// }
}

// ExampleParsePipeline_unknown shows the error for a pass that does not exist.
func ExampleParsePipeline_unknown() {
	var diags ir.Diags
	known := passes.NewRegistry(passes.Table{Passes: passes.List})
	fmt.Println(passes.ParsePipeline(known, "builtin.module(cannonicalize)", &diags) == nil)
	fmt.Println(diags.Err())
	// Output:
	// true
	// pass pipeline:1:16: error: unknown pass 'cannonicalize'
}
