package dialect_test

import (
	"testing"

	"ptogo/tools/mlirtest"
)

func TestCFRejects(t *testing.T) {
	const head = "func.func @f(%a: i32, %c: i1, %x: f32) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"too few values", "cf.br ^bb1\n^bb1(%p: f32):\nreturn", "'cf.br' op passes 0 values to successor #0, which has 1 arguments"},
		{"too many values", "cf.br ^bb1(%x, %x : f32, f32)\n^bb1(%p: f32):\nreturn", "passes 2 values to successor #0, which has 1 arguments"},
		{"another type", "cf.cond_br %c, ^bb1(%a : i32), ^bb1(%x : f32)\n^bb1(%p: f32):\nreturn", "passes a value of type i32 as argument #0 of successor #0, but this argument has type f32"},
		{"second block", "cf.cond_br %c, ^bb1(%x : f32), ^bb1(%a : i32)\n^bb1(%p: f32):\nreturn", "passes a value of type i32 as argument #0 of successor #1, but this argument has type f32"},
		{"undefined block", "cf.br ^bb7", "reference to undefined block '^bb7'"},
		{"back to the entry", "cf.br ^bb0\n^bb1:\nreturn", "undefined block '^bb0'"},
		{"entry block with a name", "cf.br ^bb1\n^bb1:\n\"cf.br\"()[^bb2] : () -> ()\n^bb2:\ncf.br ^bb2\n^bb2:\nreturn", "redefinition of block '^bb2'"},
		{"not the last", "cf.br ^bb1\n%0 = arith.constant 1 : i32\n^bb1:\nreturn", "must be the last operation of its block"},
		{"condition", "cf.cond_br %a, ^bb1, ^bb1\n^bb1:\nreturn", "use of value '%a' expects different type than prior uses: 'i1' vs 'i32'"},
		{"one successor", "\"cf.cond_br\"(%c)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n^bb1:\nreturn", "expects 2 successors, but has 1"},
		{"successors of an operation that has none", "%0 = \"arith.addi\"(%a, %a)[^bb1] : (i32, i32) -> i32\n^bb1:\nreturn", "expects 0 successors, but has 1"},
		{"float switch", "cf.switch %x : f32, [default: ^bb1]\n^bb1:\nreturn", "requires an integer to switch on, but its operand has type f32"},
		{"case values missing", "\"cf.switch\"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n^bb1:\nreturn", "has 0 case values for 1 block"},
		{"value from a block that does not dominate", "cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n%k = arith.constant 1 : i32\ncf.br ^bb2\n^bb2:\n%r = arith.addi %k, %k : i32\nreturn", "operand #0 does not dominate this use"},
		{"message", "cf.assert %c, 5\nreturn", "'cf.assert' op"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\n}", c.want) })
	}
}

// The entry block can be named where a region is written in generic form, and
// still nothing may jump to it.
func TestCFNoJumpToEntry(t *testing.T) {
	mlirtest.Rejects(t, `"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
^bb0:
  cf.br ^bb0
}) : () -> ()`, "branches to the entry block of its region")
}

// MLIR leaves these to LLVM.
func TestCFSwitchCases(t *testing.T) {
	const head = "func.func @f(%a: i32) {\n"
	for _, c := range []struct{ name, body, want string }{
		{"case twice", "cf.switch %a : i32, [default: ^bb1, 1: ^bb1, 1: ^bb1]\n^bb1:\nreturn", "must have distinct case values, but contains one value twice"},
		{"case out of range", "cf.switch %a : i32, [default: ^bb1, 99999999999: ^bb1]\n^bb1:\nreturn", "99999999999 does not fit type i32"},
	} {
		t.Run(c.name, func(t *testing.T) { mlirtest.RejectsAlone(t, head+c.body+"\n}", c.want) })
	}
}
