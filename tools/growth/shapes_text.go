// This file has programs of names, scalars, functions and other things that the reader,
// the printer and the general passes work on.

package main

import "strings"

const sum = "  %v{i} = arith.addi %n, %n : i32"

// siblings has n regions that define the same name.
func siblings(n int) string {
	return kernel(each(n, "  scf.if %c {\n    %a = arith.addi %n, %n : i32\n  }"))
}

// clashes has n functions whose names differ only in characters that C++ does not allow.
func clashes(n int) string {
	return eachOf(n, func(i int) string {
		var name strings.Builder
		for range 8 {
			name.WriteByte(".-_$"[i&3])
			i >>= 2
		}
		return `func.func @"f` + name.String() + `"(%a: i32) -> i32 {` + "\n  return %a : i32\n}"
	})
}

// calls has n calls of one function; callChain has n functions, each of which calls the
// one before it.
func calls(n int) string {
	return "func.func private @g(%n: i32) -> i32 {\n  %a = arith.addi %n, %n : i32\n  return %a : i32\n}\n" +
		kernel(each(n, "  %r{i} = func.call @g(%n) : (i32) -> i32"))
}

func callChain(n int) string {
	return "func.func private @f0(%n: i32) -> i32 {\n  return %n : i32\n}\n" +
		each(n, "func.func private @f{j}(%n: i32) -> i32 {\n  %a = func.call @f{i}(%n) : (i32) -> i32\n  %b = arith.addi %a, %n : i32\n  return %b : i32\n}") +
		kernel("  %r = func.call @f"+number(n)+"(%n) : (i32) -> i32\n")
}

// functions has n functions, and jumps n basic blocks without work.
func functions(n int) string { return each(n, "func.func @f{i}() {\n  return\n}") }

func jumps(n int) string {
	return kernel("  cf.br ^b0\n" + each(n, "^b{i}:\n  cf.cond_br %c, ^b{j}, ^b"+number(n)) + "^b" + number(n) + ":\n")
}

// oneLine returns programs whose text is a single line.
func oneLine(text func(n int) string) func(n int) string {
	return func(n int) string { return strings.ReplaceAll(text(n), "\n", " ") }
}

// entries has a function with n attributes.
func entries(n int) string {
	return "func.func private @f() attributes {" + list(n, "a{i} = {i} : i32") + "}\n"
}

// The following programs have n names that are not defined: functions, values and
// operations.
func unknownFunctions(n int) string {
	return each(n, "func.func private @function_{i}()") + kernel(each(n, "  func.call @functoin_{i}() : () -> ()"))
}

func unknownValues(n int) string {
	return kernel(each(n, "  %value_{i} = arith.addi %n, %n : i32") + each(n, "  %r{i} = arith.addi %valeu_{i}, %n : i32"))
}

func unknownOperations(n int) string { return kernel(each(n, "  pto.taddd_{i}")) }

// laterValues has n values that are used above their definition, in another basic block.
func laterValues(n int) string {
	return "func.func @k(%n: i32) {\n  cf.br ^b\n^a:\n" + each(n, "  %r{i} = arith.addi %v{i}, %n : i32") + "  return\n^b:\n" + each(n, sum) + "  cf.br ^a\n}\n"
}

// values has n sums; dead a chain of n sums that nothing uses; constantChain a chain of n
// sums with a constant.
func values(n int) string { return kernel(each(n, sum)) }

func dead(n int) string {
	return kernel("  %v0 = arith.addi %n, %n : i32\n" + each(n, "  %v{j} = arith.addi %v{i}, %n : i32"))
}

func constantChain(n int) string {
	return kernel("  %one = arith.constant 1 : i32\n  %v0 = arith.addi %n, %n : i32\n" + each(n, "  %v{j} = arith.addi %v{i}, %one : i32"))
}

// results has n branches with two results, carried a loop with n results in rotation, and
// constantRotation a loop in which a constant moves through n carried values.
func results(n int) string {
	return kernel(each(n, "  %r{i}:2 = scf.if %c -> (i32, i32) {\n    scf.yield %n, %n : i32, i32\n  } else {\n    scf.yield %n, %n : i32, i32\n  }"))
}

func carried(n int) string {
	return kernel("  %r:" + number(n) + " = scf.for %i = %c0 to %c8 step %c1 iter_args(" + list(n, "%a{i} = %n") + ") -> (" + list(n, "i32") + ") {\n    scf.yield " +
		list(n-1, "%a{j}") + ", %a0 : " + list(n, "i32") + "\n  }\n")
}

