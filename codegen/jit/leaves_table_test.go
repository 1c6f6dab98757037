package jit_test

// access is one way in which an instruction accesses memory. $P in the text is the type
// of the pointer %p, which is $d bytes and $n elements after the start of its memory.
type access struct {
	name  string // of the subtest
	op    string // the operation that the fault names
	space string // gm, or a memory space of A5
	elem  string // what %p points to
	bytes int64  // how many bytes from %p on the instruction touches
	body  string
}

// others is text that defines pointers for other operands, at the start of their memory.
const others = `
    %gm = pto.castptr %x : !pto.ptr<i8> -> !pto.ptr<f32>
    %gmh = pto.castptr %x : !pto.ptr<i8> -> !pto.ptr<f16>
    %ub = pto.castptr %z : i64 -> !pto.ptr<f32, ub>
    %ubh = pto.castptr %z : i64 -> !pto.ptr<f16, ub>
    %ubi = pto.castptr %z : i64 -> !pto.ptr<i16, ub>
    %l1 = pto.castptr %z : i64 -> !pto.ptr<f32, l1>
    %l1h = pto.castptr %z : i64 -> !pto.ptr<f16, l1>
    %l1i = pto.castptr %z : i64 -> !pto.ptr<i16, l1>
    %l0a = pto.castptr %z : i64 -> !pto.ptr<f16, l0a>
    %l0b = pto.castptr %z : i64 -> !pto.ptr<f16, l0b>
    %l0c = pto.castptr %z : i64 -> !pto.ptr<f32, l0c>
    %bt = pto.castptr %z : i64 -> !pto.ptr<f32, bt>
    %fb = pto.castptr %z : i64 -> !pto.ptr<f32, fb>
`

// inScope and inItem enclose an instruction in the region in which it is legal.
func inScope(text string) string { return "pto.vecscope {\n" + vectors + text + "\n}" }
func inItem(text string) string  { return "pto.section.simt<<<1, 1, 1>>> {\n" + text + "\n}" }

// vectors is text that defines the registers which the vector instructions of the table
// use.
const vectors = `
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %all16 = pto.pset_b16 "PAT_ALL" : !pto.mask<b16>
    %ones = pto.vbr %f1 : f32 -> !pto.vreg<64xf32>
    %zeros = pto.vbr %f0 : f32 -> !pto.vreg<64xf32>
    %row = pto.vci %i0 : i32 -> !pto.vreg<64xi32>
    %first = pto.vbr %i0 : i32 -> !pto.vreg<64xi32>
`

