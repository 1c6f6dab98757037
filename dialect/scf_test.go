package dialect_test

import (
	"testing"

	"ptogo/tools/mlirtest"
)

func TestSCFRejects(t *testing.T) {
	const head = "func.func @f(%n: index, %a: i32, %c: i1, %x: f32, %t: tensor<4xf32>) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"float bound", "scf.for %i = %x to %x step %x : f32 { }", `operand "lowerBound" must be a signless integer or index, but is f32`},
		{"mixed bounds", "scf.for %i = %n to %a step %n { }", "use of value '%a' expects different type than prior uses: 'index' vs 'i32'"},
		{"iter_args without types", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) { scf.yield %p : f32 }", "carries 1 value, but has 0 types for them"},
		{"more types than iter_args", "%r:2 = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32, f32) { scf.yield %p : f32 }", "carries 1 value, but has 2 types for them"},
		{"yield of too few", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { scf.yield }", "'scf.yield' op has 0 operands, but the body requires 1"},
		{"yield of another type", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { scf.yield %a : i32 }", "has a value of type i32 as operand #0, but the body requires type f32"},
		{"missing yield", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { }", "'scf.yield' op has 0 operands"},
		{"counter of another type", `"scf.for"(%n, %n, %n) ({
^bb0(%i: i32):
  scf.yield
}) : (index, index, index) -> ()`, "requires block argument #0 of its body to have type index, but it has type i32"},
		{"two blocks", `"scf.for"(%n, %n, %n) ({
^bb0(%i: index):
  cf.br ^bb1
^bb1:
  scf.yield
}) : (index, index, index) -> ()`, `region "body" must have one block`},
		{"results of a for", `%r = "scf.for"(%n, %n, %n) ({
^bb0(%i: index):
  scf.yield
}) : (index, index, index) -> f32`, "has 0 initial values, but its list of results requires 1"},
		{"if without else", "%r = scf.if %c -> (f32) { scf.yield %x : f32 }", "has 1 result, so it needs an else region"},
		{"branch without value", "%r = scf.if %c -> (f32) { scf.yield %x : f32 } else { }", "has 0 operands, but the else region requires 1"},
		{"value nobody takes", "scf.if %c { scf.yield %x : f32 }", "has 1 operand, but the then region requires 0"},
		{"condition of if", "scf.if %n { }", "use of value '%n' expects different type than prior uses: 'i1' vs 'index'"},
		{"no condition", "scf.while : () -> () { scf.yield } do { scf.yield }", "must have a first region that ends with scf.condition"},
		{"values of condition", "%r = scf.while : () -> (f32) { scf.condition(%c) } do { ^bb0(%p: f32): scf.yield }", "has 0 operands, but the result list of scf.while requires 1"},
		{"second region", "%r = scf.while : () -> (f32) { scf.condition(%c) %x : f32 } do { scf.yield }", "must have 1 block argument(s) in its second region, but has 0"},
		{"condition elsewhere", "scf.if %c { scf.condition(%c) }", "'scf.condition' op must be the last operation in the first region of scf.while"},
		{"yield elsewhere", "scf.yield", "'scf.yield' op must be the last operation in a region of scf.for"},
		{"case twice", "scf.index_switch %n\ncase 1 { scf.yield }\ncase 1 { scf.yield }\ndefault { }", "has case 1 twice"},
		{"case without value", "%r = scf.index_switch %n -> f32\ncase 1 { scf.yield }\ndefault { scf.yield %x : f32 }", "has 0 operands, but the region of case 1 requires 1"},
		{"no default", "scf.index_switch %n\ncase 1 { scf.yield }", "expected 'default'"},
		{"cases and regions", `"scf.index_switch"(%n) <{cases = array<i64: 1, 2>}> ({
  scf.yield
}, {
  scf.yield
}) : (index) -> ()`, "has 1 region for 2 cases"},
		{"no region", `"scf.index_switch"(%n) <{cases = array<i64>}> : (index) -> ()`, "expects at least 1 region, found 0"},
		{"value of execute_region", "%r = scf.execute_region -> f32 { scf.yield }", "has 0 operands, but the region requires 1"},
		{"bounds of parallel", "scf.parallel (%i) = (%n, %n) to (%n) step (%n) { }", "has 1 counter, but 2 values here"},
		{"no counters", "scf.parallel () = () to () step () { }", "has 0 lower bounds, 0 upper bounds and 0 steps"},
		{"counter of an integer type", "scf.parallel (%i) = (%a) to (%a) step (%a) { }", "use of value '%a' expects different type than prior uses: 'index' vs 'i32'"},
		{"nothing combined", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce }", "'scf.reduce' op has 0 operands, but scf.parallel requires 1"},
		{"result without a start", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32, %q: f32): scf.reduce.return %p : f32 } }", "has 0 initial values, but its list of results requires 1"},
		{"combined value of another type", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%a : i32) { ^a(%p: i32, %q: i32): scf.reduce.return %p : i32 } }", "has a value of type i32 as operand #0, but scf.parallel requires type f32"},
		{"arguments of a reduction", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32): scf.reduce.return %p : f32 } }", "must have 2 block argument(s) in a region, but has 1"},
		{"result of a reduction", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32, %q: f32): scf.reduce.return %a : i32 } }", "has a value of type i32 as operand #0, but the reduction requires type f32"},
		{"reduce elsewhere", "scf.reduce", "'scf.reduce' op must be the last operation in the body of scf.parallel"},
		{"reduce.return elsewhere", "scf.reduce.return %x : f32", "must be the last operation in a region of scf.reduce"},
		{"in_parallel elsewhere", "scf.forall.in_parallel { }", "must be the last operation in the body of scf.forall"},
		{"bounds of forall", "scf.forall (%i, %j) in (%n) { }", "has 2 lower bounds, 1 upper bound and 2 steps"},
		{"type of shared_outs", "%r = scf.forall (%i) in (%n) shared_outs(%q = %t) -> (tensor<5xf32>) { scf.forall.in_parallel { } }", "use of value '%t' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'"},
		{"scalar in shared_outs", "%r = scf.forall (%i) in (%n) shared_outs(%q = %x) -> (f32) { scf.forall.in_parallel { } }", `operand "outputs" must be a ranked tensor, but is f32`},
		{"end of forall", "scf.forall (%i) in (%n) { scf.yield }", "'scf.yield' op must be the last operation in a region of scf.for"},
		{"value of a loop outside", "scf.for %i = %n to %n step %n { %k = arith.constant 1 : i32 }\n%r = arith.addi %k, %k : i32", "use of undeclared SSA value name '%k'"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\nreturn\n}", c.want) })
	}
}

// TestSCFStep shows a rule that mlir-opt leaves to the program, and the public
// assembler does not.
func TestSCFStep(t *testing.T) {
	const head = "func.func @f(%n: index, %a: i32) {\n"
	for _, c := range []struct{ body, want string }{
		{"%s = arith.constant 0 : index scf.for %i = %n to %n step %s { }", "'scf.for' op must have a positive step, but its step is 0"},
		{"%s = arith.constant -1 : i32 scf.for %i = %a to %a step %s : i32 { }", "must have a positive step, but its step is -1"},
	} {
		mlirtest.RejectsAlone(t, head+c.body+"\nreturn\n}", c.want)
	}
}