func constantRotation(n int) string {
	return kernel("  %p = arith.constant 5 : i32\n  %q = arith.constant 6 : i32\n  %r:" + number(n) + " = scf.for %i = %c0 to %c8 step %c1 iter_args(" + list(n, "%a{i} = %p") +
		") -> (" + list(n, "i32") + ") {\n    scf.yield %q, " + list(n-1, "%a{i}") + " : " + list(n, "i32") + "\n  }\n")
}

// invariants has n loops in each other, with n*n sums in the innermost one.
func invariants(n int) string {
	return kernel(strings.Repeat("  scf.for %i = %c0 to %c8 step %c1 {\n", n) + each(n*n, sum) + strings.Repeat("  }\n", n))
}

// always has n conditions in each other that are all true.
func always(n int) string {
	return kernel("  %t = arith.constant true\n" + strings.Repeat("  scf.if %t {\n", n) + "  pto.barrier <PIPE_ALL>\n" + strings.Repeat("  }\n", n))
}

// cases has a switch between n basic blocks, and indexCases one between n regions.
func cases(n int) string {
	return "func.func @k(%n: i32) {\n  cf.switch %n : i32, [\n    default: ^d,\n" + list(n, "    {i}: ^b{i}") + "\n  ]\n^d:\n  return\n" + each(n, "^b{i}:\n  cf.br ^d") + "}\n"
}

func indexCases(n int) string {
	return kernel("  scf.index_switch %c0\n" + each(n, "  case {i} {\n    pto.barrier <PIPE_ALL>\n    scf.yield\n  }") + "  default {\n  }\n")
}

// blockArguments has n basic blocks with 20 arguments that rotate.
func blockArguments(n int) string {
	const wide = 20
	types := list(wide, "i32")
	pass := func(to string) string { return to + "(" + list(wide-1, "%a@_{j}") + ", %a@_0 : " + types + ")" }
	return kernel("  cf.br ^b0(" + list(wide, "%n") + " : " + types + ")\n" + eachOf(n, func(i int) string {
		return strings.ReplaceAll("^b@("+list(wide, "%a@_{i}: i32")+"):\n  cf.cond_br %c, "+pass("^b"+number(i+1))+", ^end", "@", number(i))
	}) + "^b" + number(n) + "(" + list(wide, "%z{i}: i32") + "):\n  cf.br ^end\n^end:\n")
}

// programs has n programs in one file.
func programs(n int) string { return each(n, "func.func @f() {\n  return\n}\n// -----") }

// expectations has n comments that expect a diagnostic that does not come.
func expectations(n int) string {
	return "func.func @f(%n: i32, %x: f32) {\n" + each(n, "  // expected-error @below {{x{i}}}\n  %v{i} = arith.addi %n, %x : i32") + "  return\n}\n"
}

func patterns(n int) string {
	return "func.func @f(%n: i32, %x: f32) {\n" + each(n, "  // expected-error-re @unknown {{x{i}{{(a*)*b}}}}\n  %v{i} = arith.addi %n, %x : i32") + "  return\n}\n"
}

// attributes has n aliases of attributes and a function that uses all; locations has n
// aliases of source locations; fusedLocations one location of n; nestedLocations a location
// of n calls in each other.
func attributes(n int) string {
	return each(n, "#b{i} = {x = {i} : i32}") + "func.func private @f() attributes {" + list(n, "z{i} = #b{i}") + "}\n"
}

func locations(n int) string {
	return each(n, `#loc{i} = loc("file{i}":{i}:1)`) + kernel(each(n, sum+" loc(#loc{i})"))
}

func fusedLocations(n int) string {
	return kernel("  %v = arith.addi %n, %n : i32 loc(fused[" + list(n, `"f{i}":1:1`) + "])\n" + each(n, "  %v{i} = arith.addi %v, %n : i32"))
}

func nestedLocations(n int) string {
	return kernel("  %v = arith.addi %n, %n : i32 loc(" + strings.Repeat(`callsite("a" at `, n) + `"b"` + strings.Repeat(")", n) + ")\n")
}

// unregistered has n operations of an unknown dialect, elements an array of n numbers.
func unregistered(n int) string {
	return each(n, `%v{i} = "x.op{i}"() {a{i} = {i} : i32} : () -> i32`)
}

func elements(n int) string {
	return "func.func @k() {\n  %d = arith.constant dense<[" + list(n, "{i}") + "]> : tensor<" + number(n) + "xi32>\n  return\n}\n"
}