// accesses are all classes of accesses: each way to specify an address, and each unit
// that moves bytes, as source and as destination.
var accesses = []access{
	// Scalars, by the element and by the pointer, in global and local memory.
	{"load i8", "pto.load_scalar", "gm", "i8", 1, `%v = pto.load_scalar %p[%n] : $P -> i8` + use("i8")},
	{"load f16", "pto.load_scalar", "gm", "f16", 2, `%v = pto.load_scalar %p[%n] : $P -> f16` + use("f16")},
	{"load f32", "pto.load_scalar", "gm", "f32", 4, `%v = pto.load_scalar %p[%n] : $P -> f32` + use("f32")},
	{"load i64", "pto.load_scalar", "gm", "i64", 8, `%v = pto.load_scalar %p[%n] : $P -> i64` + use("i64")},
	{"store i8", "pto.store_scalar", "gm", "i8", 1, `pto.store_scalar %b, %p[%n] : $P, i8`},
	{"store f32", "pto.store_scalar", "gm", "f32", 4, `pto.store_scalar %f1, %p[%n] : $P, f32`},
	{"store i64", "pto.store_scalar", "gm", "i64", 8, `pto.store_scalar %z, %p[%n] : $P, i64`},
	{"load at a moved pointer", "pto.load_scalar", "gm", "f32", 4, `%q = pto.addptr %p, %n : $P -> $P
%v = pto.load_scalar %q[%c0] : $P -> f32` + use("f32")},
	{"store at a moved pointer", "pto.store_scalar", "gm", "f32", 4, `%q = pto.addptr %p, %n : $P -> $P
pto.store_scalar %f1, %q[%c0] : $P, f32`},
	{"load of ub", "pto.load_scalar", "ub", "f32", 4, `%v = pto.load_scalar %p[%n] : $P -> f32` + use("f32")},
	{"store of ub", "pto.store_scalar", "ub", "f32", 4, `pto.store_scalar %f1, %p[%n] : $P, f32`},
	{"load past the cache", "pto.ld_dev", "gm", "i32", 4, `%v = pto.ld_dev %p[%n] : $P -> i32` + use("i32")},
	{"store past the cache", "pto.st_dev", "gm", "i32", 4, `pto.st_dev %i0, %p[%n] : $P, i32`},
	{"address as a number", "pto.load_scalar", "gm", "f32", 4, `%a = pto.ptrtoint %p : $P -> i64
%q = pto.inttoptr %a : i64 -> $P
%v = pto.load_scalar %q[%n] : $P -> f32` + use("f32")},
	{"pointer through a loop", "pto.store_scalar", "gm", "f32", 4, `%q = scf.for %i = %c0 to %c2 step %c1 iter_args(%r = %p) -> ($P) {
  %s = pto.addptr %r, %c0 : $P -> $P
  scf.yield %s : $P
}
pto.store_scalar %f1, %q[%n] : $P, f32`},
	{"pointer through a branch", "pto.load_scalar", "gm", "f32", 4, `%yes = arith.cmpi eq, %c0, %c0 : index
%q = scf.if %yes -> ($P) {
  %s = pto.addptr %p, %n : $P -> $P
  scf.yield %s : $P
} else {
  scf.yield %p : $P
}
%v = pto.load_scalar %q[%c0] : $P -> f32` + use("f32")},
	{"loop over elements", "pto.load_scalar", "gm", "f32", 64, `scf.for %i = %c0 to %c16 step %c1 {
  %j = arith.addi %i, %n : index
  %v = pto.load_scalar %p[%j] : $P -> f32
` + use("f32") + `}`},

	// Views and memrefs, by offsets, strides and extents.
	{"memref load", "memref.load", "memref", "i8", 1, byteOf + `%v = memref.load %m[%k] : memref<4096xi8>` + use("i8")},
	{"memref store", "memref.store", "memref", "i8", 1, byteOf + `memref.store %b, %m[%k] : memref<4096xi8>`},
	{"memref load at an offset", "memref.load", "memref", "i8", 1, byteOf + `%w = memref.reinterpret_cast %m to offset: [%k], sizes: [1], strides: [1] : memref<4096xi8> to memref<1xi8, strided<[1], offset: ?>>
%v = memref.load %w[%c0] : memref<1xi8, strided<[1], offset: ?>>` + use("i8")},
	{"memref store in a part", "memref.store", "memref", "i8", 1, byteOf + `%w = memref.subview %m[%k] [1] [1] : memref<4096xi8> to memref<1xi8, strided<[1], offset: ?>>
memref.store %b, %w[%c0] : memref<1xi8, strided<[1], offset: ?>>`},
	{"tload", "pto.tload", "gm", "f32", 64, `%q = pto.addptr %p, %n : $P -> $P
` + viewOf("%q", "%c8") + loadView},
	{"tstore", "pto.tstore", "gm", "f32", 64, `%q = pto.addptr %p, %n : $P -> $P
` + viewOf("%q", "%c8") + storeView},
	{"tload with a stride", "pto.tload", "gm", "f32", 64, `%s = arith.addi %n, %c8 : index
` + viewOf("%p", "%s") + loadView},
	{"tstore with a stride", "pto.tstore", "gm", "f32", 64, `%s = arith.addi %n, %c8 : index
` + viewOf("%p", "%s") + storeView},
	{"tprefetch", "pto.tprefetch", "gm", "f32", 64, `%q = pto.addptr %p, %n : $P -> $P
` + viewOf("%q", "%c8") + `%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
pto.tprefetch ins(%v : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)`},
	{"mgather", "pto.mgather", "gm", "f32", 512, `%q = pto.addptr %p, %n : $P -> $P
` + tableOf("%q") + `pto.mgather ins(%v, %t : !pto.partition_tensor_view<8x16xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%u : !pto.tile_buf<vec, 8x16xf32>) {coalesce = #pto<coalesce row>}`},
	{"mscatter", "pto.mscatter", "gm", "f32", 512, `%q = pto.addptr %p, %n : $P -> $P
` + tableOf("%q") + `pto.mscatter ins(%u, %t : !pto.tile_buf<vec, 8x16xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%v : !pto.partition_tensor_view<8x16xf32>)`},

	// Copies between global memory and the unified buffer.
	{"copy out of gm", "pto.mte_gm_ub", "gm", "f32", 64, move(`pto.mte_gm_ub %q, %ub, %z, %n64 nburst(%one, %n64, %n64) : $P, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`)},
	{"copy into ub", "pto.mte_gm_ub", "ub", "f32", 64, move(`pto.mte_gm_ub %gm, %q, %z, %n64 nburst(%one, %n64, %n64) : !pto.ptr<f32>, $P, i64, i64, i64, i64, i64`)},
	{"copy out of ub", "pto.mte_ub_gm", "ub", "f32", 64, move(`pto.mte_ub_gm %q, %gm, %n64 nburst(%one, %n64, %n64) : $P, !pto.ptr<f32>, i64, i64, i64, i64`)},
	{"copy into gm", "pto.mte_ub_gm", "gm", "f32", 64, move(`pto.mte_ub_gm %ub, %q, %n64 nburst(%one, %n64, %n64) : !pto.ptr<f32, ub>, $P, i64, i64, i64, i64`)},
	{"bursts out of gm", "pto.mte_gm_ub", "gm", "f32", 448, move(`pto.mte_gm_ub %q, %ub, %z, %n64 nburst(%two, %n128, %n64) loop(%two, %n256, %n128) : $P, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64`)},
	{"copy from ub in ub", "pto.mte_ub_ub", "ub", "i16", 64, move(`pto.mte_ub_ub %q, %ubi, %two nburst(%one, %z, %z) : $P, !pto.ptr<i16, ub>, i64, i64, i64, i64`)},
	{"copy to ub in ub", "pto.mte_ub_ub", "ub", "i16", 64, move(`pto.mte_ub_ub %ubi, %q, %two nburst(%one, %z, %z) : !pto.ptr<i16, ub>, $P, i64, i64, i64, i64`)},

	// Copies of the cube core, and the product.
	{"gm into L1, source", "pto.copy_gm_to_cbuf", "gm", "i16", 2048, move(`pto.copy_gm_to_cbuf %q, %l1i, %one, %n64, %n64, %n64 : $P, !pto.ptr<i16, l1>, i64, i64, i64, i64`)},
	{"gm into L1, destination", "pto.copy_gm_to_cbuf", "l1", "i16", 2048, `%gmi = pto.castptr %x : !pto.ptr<i8> -> !pto.ptr<i16>
` + move(`pto.copy_gm_to_cbuf %gmi, %q, %one, %n64, %n64, %n64 : !pto.ptr<i16>, $P, i64, i64, i64, i64`)},
	{"gm into fractals, source", "pto.mte_gm_l1_frac", "gm", "f16", 512, move(`pto.mte_gm_l1_frac %q, %l1h, nd2nz, shape(%n16, %n16), src_layout(%n32), dst_group(%one, %one, %n16, %z), ctrl(%z, %no) : $P, !pto.ptr<f16, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`)},
	{"gm into fractals, destination", "pto.mte_gm_l1_frac", "l1", "f16", 512, move(`pto.mte_gm_l1_frac %gmh, %q, nd2nz, shape(%n16, %n16), src_layout(%n32), dst_group(%one, %one, %n16, %z), ctrl(%z, %no) : !pto.ptr<f16>, $P, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`)},
	{"L1 into L0A, source", "pto.mte_l1_l0a", "l1", "f16", 512, move(`pto.mte_l1_l0a %q, %l0a, %n16, %n16, %z, %z : $P, !pto.ptr<f16, l0a>, i64, i64, i64, i64`)},
	{"L1 into L0A, destination", "pto.mte_l1_l0a", "l0a", "f16", 512, move(`pto.mte_l1_l0a %l1h, %q, %n16, %n16, %z, %z : !pto.ptr<f16, l1>, $P, i64, i64, i64, i64`)},
	{"L1 into L0B, source", "pto.mte_l1_l0b", "l1", "f16", 512, move(`pto.mte_l1_l0b %q, %l0b, %n16, %n16, %z, %z : $P, !pto.ptr<f16, l0b>, i64, i64, i64, i64`)},
	{"L1 into L0B, destination", "pto.mte_l1_l0b", "l0b", "f16", 512, move(`pto.mte_l1_l0b %l1h, %q, %n16, %n16, %z, %z : !pto.ptr<f16, l1>, $P, i64, i64, i64, i64`)},
	{"product, L0A", "pto.mad", "l0a", "f16", 512, move(`pto.mad %q, %l0b, %l0c, %n16, %n16, %n16 : $P, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`)},
	{"product, L0B", "pto.mad", "l0b", "f16", 512, move(`pto.mad %l0a, %q, %l0c, %n16, %n16, %n16 : !pto.ptr<f16, l0a>, $P, !pto.ptr<f32, l0c>, i64, i64, i64`)},
	{"product, L0C", "pto.mad", "l0c", "f32", 1024, move(`pto.mad %l0a, %l0b, %q, %n16, %n16, %n16 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, $P, i64, i64, i64`)},
	{"product that adds, L0C", "pto.mad_acc", "l0c", "f32", 1024, move(`pto.mad_acc %l0a, %l0b, %q, %n16, %n16, %n16 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, $P, i64, i64, i64`)},
	{"product with a bias, BT", "pto.mad_bias", "bt", "f32", 64, move(`pto.mad_bias %l0a, %l0b, %l0c, %q, %n16, %n16, %n16 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, $P, i64, i64, i64`)},
	{"L0C into gm, source", "pto.mte_l0c_gm", "l0c", "f32", 1024, move(`pto.mte_l0c_gm %q, %gm, %n16, %n16, %n16, %n16, %z, %z, nz2nd : $P, !pto.ptr<f32>, i64, i64, i64, i64, i64, i64`)},
	{"L0C into gm, destination", "pto.mte_l0c_gm", "gm", "f32", 1024, move(`pto.mte_l0c_gm %l0c, %q, %n16, %n16, %n16, %n16, %z, %z, nz2nd : !pto.ptr<f32, l0c>, $P, i64, i64, i64, i64, i64, i64`)},
	{"L0C into L1, source", "pto.mte_l0c_l1", "l0c", "f32", 1024, move(`pto.mte_l0c_l1 %q, %l1, %n16, %n16, %n16, %n16, nz2nd : $P, !pto.ptr<f32, l1>, i64, i64, i64, i64`)},
	{"L0C into L1, destination", "pto.mte_l0c_l1", "l1", "f32", 1024, move(`pto.mte_l0c_l1 %l0c, %q, %n16, %n16, %n16, %n16, nz2nd : !pto.ptr<f32, l0c>, $P, i64, i64, i64, i64`)},
	{"L0C into ub, source", "pto.mte_l0c_ub", "l0c", "f32", 1024, move(`pto.mte_l0c_ub %q, %ub, %n16, %n16, %n16, %n16, dst_mode(%z), nz2nd : $P, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`)},
	{"L0C into ub, destination", "pto.mte_l0c_ub", "ub", "f32", 1024, move(`pto.mte_l0c_ub %l0c, %q, %n16, %n16, %n16, %n16, dst_mode(%z), nz2nd : !pto.ptr<f32, l0c>, $P, i64, i64, i64, i64, i64`)},
	{"L1 into BT, source", "pto.mte_l1_bt", "l1", "f32", 32, move(`pto.mte_l1_bt %q, %bt, %one nburst(%one, %z, %z) : $P, !pto.ptr<f32, bt>, i64, i64, i64, i64`)},
	{"L1 into BT, destination", "pto.mte_l1_bt", "bt", "f32", 32, move(`pto.mte_l1_bt %l1, %q, %one nburst(%one, %z, %z) : !pto.ptr<f32, l1>, $P, i64, i64, i64, i64`)},
	{"L1 into FB, source", "pto.mte_l1_fb", "l1", "f32", 64, move(`pto.mte_l1_fb %q, %fb, %one nburst(%one, %z, %z) : $P, !pto.ptr<f32, fb>, i64, i64, i64, i64`)},
	{"L1 into FB, destination", "pto.mte_l1_fb", "fb", "f32", 64, move(`pto.mte_l1_fb %l1, %q, %one nburst(%one, %z, %z) : !pto.ptr<f32, l1>, $P, i64, i64, i64, i64`)},
	{"L1 into ub, source", "pto.mte_l1_ub", "l1", "f16", 64, move(`pto.mte_l1_ub %q, %ubh, %two nburst(%one, %z, %z) : $P, !pto.ptr<f16, ub>, i64, i64, i64, i64`)},
	{"ub into L1, destination", "pto.mte_ub_l1", "l1", "i16", 64, move(`pto.mte_ub_l1 %ubi, %q, %two nburst(%one, %z, %z) : !pto.ptr<i16, ub>, $P, i64, i64, i64, i64`)},
	{"ub into L1, source", "pto.mte_ub_l1", "ub", "i16", 64, move(`pto.mte_ub_l1 %q, %l1i, %two nburst(%one, %z, %z) : $P, !pto.ptr<i16, l1>, i64, i64, i64, i64`)},
	{"fill of L1", "pto.create_cbuf_matrix", "l1", "ui16", 64, move(`pto.create_cbuf_matrix %q, %i0, %one, %two, %z {fill_word_bits = 16 : i64} : $P, i32, i64, i64, i64`)},

	// Instructions on rows of the unified buffer, and tiles at an address.
	{"row of ub, destination", "pto.ub.vadd", "ub", "f32", 256, move(`pto.ub.set_mask %all64, %all64 : i64, i64
pto.ub.vadd %q, %ub, %ub, %one, %one, %one, %one, %n8, %n8, %n8 : $P, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i64, i64`)},
	{"row of ub, source", "pto.ub.vadd", "ub", "f32", 256, move(`pto.ub.set_mask %all64, %all64 : i64, i64
pto.ub.vadd %ub, %q, %ub, %one, %one, %one, %one, %n8, %n8, %n8 : !pto.ptr<f32, ub>, $P, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i64, i64`)},
	{"tile at an address", "pto.alloc_tile", "ub", "f32", 256, `%a = arith.index_cast %n : index to i64
%s = arith.addi %d, %a : i64
%t = pto.alloc_tile addr = %s : !pto.tile_buf<vec, 8x8xf32>
pto.texpands ins(%f1 : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)`},

	// Vector loads and stores.
	{"vector load", "pto.vlds", "ub", "f32", 256, inScope(`%v = pto.vlds %p[%n] : $P -> !pto.vreg<64xf32>` + keep)},
	{"vector load of one element", "pto.vlds", "ub", "f32", 4, inScope(`%v = pto.vlds %p[%n] {dist = "BRC_B32"} : $P -> !pto.vreg<64xf32>` + keep)},
	{"two vector loads", "pto.vldsx2", "ub", "f32", 512, inScope(`%v, %w = pto.vldsx2 %p[%n], "DINTLV_B32" : $P, index -> !pto.vreg<64xf32>, !pto.vreg<64xf32>` + keep)},
	{"vector load of blocks", "pto.vsldb", "ub", "f32", 288, inScope(move(`%v = pto.vsldb %q, %h1, %h1, %all : $P, i16, i16, !pto.mask<b32> -> !pto.vreg<64xf32>` + keep))},
	{"unaligned vector load", "pto.vldus", "ub", "f32", 256, inScope(move(`%a = pto.vldas %ub : !pto.ptr<f32, ub> -> !pto.align
%v, %w = pto.vldus %q, %a : $P, !pto.align -> !pto.vreg<64xf32>, !pto.align` + keep))},
	{"vector store", "pto.vsts", "ub", "f32", 256, inScope(`pto.vsts %ones, %p[%n], %all : !pto.vreg<64xf32>, $P, !pto.mask<b32>`)},
	{"vector store of one element", "pto.vsts", "ub", "f32", 4, inScope(`pto.vsts %ones, %p[%n], %all {dist = "1PT_B32"} : !pto.vreg<64xf32>, $P, !pto.mask<b32>`)},
	{"two vector stores", "pto.vstsx2", "ub", "f32", 512, inScope(`pto.vstsx2 %ones, %ones, %p[%n], "INTLV_B32", %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, $P, index, !pto.mask<b32>`)},
	{"vector store of blocks", "pto.vsstb", "ub", "f32", 288, inScope(move(`pto.vsstb %ones, %q, %h1, %h1, %all : !pto.vreg<64xf32>, $P, i16, i16, !pto.mask<b32>`))},
	{"gather", "pto.vgather2", "ub", "f32", 256, inScope(move(`%v = pto.vgather2 %q, %row, %all : $P, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>` + keep))},
	{"gather of one element", "pto.vgather2", "ub", "f32", 4, inScope(move(`%v = pto.vgather2 %q, %first, %all : $P, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>` + keep))},
	{"scatter", "pto.vscatter", "ub", "f32", 256, inScope(move(`pto.vscatter %ones, %q, %row, %all : !pto.vreg<64xf32>, $P, !pto.vreg<64xi32>, !pto.mask<b32>`))},
	{"load of a mask", "pto.plds", "ub", "ui8", 32, inScope(`%v = pto.plds %p[%n], "NORM" : $P, index -> !pto.mask<b32>
%w = pto.vsel %ones, %zeros, %v : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
pto.vsts %w, %ub[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`)},
	{"store of a mask", "pto.psts", "ub", "ui8", 32, inScope(`pto.psts %all, %p[%n], "NORM" : !pto.mask<b32>, $P, index`)},
	{"sort, source", "pto.vsort32", "ub", "f32", 128, `%far = pto.castptr %n1024 : i64 -> !pto.ptr<f32, ub>
` + move(`pto.vsort32 %far, %q, %sorts : !pto.ptr<f32, ub>, $P, i64`)},

	// Work items.
	{"item load", "pto.load", "gm", "i32", 4, inItem(`%v = pto.load %p[%n] : $P -> i32` + use("i32"))},
	{"item store", "pto.store", "gm", "i32", 4, inItem(`pto.store %i0, %p[%n] : $P, i32`)},
	{"item load of ub", "pto.load", "ub", "i32", 4, inItem(`%v = pto.load %p[%n] : $P -> i32` + use("i32"))},
	{"item store of ub", "pto.store", "ub", "i32", 4, inItem(`pto.store %i0, %p[%n] : $P, i32`)},
	{"item load of global memory", "pto.ldg", "gm", "f32", 4, inItem(`%v = pto.ldg %p[%n] : $P -> f32` + use("f32"))},
	{"item store of global memory", "pto.stg", "gm", "f32", 4, inItem(`pto.stg %f1, %p[%n] : $P, f32`)},
	{"atomic", "pto.atomic_add", "gm", "i32", 4, inItem(move(`%v = pto.atomic_add %q, %i0 signed : $P, i32 -> i32`))},
	{"atomic in ub", "pto.atomic_max", "ub", "i32", 4, inItem(move(`%v = pto.atomic_max %q, %i0 unsigned : $P, i32 -> i32`))},
	{"atomic exchange", "pto.atomic_exch", "gm", "i64", 8, inItem(move(`%v = pto.atomic_exch %q, %z signed : $P, i64 -> i64`))},
	{"atomic comparison", "pto.atomic_cas", "gm", "i32", 4, inItem(move(`%v = pto.atomic_cas %q, %i0, %i0 signed : $P, i32 -> i32`))},

	// Variables on the stack; %p is not used.
	{"stack load", "llvm.load", "stack", "i32", 4, stack + `%v = llvm.load %r : !llvm.ptr -> i32` + use("i32")},
	{"stack store", "llvm.store", "stack", "i32", 4, stack + `llvm.store %i0, %r : i32, !llvm.ptr
%v = llvm.load %s : !llvm.ptr -> i32` + use("i32")},
	{"stack load of an item", "llvm.load", "stack", "i32", 4, inItem(stack + `%v = llvm.load %r : !llvm.ptr -> i32` + use("i32"))},
	{"stack store of an item", "llvm.store", "stack", "i32", 4, inItem(stack + `llvm.store %i0, %r : i32, !llvm.ptr
%v = llvm.load %s : !llvm.ptr -> i32` + use("i32"))},
}

