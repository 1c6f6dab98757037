// Every builtin type, in every spelling that is read.
!pair = tuple<i32, f32>
!fn = (i32) -> ()

func.func private @integers(i1, i2, i7, i8, i16, i32, i33, i64, i128, i16777215)
func.func private @signs(si8, ui8, si64, ui64, si1, ui1, index)
func.func private @floats(f16, bf16, f32, f64, f80, f128, tf32)
func.func private @small_floats(f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ)
func.func private @compound(none, tuple<>, tuple<i32>, tuple<i32, tuple<f32, index>>, complex<f32>, complex<i8>)
func.func private @functions(() -> (), (i32) -> f32, (i32, f32) -> (f32, i32), () -> (() -> ()), (i32) -> ((i32) -> i32), ((i32) -> ()) -> ())
func.func private @vectors(vector<4xf32>, vector<4x8xi1>, vector<[4]xi8>, vector<2x[4]x8xf16>, vector<3xindex>)
func.func private @scalars_as_vectors(vector<f32>)
func.func private @tensors(tensor<f32>, tensor<0xi8>, tensor<4x?xf32>, tensor<?x?x?xi1>, tensor<*xf64>, tensor<2xvector<4xf32>>, tensor<4xcomplex<f32>>, tensor<2x!foo.bar<"x>">>)
func.func private @encoded(tensor<4xf32, "layout">, tensor<?xf32, {rank = 1 : i32}>, tensor<4xi8, #foo.enc<[1, 2]>>)
func.func private @memrefs(memref<f32>, memref<4x8xi32>, memref<?xf32>, memref<*xf16>, memref<*xf16, 3>, memref<4xf32, 1>, memref<4xf32, "space">, memref<2x?xi8, strided<[?, 1]>, "space">)
func.func private @layouts(memref<4x8xf32, strided<[8, 1]>>, memref<4x?xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[2], offset: 5>, 2>, memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>>)
func.func private @symbols(memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>, memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>, 1>)
func.func private @aliases(!pair, !fn, tuple<!pair, !fn>, (!fn) -> !fn)
func.func private @foreign(!foo.bar, !foo.bar<1>, !foo.bar<4x8xf32, "a > b", [x, {y}], (z)>, !foo<bar baz>, !foo.a.b<c -> d>)
func.func private @nested(memref<4xmemref<4xf32>>, memref<2xvector<4xf32>, 7>)
func.func private @blanks(tensor<4 x 8 x f32>, tensor<? x8x f32>, tensor<* x f32>, vector<[ 4 ] x 2 x f32>, memref<4 x 8 x f32, strided< [8, 1] >>, tensor<4 // comment
  x f32>, tensor<04xf32>)
func.func private @normal(memref<4xf32, 0>, memref<4x5xf32, affine_map<(d0, d1) -> (d0, d1)>>, memref<4x5xf32, affine_map<(i, j) -> (i, j)>, 3>, memref<f32, affine_map<() -> ()>>)
func.func private @large(tensor<9223372036854775807xf32>, memref<4xf32, -1>, memref<4xf32, 1 : i32>, memref<4xf32, {a = 1}>, memref<4xf32, strided<[-2], offset: -3>>)
