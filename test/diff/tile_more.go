package diff

// moreUses lists, for each instruction name, examples in addition to those in the
// definition of the instruction. They cover other syntaxes, other layouts, and
// conversions of accumulator results.
var moreUses = map[string][]string{
	"pto.treshape": {
		"%d = pto.treshape %s : !pto.tile<16x64xf32> -> !pto.tile<32x32xf32>",
		"%d = pto.treshape %s : !pto.tile<16x1xf32, blayout=col_major> -> !pto.tile<1x16xf32>",
	},
	"pto.talias":  {"%d = pto.talias %s : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>"},
	"pto.subview": {"%d = pto.subview %s[%i, %j] sizes [16, 32] : !pto.tile<16x64xf32> -> !pto.tile<16x32xf32>"},
	"pto.bitcast": {"%d = pto.bitcast %s : !pto.tile<16x64xf32> -> !pto.tile<16x64xi32>"},
	"pto.tgather": {
		"%d = pto.tgather %s {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile<16x64xf32> -> !pto.tile<16x32xf32>",
		"%d = pto.tgather %s {maskPattern = #pto.mask_pattern<P0001>} : !pto.tile<16x64xf32> -> !pto.tile<16x16xf32>",
		"%d, %c = pto.tgather %s, %k {cmpMode = #pto<cmp gt>} : (!pto.tile<16x64xf32>, f32) -> (!pto.tile<16x64xi32>, !pto.tile<16x8xi32>)",
	},
	"pto.tscatter": {
		"%d = pto.tscatter %s {maskPattern = #pto.mask_pattern<P0101>, axis = \"row\"} : !pto.tile<16x32xf32> -> !pto.tile<16x64xf32>",
	},
	"pto.mgather": {
		"%d = pto.mgather %m, %i {coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob clamp>} : (!pto.partition_tensor_view<32x64xf32>, !pto.tile<16x64xi32>) -> !pto.tile<16x64xf32>",
	},
	"pto.mscatter": {
		"pto.mscatter %s, %i, %m {coalesce = #pto<coalesce elem>, scatterOob = #pto<scatter_oob skip>} : (!pto.tile<16x64xf32>, !pto.tile<16x64xi32>, !pto.partition_tensor_view<32x64xf32>) -> ()",
	},
	"pto.tload": {
		"%t = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<32x96xf32, valid=16x64, pad=1>",
		"%t = pto.tload %p : !pto.partition_tensor_view<16x64xf16> -> !pto.tile<16x64xf16, loc=mat, blayout=col_major, slayout=row_major>",
		"%t = pto.tload %p, %v, %l, %r {pad_mode = #pto<padmode PadValue>} : (!pto.partition_tensor_view<16x32xf32>, f32, index, index) -> !pto.tile<16x64xf32>",
		"%t = pto.tload %p : !pto.partition_tensor_view<16x1xf32> -> !pto.tile<16x1xf32, blayout=col_major>",
		"%t = pto.tload %p : !pto.partition_tensor_view<1x1x2x8x64xf32> -> !pto.tile<16x64xf32>",
	},
	"pto.tstore": {
		"pto.tstore %t, %p {atomicType = #pto<atomic_type atomic_add>} : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()",
		"pto.tstore %t, %p : (!pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>, !pto.partition_tensor_view<16x32xf32>) -> ()",
		"pto.tstore %t, %p : (!pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>, !pto.partition_tensor_view<16x32xf16>) -> ()",
		"pto.tstore %t, %q, %p : (!pto.tile<16x32xi32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>, i64, !pto.partition_tensor_view<16x32xf16>) -> ()",
		"pto.tstore %t, %p : (!pto.tile<16x64xf32, valid=9x40>, !pto.partition_tensor_view<9x40xf32>) -> ()",
	},
	"pto.tmov": {
		"%d = pto.tmov %s : !pto.tile<16x64xf16, loc=mat, blayout=col_major, slayout=row_major> -> !pto.tile<16x64xf16, loc=left, blayout=col_major, slayout=row_major>",
		"%d = pto.tmov %s : !pto.tile<64x32xf16, loc=mat, blayout=col_major, slayout=row_major> -> !pto.tile<64x32xf16, loc=right, slayout=col_major>",
		"%d = pto.tmov %s : !pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024> -> !pto.tile<16x32xf32>",
		"%d = pto.tmov %s : !pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024> -> !pto.tile<16x32xf16>",
		"%d = pto.tmov %s, %q : (!pto.tile<16x32xi32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>, i64) -> !pto.tile<16x32xf16>",
	},
	"pto.textract": {
		"%d = pto.textract %s, %i, %j : (!pto.tile<32x64xf16, loc=mat, blayout=col_major, slayout=row_major>, index, index) -> !pto.tile<16x64xf16, loc=left, blayout=col_major, slayout=row_major>",
		"%d = pto.textract %s, %i, %j : (!pto.tile<64x64xf16, loc=mat, blayout=col_major, slayout=row_major>, index, index) -> !pto.tile<64x32xf16, loc=right, slayout=col_major>",
	},
	"pto.tmatmul": {
		"%d = pto.tmatmul %a, %b : (!pto.tile<16x64xi8, loc=left, blayout=col_major, slayout=row_major>, !pto.tile<64x32xi8, loc=right, slayout=col_major>) -> !pto.tile<16x32xi32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>",
		"%d = pto.tmatmul %a, %b : (!pto.tile<16x64xf32, loc=left, blayout=col_major, slayout=row_major>, !pto.tile<64x32xf32, loc=right, slayout=col_major>) -> !pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>",
	},
	"pto.tquant": {
		"%d = pto.tquant %s, %f, %o {quant_type = #pto<quant_type INT8_ASYM>} : (!pto.tile<16x64xf32>, !pto.tile<16x1xf32, blayout=col_major>, !pto.tile<16x1xf32, blayout=col_major>) -> !pto.tile<16x64xui8>",
	},
	"pto.tdequant": {
		"%d = pto.tdequant %s, %f, %o : (!pto.tile<16x64xi16>, !pto.tile<16x8xf32>, !pto.tile<16x8xf32>) -> !pto.tile<16x64xf32>",
	},
	"pto.tcolsum": {"%d = pto.tcolsum %s {isBinary = true} : !pto.tile<16x64xf32> -> !pto.tile<1x64xf32>"},
	"pto.trowexpandadd": {
		"%d = pto.trowexpandadd %a, %b : (!pto.tile<16x64xf32>, !pto.tile<16x8xf32>) -> !pto.tile<16x64xf32>",
	},
	"pto.tmrgsort": {
		"%d, %e = pto.tmrgsort %a, %b, %c : (!pto.tile<1x64xf32>, !pto.tile<1x64xf32>, !pto.tile<1x64xf32>) -> (!pto.tile<1x192xf32>, vector<4xi16>)",
		"%d, %e = pto.tmrgsort %a, %b, %c, %f : (!pto.tile<1x64xf32>, !pto.tile<1x64xf32>, !pto.tile<1x64xf32>, !pto.tile<1x64xf32>) -> (!pto.tile<1x256xf32>, vector<4xi16>)",
	},
	"pto.trem": {"%d = pto.trem %a, %b : (!pto.tile<16x64xi32>, !pto.tile<16x64xi32>) -> !pto.tile<16x64xi32>"},
}