// indexed are accesses at an index of 32 bits in a register or a tile; %n is the index.
var indexed = []access{
	{"gather, index", "pto.vgather2", "ub", "f32", 4, inScope(index + `%v = pto.vgather2 %ub, %ix, %all : !pto.ptr<f32, ub>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>` + keep)},
	{"scatter, index", "pto.vscatter", "ub", "f32", 4, inScope(index + `pto.vscatter %ones, %ub, %ix, %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vreg<64xi32>, !pto.mask<b32>`)},
	{"mgather, index", "pto.mgather", "gm", "f32", 4, indexTile + `pto.mgather ins(%v, %t : !pto.partition_tensor_view<1x1024xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%u : !pto.tile_buf<vec, 1x8xf32>) {coalesce = #pto<coalesce elem>}`},
	{"mscatter, index", "pto.mscatter", "gm", "f32", 4, indexTile + `pto.mscatter ins(%u, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%v : !pto.partition_tensor_view<1x1024xf32>) {coalesce = #pto<coalesce elem>}`},
}

// index is text that defines %ix, a register of indices.
const index = "%i = arith.index_cast %n : index to i32\n%ix = pto.vbr %i : i32 -> !pto.vreg<64xi32>\n"

// indexTile is text that defines %v, a table of all elements, %t, a tile of indices, and
// %u, a tile.
const indexTile = `%i = arith.index_cast %n : index to i32
%w = pto.make_tensor_view %p, shape = [%c1, %c1024], strides = [%c1024, %c1] : !pto.tensor_view<1x1024xf32>
%v = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c1, %c1024] : !pto.tensor_view<1x1024xf32> -> !pto.partition_tensor_view<1x1024xf32>
%t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
%u = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
pto.texpands ins(%i : i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)
`

