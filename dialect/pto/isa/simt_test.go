package isa_test

import (
	"testing"

	"ptogo/dialect/pto/sem"
)

// work is a simt function with some values at hand.
func work(body string) string {
	return "func.func @f(%g: !pto.ptr<i32>, %u: !pto.ptr<i64, ub>, %h: !pto.ptr<vector<2xf16>>, %x: i32, %y: i64, %z: f32, %v: vector<2xf16>, %i: index) attributes {pto.simt_entry} {\n" +
		body + "\nreturn\n}"
}

func TestSimtTypes(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{
		{"convert", work("%r = pto.convert %x round(r) nosat signed : i32 -> f32"), ""},
		{"convert between integers", work("%r = pto.convert %x round(r) sat signed : i32 -> i32"), "no conversion from i32 to i32"},
		{"convert i64 to f16", work("%r = pto.convert %y round(r) nosat signed : i64 -> f16"), "no conversion from i64 to f16"},
		{"convert without a sign", work("%r = pto.convert %x round(r) nosat : i32 -> f32"), "needs signed or unsigned"},
		{"convert floats with a sign", work("%r = pto.convert %z round(r) nosat signed : f32 -> f16"), "must not specify signed or unsigned to convert"},
		{"convert to an integer without sat", work("%r = pto.convert %z round(z) nosat signed : f32 -> i32"), "needs sat"},
		{"convert packed to scalar", work("%r = pto.convert %v round(r) nosat : vector<2xf16> -> f32"), "no conversion from vector<2xf16> to f32"},

		{"reduce without a sign", work("%r = pto.redux_max %x : i32 -> i32"), "must specify signed or unsigned, because they order"},
		{"add without a sign", work("%r = pto.redux_add %x : i32 -> i32"), ""},
		{"reduce floats with a sign", work("%r = pto.redux_min %z signed : f32 -> f32"), "must not specify signed or unsigned, because"},
		{"width", work("%r = pto.shuffle_up %x, %x {width = 24 : i32} : i32, i32 -> i32"), "must be 16 or 32, but is 24"},
		{"absf of bf16", work("%b = arith.constant 1.0 : bf16\n%r = pto.absf %b : bf16 -> bf16"), `"value" must be f16, f32, vector<2xf16> or vector<2xbf16>`},

		{"load from ub", work("%r = pto.ldg %u[%i] : !pto.ptr<i64, ub> -> i64"), "must be a !pto.ptr in gm"},
		{"load too much", "func.func @f(%p: !pto.ptr<vector<2xi64>>, %i: index) attributes {pto.simt_entry} {\n%r = pto.ldg %p[%i] : !pto.ptr<vector<2xi64>> -> vector<2xi64>\nreturn\n}", "must be a !pto.ptr in gm"},
		{"load another type", work("%r = pto.load %g[%i] : !pto.ptr<i32> -> f32"), `must be i32, which "ptr" points to`},

		{"atomic", work("%r = pto.atomic_add %g, %x : !pto.ptr<i32>, i32 -> i32"), ""},
		{"atomic on another type", work("%r = pto.atomic_add %g, %y : !pto.ptr<i32>, i64 -> i64"), `"value" must be i32`},
		{"atomic i64 in ub", work("%r = pto.atomic_add %u, %y signed : !pto.ptr<i64, ub>, i64 -> i64"), "is not available for i64 in ub, only in gm"},
		{"atomic minimum without a sign", work("%r = pto.atomic_min %g, %x : !pto.ptr<i32>, i32 -> i32"), "must specify signed or unsigned, because they order"},
		{"bits of floats", work("%r = pto.atomic_and %h, %v : !pto.ptr<vector<2xf16>>, vector<2xf16> -> vector<2xf16>"), `"value" must be i32 or i64`},
		{"packed", work("%r = pto.atomic_add %h, %v : !pto.ptr<vector<2xf16>>, vector<2xf16> -> vector<2xf16>"), ""},
		{"packed old value", work("%r = pto.atomic_add %h, %v : !pto.ptr<vector<2xf16>>, vector<2xf16> -> vector<2xf16>\n%s = pto.sqrt %r : vector<2xf16> -> vector<2xf16>"), "returns an old value that must not be used, because its type is packed"},
	})
}

