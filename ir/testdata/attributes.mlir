// Every builtin attribute, in every spelling that is read.
#alias = 5 : i16
#list = [1, "two", #alias]
#map = affine_map<(d0, d1)[s0] -> (d0 + d1 * 2, d1 mod 3, s0 floordiv 2)>

"my.numbers"() {a = 1, b = -1 : i8, c = 255 : ui8, d = 0x1F : i32, e = 4 : index, f = true, g = false, h = 170141183460469231731687303715884105727 : i128, i = -9223372036854775808 : i64, j = 18446744073709551615 : ui64, k = 0 : si4} : () -> ()
"my.floats"() {a = 1.0, b = -1.5 : f32, c = 1.0e10 : f64, d = 0x7F800000 : f32, e = 0x7FC00001 : f32, f = -0.0 : f16, g = 3.14159274 : f32, h = 1.0e-45 : f32, i = 0.1 : bf16, j = 448.0 : f8E4M3FN, k = 0xFF : f8E5M2} : () -> ()
"my.strings"() {a = "plain", b = "quote \" backslash \\ newline \n tab \t byte \00\FF", c = "", d = "typed" : !foo.bar, e = "\E2\82\AC"} : () -> ()
"my.names"() {"quoted name" = 1, "with.dot" = 2, plain.dot = 3, _under, unit_attr, explicit = unit} : () -> ()
"my.lists"() {a = [], b = [1, 2.0, "x", [true], -3 : i32, 0.0, 0x7FF8000000000000 : f64, 1.0 : f32], c = {}, d = {x = 1, y = {z = []}}, e = [unit, i32]} : () -> ()
"my.symbols"() {a = @f, b = @"quoted name", c = @m::@f, d = @a::@"b c"::@d} : () -> ()
"my.types"() {a = i32, b = tensor<4x?xf32>, c = (i32) -> f32, d = !foo.bar<x>, e = vector<4xf32>, f = none} : () -> ()
"my.arrays"() {a = array<i32>, b = array<i32: 1, -2, 3>, c = array<i8: 127, -128>, d = array<i64: 9223372036854775807>, e = array<i1: true, false>, f = array<f32: 1.0, -2.5>, g = array<f64: 1.0e100>, h = array<i16: 0x10>, i = array<i128: 170141183460469231731687303715884105727, -1>, j = array<ui8: 255>, k = array<i24: -1, 8388607>} : () -> ()
"my.dense"() {a = dense<1> : tensor<4xi32>, b = dense<[1, 2, 3]> : vector<3xi8>, c = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>, d = dense<> : tensor<0xf32>, e = dense<true> : vector<8xi1>, f = dense<[true, false, true, true, false, false, true, false, true]> : vector<9xi1>, g = dense<"str"> : tensor<2x!foo.bar>, h = dense<["a", "b"]> : tensor<2x!foo.bar>, i = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, j = dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>, k = dense<-1> : tensor<2xi3>, l = dense<[1, 2]> : tensor<2xindex>, m = dense<5> : tensor<i64>, n = dense<[-1, 170141183460469231731687303715884105727]> : tensor<2xi128>, o = dense<[1, 1, 1]> : tensor<3xi8>, p = dense<1099511627775> : tensor<2xui40>, q = dense<[1, 2]> : vector<2xi40>} : () -> ()
"my.dense_hex"() {a = dense<"0x01020304"> : tensor<4xi8>, b = dense<"0x0000803F"> : tensor<4xf32>, c = dense<0x7FC00000> : tensor<2xf32>, d = dense<[0x3C00, 0xBC00]> : tensor<2xf16>, e = dense<"0xFF"> : tensor<9xi1>, f = dense<"0x0501"> : tensor<9xi1>, g = dense<"0x"> : tensor<0xi8>, h = dense<"0x0102"> : tensor<3xcomplex<i8>>} : () -> ()
"my.affine"() {a = affine_map<() -> ()>, b = affine_map<(d0) -> (d0 + 1)>, c = #map, d = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 == 0)>, e = strided<[4, 1]>, f = strided<[?, ?], offset: ?>, g = strided<[], offset: 3>} : () -> ()
"my.aliases"() {a = #alias, b = #list, c = [#map]} : () -> ()
"my.foreign"() {a = #foo.bar, b = #foo.bar<1, "x">, c = #foo<bar baz>, d = #foo.bar<[{x = #foo.y}]> : i32} : () -> ()
"my.locations"() {a = loc(unknown), b = loc("file.mlir":1:2), c = loc("name"), d = loc("name"("file.mlir":3:4)), e = loc(callsite("f" at "g")), f = loc(fused["a", "b"]), g = loc(fused<"meta">["a"])} : () -> ()
"my.resource"() {a = dense_resource<blob> : tensor<4xi8>} : () -> ()
"my.distinct"() {a = distinct[0]<42 : i32>, b = distinct[1]<"x">} : () -> ()
"my.sparse"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>} : () -> ()
