package ir_test

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// badTexts are texts with an error, with the position and the text of the expected
// message.
var badTexts = []struct {
	name, text string
	at, want   string
}{
	{"backslash at the end", "\"" + strings.Repeat("a", 63) + "\\", "1:1", "expected '\"' at the end of the string"},

	// SSA values.
	{"undefined value", "func.func @f() {\n  \"my.use\"(%x) : (i32) -> ()\n  return\n}", "2:12", "use of undeclared SSA value name '%x'"},
	{"similar name", "func.func @f(%value: i32) {\n  \"my.use\"(%valeu) : (i32) -> ()\n  return\n}", "2:12", "did you mean '%value'?"},
	{"redefinition", "func.func @f(%a: i32) {\n  %a = \"my.def\"() : () -> i32\n  return\n}", "2:3", "redefinition of SSA value '%a'"},
	{"type of a use", "func.func @f(%a: i32) {\n  \"my.use\"(%a) : (f32) -> ()\n  return\n}", "2:12", "use of value '%a' expects different type than prior uses: 'f32' vs 'i32'"},
	{"type of an earlier use", "\"my.graph\"() ({\n  \"my.use\"(%a) : (f32) -> ()\n  %a = \"my.def\"() : () -> i32\n}) : () -> ()", "2:12", "use of value '%a' expects different type than its definition: 'f32' vs 'i32'"},
	{"two earlier uses", "\"my.graph\"() ({\n  \"my.use\"(%a, %a) : (f32, i32) -> ()\n}) : () -> ()", "2:16", "use of value '%a' expects different type than prior uses: 'i32' vs 'f32'"},
	{"result number", "func.func @f() {\n  %a:2 = \"my.def\"() : () -> (i32, i32)\n  \"my.use\"(%a#2) : (i32) -> ()\n  return\n}", "3:12", "%a has 2 results, but this use refers to result #2"},
	{"result number of one", "func.func @f(%a: i32) {\n  \"my.use\"(%a#1) : (i32) -> ()\n  return\n}", "2:12", "%a has 1 result, but this use refers to result #1"},
	{"fewer results than names", "%a, %b = \"my.def\"() : () -> i32", "1:1", "operation 'my.def' has 1 result, but 2 are named"},
	{"more results than names", "%a = \"my.def\"() : () -> (i32, i32)", "1:1", "operation 'my.def' has 2 results, but 1 is named"},
	{"no results of a pack", "%a:0 = \"my.def\"() : () -> ()", "1:1", "expected a positive number of results"},
	{"negative pack", "%a:-1 = \"my.def\"() : () -> ()", "1:1", "expected a positive number of results"},
	{"huge pack", "%a:99999999999 = \"my.def\"() : () -> ()", "1:1", "expected a positive number of results"},
	{"name of nothing", "%a = ", "1:6", "expected an operation, found end of input"},
	{"value of a sibling region", "\"my.op\"() ({\n  %a = \"my.def\"() : () -> i32\n}, {\n  \"my.use\"(%a) : (i32) -> ()\n}) : () -> ()", "4:12", "undeclared SSA value name '%a'"},
	{"value from outside a function", "%a = \"my.def\"() : () -> i32\nfunc.func @f() {\n  \"my.use\"(%a) : (i32) -> ()\n  return\n}", "3:12", "undeclared SSA value name '%a'"},
	{"operand types", "\"my.use\"() : (i32) -> ()", "1:14", "expected 0 operand types as in the operand list, found 1"},

	// Operations.
	{"unknown operation", "func.func @f() {\n  arith.adi %a, %b : i32\n}", "2:3", "unknown operation 'arith.adi'"},
	{"similar operation", "func.func @f() {\n  arith.adi %a, %b : i32\n}", "2:3", "did you mean 'arith.addi'?"},
	{"unknown operation in generic form", "\"arith.adi\"() : () -> ()", "1:1", "unknown operation 'arith.adi'"},
	{"unknown operation in custom form", "my.op %a", "1:1", "unknown operation 'my.op'"},
	{"missing colon", "\"my.op\"() () -> ()", "1:14", "expected ':', found '->'"},
	{"missing arrow", "\"my.op\"() : ()", "1:15", "expected '->', found end of input"},
	{"missing type list", "\"my.op\"()", "1:10", "expected ':', found end of input"},
	{"successors without blocks", "\"my.op\"()[^bb] : () -> ()", "1:11", "a block can only be named inside a region"},
	{"attribute twice", "\"my.op\"() {a = 1, a = 2} : () -> ()", "1:19", "attribute 'a' is given twice"},
	{"attribute twice in two places", "\"my.op\"() <{a = 1}> {a = 2} : () -> ()", "1:1", "attribute 'a' is given twice"},
	{"attribute twice beside its place", "func.func @f() {\n  %0 = arith.cmpi eq, %a, %a {predicate = 1 : i64} : i32\n}", "2:30", "attribute 'predicate' is given twice"},
	{"wrong number of regions", "\"scf.if\"(%c) ({}) : (i1) -> ()", "1:1", "'scf.if' op expects 2 regions, found 1"},
	{"wrong number of operands", "func.func @f(%a: i32) {\n  %0 = \"arith.addi\"(%a) : (i32) -> i32\n}", "2:8", "'arith.addi' op has 1 operand, but expects 2"},
	{"segment sizes", "func.func @f(%c: i1) {\n  \"cf.cond_br\"(%c)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1) -> ()\n^a:\n  return\n}", "2:3", "its segment sizes add up to 2"},
	{"segment sizes of another type", "func.func @f(%c: i1) {\n  \"cf.cond_br\"(%c)[^a, ^a] <{operandSegmentSizes = 3}> : (i1) -> ()\n^a:\n  return\n}", "2:3", "attribute 'operandSegmentSizes' must be array<i32: ...>"},
	{"too many operands in custom form", "func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a, %a : i32\n}", "2:25", "expected ':', found ','"},
	{"closing brace", "func.func @f() {\n  return\n}\n}", "4:1", "expected an operation, found '}'"},
	{"region without end", "func.func @f() {\n  return\n", "3:1", "expected '}', found end of input"},
	{"module without end", "module {\n  func.func @f() {\n    return\n  }\n", "5:1", "expected '}', found end of input"},
	{"function without name", "func.func () {\n}", "1:11", "expected a symbol name, found '('"},
	{"parameter without name", "func.func @f(i32) {\n  return\n}", "1:19", "a function with a body needs a name for each parameter"},

	// Blocks.
	{"undefined block", "func.func @f() {\n  cf.br ^nowhere\n}", "2:9", "reference to undefined block '^nowhere'"},
	{"block twice", "func.func @f() {\n  return\n^a:\n  return\n^a:\n  return\n}", "5:1", "redefinition of block '^a'"},
	{"block of another region", "func.func @f() {\n  \"my.op\"() ({\n    cf.br ^a\n  }) : () -> ()\n  return\n^a:\n  return\n}", "3:11", "reference to undefined block '^a'"},
	{"block argument without type", "func.func @f() {\n  return\n^a(%x):\n  return\n}", "3:6", "expected ':', found ')'"},
	{"label without colon", "func.func @f() {\n  return\n^a\n  return\n}", "4:3", "expected ':', found 'return'"},

	// Types.
	{"unknown type", "func.func private @f(int)", "1:22", "expected a type, found 'int'"},
	{"unknown dialect type", "func.func private @f(!nope)", "1:22", "undefined type alias '!nope'"},
	{"similar type alias", "!col = i32\nfunc.func private @f(!coll)", "2:22", "did you mean '!col'?"},
	{"type alias twice", "!a = i32\n!a = i64", "2:1", "redefinition of type alias '!a'"},
	{"type alias with a dot", "!a.b = i32", "1:1", "must not contain a dot"},
	{"width", "func.func private @f(i99999999)", "1:22", "integer width is limited to 16777215 bits"},
	{"width zero", "func.func private @f(i0)", "1:22", "expected a type, found 'i0'"},
	{"extent of a vector", "func.func private @f(vector<?xf32>)", "1:", "must have a positive static extent"},
	{"zero extent of a vector", "func.func private @f(vector<0xf32>)", "1:", "must have a positive static extent"},
	{"huge extent", "func.func private @f(tensor<99999999999999999999xf32>)", "1:29", "extent is too large"},
	{"element type missing", "func.func private @f(tensor<4x>)", "1:31", "expected a type, found '>'"},
	{"shape without x", "func.func private @f(tensor<4 f32>)", "1:29", "expected a type, found '4'"},
	{"open tensor", "func.func private @f(tensor<4xf32)", "1:34", "expected '>', found ')'"},
	{"complex of what", "func.func private @f(complex<index>)", "1:30", "complex element must be an integer or floating-point type, but is index"},
	{"element of a vector", "func.func private @f(vector<4xvector<4xf32>>)", "1:31", "a vector cannot have elements of type vector<4xf32>"},
	{"element of a tensor", "func.func private @f(tensor<4xmemref<4xf32>>)", "1:31", "a tensor cannot have elements of type memref<4xf32>"},
	{"element of a memref", "func.func private @f(memref<4xtuple<i32>>)", "1:31", "a memref cannot have elements of type tuple<i32>"},
	{"function in a tensor", "func.func private @f(tensor<4x() -> ()>)", "1:31", "a tensor cannot have elements of type () -> ()"},
	{"strides", "func.func private @f(memref<4xf32, strided<[1, 1]>>)", "1:36", "the layout has 2 dimensions, but the memref has 1"},
	{"zero stride", "func.func private @f(memref<4xf32, strided<[0]>>)", "1:36", "stride 0 is zero"},
	{"dimensions of a map", "func.func private @f(memref<4xf32, affine_map<(d0, d1) -> (d0)>>)", "1:36", "the layout has 2 dimensions, but the memref has 1"},
	{"layout of any rank", "func.func private @f(memref<*xf32, strided<[1]>>)", "1:36", "a memref of any rank cannot have a layout"},
	{"type as memory space", "func.func private @f(memref<4xf32, i32>)", "1:36", "i32 is not a memory space"},
	{"open bracket of a scalable extent", "func.func private @f(vector<[4xf32>)", "1:29", "expected a type, found '['"},
	{"two layouts", "func.func private @f(memref<4xf32, strided<[1]>, strided<[1]>>)", "1:50", "a memref must have at most one layout"},
	{"layout behind space", "func.func private @f(memref<4xf32, 1, strided<[1]>>)", "1:39", "a memref must have at most one layout, before the memory space"},
	{"two spaces", "func.func private @f(memref<4xf32, 1, 2>)", "1:39", "a memref must have at most one memory space"},
	{"function type", "func.func private @f((i32) f32)", "1:28", "expected '->', found 'f32'"},
	{"tuple", "func.func private @f(tuple<i32)", "1:31", "expected '>', found ')'"},

	// Attributes.
	{"unknown alias", "\"my.op\"() {a = #nope} : () -> ()", "1:16", "undefined attribute alias '#nope'"},
	{"similar attribute alias", "#map = 1\n\"my.op\"() {a = #mop} : () -> ()", "2:16", "did you mean '#map'?"},
	{"attribute alias twice", "#a = 1\n#a = 2", "2:1", "redefinition of attribute alias '#a'"},
	{"attribute alias with a dot", "#a.b = 1", "1:1", "must not contain a dot"},
	{"unknown attribute", "\"my.op\"() {a = #arith.nope} : () -> ()", "1:16", "unknown attribute '#arith.nope'"},
	{"missing value", "\"my.op\"() {a = } : () -> ()", "1:16", "expected an attribute, found '}'"},
	{"does not fit", "\"my.op\"() {a = 256 : i8} : () -> ()", "1:16", "256 does not fit type i8"},
	{"negative unsigned", "\"my.op\"() {a = -1 : ui8} : () -> ()", "1:16", "-1 does not fit type ui8"},
	{"too large for its sign", "\"my.op\"() {a = 128 : si8} : () -> ()", "1:16", "128 does not fit type si8"},
	{"huge number", "\"my.op\"() {a = 99999999999999999999} : () -> ()", "1:16", "99999999999999999999 does not fit type i64"},
	{"number of what", "\"my.op\"() {a = 1 : tensor<1xi8>} : () -> ()", "1:16", "an integer cannot have type tensor<1xi8>"},
	{"decimal point missing", "\"my.op\"() {a = 1 : f32} : () -> ()", "1:16", "a number of type f32 needs a decimal point"},
	{"decimal point of an integer", "\"my.op\"() {a = 1.0 : i32} : () -> ()", "1:16", "type i32 has no numbers with a decimal point"},
	{"bits of a float", "\"my.op\"() {a = 0x1FFFF : f16} : () -> ()", "1:16", "0x1FFFF does not fit the bits of type f16"},
	{"sign of bits", "\"my.op\"() {a = -0x3F800000 : f32} : () -> ()", "1:16", "the bits of a number must not have a minus sign"},
	{"dense type", "\"my.op\"() {a = dense<1> : i32} : () -> ()", "1:27", "dense elements need a vector or tensor type of static shape, but have i32"},
	{"dense of dynamic shape", "\"my.op\"() {a = dense<1> : tensor<?xi32>} : () -> ()", "1:27", "dense elements need a vector or tensor type of static shape"},
	{"dense with too few", "\"my.op\"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()", "1:22", "expected 3 elements here, found 2"},
	{"dense nesting", "\"my.op\"() {a = dense<[[1, 2]]> : tensor<2xi32>} : () -> ()", "1:", "expected 2 elements here, found 1"},
	{"dense element", "\"my.op\"() {a = dense<[1, 1.5]> : tensor<2xi32>} : () -> ()", "1:26", "'1.5' is not a value of type i32"},
	{"dense string", "\"my.op\"() {a = dense<\"0x01\"> : tensor<4xi8>} : () -> ()", "", ""},
	{"dense string of another size", "\"my.op\"() {a = dense<\"0x0102\"> : tensor<4xi8>} : () -> ()", "1:22", "this string does not encode a value of type tensor<4xi8>"},
	{"empty dense", "\"my.op\"() {a = dense<> : tensor<4xi8>} : () -> ()", "1:26", "has no elements, but type tensor<4xi8> has 4"},
	{"array element", "\"my.op\"() {a = array<i8: 300>} : () -> ()", "1:26", "300 does not fit type i8"},
	{"array type", "\"my.op\"() {a = array<i7: 3>} : () -> ()", "1:22", "array elements must be i1, integers of whole bytes or floating-point numbers, but are i7"},
	{"array of vectors", "\"my.op\"() {a = array<vector<2xi8>: 3>} : () -> ()", "1:22", "array elements must be i1"},
	{"symbol", "\"my.op\"() {a = @} : () -> ()", "1:16", "unexpected character '@'"},
	{"location", "\"my.op\"() : () -> () loc(here)", "1:26", "expected a location, found 'here'"},
	{"location alias", "\"my.op\"() : () -> () loc(#nope)", "1:26", "undefined location alias '#nope'"},
	{"location of another kind", "#a = 1\n\"my.op\"() : () -> () loc(#a)", "2:26", "'#a' must be a location, but is 1 : i64"},
	{"affine map", "\"my.op\"() {a = affine_map<(d0) -> (d0)} : () -> ()", "1:", "is not closed"},

	// Tokens.
	{"open string", "\"my.op", "1:1", "expected '\"' at the end of the string, on the same line"},
	{"string over two lines", "\"my.op\"() {a = \"x\ny\"} : () -> ()", "1:16", "expected '\"' at the end of the string, on the same line"},
	{"open symbol", "func.func @\"f() {\n}", "1:11", "expected '\"' at the end of the string, on the same line"},
	{"bad escape", "\"my.op\"() {a = \"\\q\"} : () -> ()", "1:16", "bad escape in string"},
	{"stray byte", "\"my.op\"() \x01 : () -> ()", "1:11", "unexpected byte 0x01 in the text"},
	{"stray character", "\"my.op\"() & : () -> ()", "1:11", "unexpected character '&'"},
	{"percent alone", "% = \"my.op\"() : () -> i32", "1:1", "unexpected character '%'"},
	{"metadata", "{-# dialect_resources: {", "1:1", "expected '#-}' at the end of the file metadata"},
}

func TestParseErrors(t *testing.T) {
	for _, c := range badTexts {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			m, _ := ir.Parse(&ir.Source{Name: "in", Text: c.text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
			if c.want == "" {
				if m == nil {
					t.Fatalf("rejected: %s", diags.All()[0].Format())
				}
				return
			}
			if m != nil {
				t.Fatalf("accepted as\n%s", m)
			}
			got := diags.All()[0].Format()
			if !strings.Contains(got, c.want) || !strings.HasPrefix(got, "in:"+c.at) {
				t.Errorf("got\n%swant at %s: %s", got, c.at, c.want)
			}
			if n := len(diags.All()); n != 1 {
				t.Errorf("got %d errors, want one: %v", n, ir.Errors(diags.All()))
			}
		})
	}
}