func TestSimtState(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{
		{"kept", work("pto.keep %x {slot = 0 : i64} : i32\npto.keep %y {slot = 2 : i64} : i64\npto.syncthreads"), ""},
		{"odd slot", work("pto.keep %y {slot = 7 : i64} : i64"), "must be even"},
		{"last slot", work("pto.keep %x {slot = 122 : i64} : i32"), ""},
		{"slot beyond", work("pto.keep %x {slot = 123 : i64} : i32"), "must be between 0 and 122, but is 123"},
		{"second slot beyond", work("pto.keep %y {slot = 122 : i64} : i64"), "must be between 0 and 121, but is 122"},
		{"slot taken", work("pto.keep %y {slot = 4 : i64} : i64\npto.keep %x {slot = 5 : i64} : i32"), ", which an earlier '"},
		{"type", work("pto.keep %v {slot = 4 : i64} : vector<2xf16>"), "must be a signless integer of at most 64 bits"},
		{"kept too early", work("pto.keep %x {slot = 0 : i64} : i32\npto.store %x, %g[%i] : !pto.ptr<i32>, i32"), "must be at the end of the simt code, but '"},
		{"resumed", work("%c = arith.constant 1 : i32\n%r = pto.resume {slot = 0 : i64} : i32\n%s = pto.resume {slot = 1 : i64} : f32"), ""},
		{"resumed too late", work("%t = pto.get_tid_x : i32\n%r = pto.resume {slot = 0 : i64} : i32"), "must be at the start of the simt code, but '"},
		{"in a branch", work("%c = arith.constant true\nscf.if %c {\npto.keep %x {slot = 0 : i64} : i32\n}"), "not inside 'scf.if'"},
		{"outside", "func.func @f(%x: i32) {\npto.keep %x {slot = 0 : i64} : i32\nreturn\n}", "must be inside a function with the attribute pto.simt_entry"},
		{"fence outside", "func.func @f() {\npto.threadfence\nreturn\n}", "must be inside a function with the attribute pto.simt_entry"},
	})
}

func TestSimtLaunch(t *testing.T) {
	launch := func(attrs, dims, args, types string) string {
		return "func.func @k(%x: i32) attributes {pto.aicore} {\n%a = arith.constant 32 : i32\n%b = arith.constant 64 : i32\n%n = arith.constant 0 : i32\n%o = arith.constant 1 : i32\n" +
			"pto.simt_launch @f<<<" + dims + ">>>(" + args + ") : (" + types + ") -> ()\nreturn\n}\n" +
			"func.func @f(%x: i32) " + attrs + "{\nreturn\n}"
	}
	const entry = "attributes {pto.simt_entry} "
	checkVerify(t, sem.A5, []verifyCase{
		{"launch", launch(entry, "%a, %a, %x", "%x", "i32"), ""},
		{"not a simt function", launch("", "%a, %a, %x", "%x", "i32"), "not a function with pto.simt_entry"},
		{"arguments", launch(entry, "%a, %a, %x", "", ""), "passes 0 values, but @f expects 1"},
		{"too many work items", launch(entry, "%a, %b, %a", "%x", "i32"), "32x64x32 are 65536"},
		{"no work items", launch(entry, "%a, %n, %a", "%x", "i32"), "its dimensions are 32x0x32"},
		{"as many as it is made for", launch("attributes {pto.simt_entry, pto.simt_max_threads = 2048 : i32} ", "%a, %b, %o", "%x", "i32"), ""},
		{"more than it is made for", launch("attributes {pto.simt_entry, pto.simt_max_threads = 512 : i32} ", "%a, %b, %o", "%x", "i32"), "launches 2048 work items, but @f allows at most 512"},
		{"more than functions are made for", launch(entry, "%a, %b, %o", "%x", "i32"), "allows at most 1024"},
		{"unknown", "func.func @k(%x: i32) {\npto.simt_launch @g<<<%x, %x, %x>>>() : () -> ()\nreturn\n}", "launches @g, which is not a function"},
		{"from a simt function", work("pto.simt_launch @f<<<%x, %x, %x>>>() : () -> ()"), "must be outside functions with pto.simt_entry"},

		{"limit of threads", "func.func @f() attributes {pto.simt_entry, pto.simt_max_threads = 4096 : i32} {\nreturn\n}", "must be an i32 between 1 and 2048"},
		{"limit of 64 bits", "func.func @f() attributes {pto.simt_entry, pto.simt_max_threads = 64 : i64} {\nreturn\n}", "must be an i32 between 1 and 2048"},
		{"limit without an entry", "func.func @f() attributes {pto.simt_max_threads = 64 : i32} {\nreturn\n}", "which only functions with the attribute pto.simt_entry can have"},
		{"results", "func.func @f(%x: i32) -> i32 attributes {pto.simt_entry} {\nreturn %x : i32\n}", "must not return values"},
	})
}
