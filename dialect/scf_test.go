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
		{"yield of too few", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { scf.yield }", "'scf.yield' op yields 0 values, but its body needs 1"},
		{"yield of another type", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { scf.yield %a : i32 }", "yields a i32 as value #0, but its body needs f32"},
		{"missing yield", "%r = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (f32) { }", "'scf.yield' op yields 0 values"},
		{"counter of another type", `"scf.for"(%n, %n, %n) ({
^bb0(%i: i32):
  scf.yield
}) : (index, index, index) -> ()`, "its body accepts a i32 as argument #0, but receives index"},
		{"two blocks", `"scf.for"(%n, %n, %n) ({
^bb0(%i: index):
  cf.br ^bb1
^bb1:
  scf.yield
}) : (index, index, index) -> ()`, `region "body" must have one block`},
		{"results of a for", `%r = "scf.for"(%n, %n, %n) ({
^bb0(%i: index):
  scf.yield
}) : (index, index, index) -> f32`, "starts with 0 values, but its list of results needs 1"},
		{"if without else", "%r = scf.if %c -> (f32) { scf.yield %x : f32 }", "gives 1 result, so it needs an else region"},
		{"branch without value", "%r = scf.if %c -> (f32) { scf.yield %x : f32 } else { }", "yields 0 values, but its else region needs 1"},
		{"value nobody takes", "scf.if %c { scf.yield %x : f32 }", "yields 1 value, but its then region needs 0"},
		{"condition of if", "scf.if %n { }", "use of value '%n' expects different type than prior uses: 'i1' vs 'index'"},
		{"no condition", "scf.while : () -> () { scf.yield } do { scf.yield }", "must end its first region in scf.condition"},
		{"values of condition", "%r = scf.while : () -> (f32) { scf.condition(%c) } do { ^bb0(%p: f32): scf.yield }", "hands on 0 values, but the results of scf.while needs 1"},
		{"second region", "%r = scf.while : () -> (f32) { scf.condition(%c) %x : f32 } do { scf.yield }", "its second region accepts 0 arguments, but receives 1"},
		{"condition elsewhere", "scf.if %c { scf.condition(%c) }", "'scf.condition' op must end the first region of scf.while"},
		{"yield elsewhere", "scf.yield", "'scf.yield' op must end a region of an scf operation"},
		{"case twice", "scf.index_switch %n\ncase 1 { scf.yield }\ncase 1 { scf.yield }\ndefault { }", "has case 1 twice"},
		{"case without value", "%r = scf.index_switch %n -> f32\ncase 1 { scf.yield }\ndefault { scf.yield %x : f32 }", "yields 0 values, but its region of case 1 needs 1"},
		{"no default", "scf.index_switch %n\ncase 1 { scf.yield }", "expected 'default'"},
		{"cases and regions", `"scf.index_switch"(%n) <{cases = array<i64: 1, 2>}> ({
  scf.yield
}, {
  scf.yield
}) : (index) -> ()`, "has 1 region for 2 cases"},
		{"no region", `"scf.index_switch"(%n) <{cases = array<i64>}> : (index) -> ()`, "expects at least 1 region, found 0"},
		{"value of execute_region", "%r = scf.execute_region -> f32 { scf.yield }", "yields 0 values, but its region needs 1"},
		{"bounds of parallel", "scf.parallel (%i) = (%n, %n) to (%n) step (%n) { }", "has 1 counter, but 2 values here"},
		{"no counters", "scf.parallel () = () to () step () { }", "has 0 lower bounds, 0 upper bounds and 0 steps"},
		{"counter of an integer type", "scf.parallel (%i) = (%a) to (%a) step (%a) { }", "use of value '%a' expects different type than prior uses: 'index' vs 'i32'"},
		{"nothing combined", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce }", "'scf.reduce' op combines 0 values, but scf.parallel needs 1"},
		{"result without a start", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32, %q: f32): scf.reduce.return %p : f32 } }", "starts with 0 values, but its list of results needs 1"},
		{"combined value of another type", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%a : i32) { ^a(%p: i32, %q: i32): scf.reduce.return %p : i32 } }", "combines a i32 as value #0, but scf.parallel needs f32"},
		{"arguments of a reduction", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32): scf.reduce.return %p : f32 } }", "a region accepts 1 argument, but receives 2"},
		{"result of a reduction", "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 { scf.reduce(%x : f32) { ^a(%p: f32, %q: f32): scf.reduce.return %a : i32 } }", "gives a i32 as value #0, but the reduction needs f32"},
		{"reduce elsewhere", "scf.reduce", "'scf.reduce' op must end the body of scf.parallel"},
		{"reduce.return elsewhere", "scf.reduce.return %x : f32", "must end a region of scf.reduce"},
		{"in_parallel elsewhere", "scf.forall.in_parallel { }", "must end the body of scf.forall"},
		{"bounds of forall", "scf.forall (%i, %j) in (%n) { }", "has 2 lower bounds, 1 upper bound and 2 steps"},
		{"type of shared_outs", "%r = scf.forall (%i) in (%n) shared_outs(%q = %t) -> (tensor<5xf32>) { scf.forall.in_parallel { } }", "use of value '%t' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'"},
		{"scalar in shared_outs", "%r = scf.forall (%i) in (%n) shared_outs(%q = %x) -> (f32) { scf.forall.in_parallel { } }", `operand "outputs" must be a ranked tensor, but is f32`},
		{"end of forall", "scf.forall (%i) in (%n) { scf.yield }", "'scf.yield' op must end a region of an scf operation"},
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
		{"%s = arith.constant 0 : index scf.for %i = %n to %n step %s { }", "'scf.for' op must have a positive step, but it is 0"},
		{"%s = arith.constant -1 : i32 scf.for %i = %a to %a step %s : i32 { }", "must have a positive step, but it is -1"},
	} {
		mlirtest.RejectsAlone(t, head+c.body+"\nreturn\n}", c.want)
	}
}