// use returns text that stores %v, so that LLVM does not remove the load of %v.
func use(typ string) string {
	return "\n%to = pto.castptr %y : !pto.ptr<i8> -> !pto.ptr<" + typ + ">\npto.store_scalar %v, %to[%c0] : !pto.ptr<" + typ + ">, " + typ + "\n"
}

// keep is text that stores the register %v, so that LLVM does not remove its computation.
const keep = "\npto.vsts %v, %ub[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>"

// stack is text that defines %r, a pointer to 16 bytes on the stack.
const stack = `%s = llvm.alloca %i4 x i32 : (i32) -> !llvm.ptr
%k = arith.index_cast %n : index to i64
%q = llvm.getelementptr %s[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i8
%r = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
`

// byteOf is text that defines %k, the index of a byte.
const byteOf = "%e = arith.index_cast %d : i64 to index\n%k = arith.addi %e, %n : index\n"

// move returns text in which %q is the pointer %p advanced by %n elements, for
// instructions without an index.
func move(text string) string { return "%q = pto.addptr %p, %n : $P -> $P\n" + text }

// viewOf returns text that defines %v, a view of 2x8 elements.
func viewOf(at, stride string) string {
	return `%w = pto.make_tensor_view ` + at + `, shape = [%c2, %c8], strides = [` + stride + `, %c1] : !pto.tensor_view<2x8xf32>
%v = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8xf32> -> !pto.partition_tensor_view<2x8xf32>
`
}

const (
	loadView = `%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
pto.tload ins(%v : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)`
	storeView = `%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%v : !pto.partition_tensor_view<2x8xf32>)`
)

// tableOf returns text that defines %v, a table of 8 rows, %t, a tile of row indices, and
// %u, a tile.
func tableOf(at string) string {
	return `%w = pto.make_tensor_view ` + at + `, shape = [%c8, %c16], strides = [%c16, %c1] : !pto.tensor_view<8x16xf32>
%v = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c8, %c16] : !pto.tensor_view<8x16xf32> -> !pto.partition_tensor_view<8x16xf32>
%t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
pto.tci ins(%i0 : i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)
%u = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
`
}
