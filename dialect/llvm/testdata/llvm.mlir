func.func @memory(%n: i32, %p: !llvm.ptr, %q: !llvm.ptr<6>, %x: f32) {
  %0 = llvm.alloca %n x f32 {my.mark} : (i32) -> !llvm.ptr
  %1 = llvm.alloca %n x !llvm.array<4 x f32> {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  %2 = llvm.alloca inalloca %n x f32 : (i32) -> !llvm.ptr
  %3 = llvm.load %p : !llvm.ptr -> f32
  %4 = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
  %5 = llvm.load %p atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr -> f32
  %6 = llvm.load volatile %q atomic seq_cst invariant {alignment = 4 : i64, nontemporal} : !llvm.ptr<6> -> f32
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.store volatile %x, %q {alignment = 8 : i64} : f32, !llvm.ptr<6>
  llvm.store %x, %p atomic release {alignment = 4 : i64} : f32, !llvm.ptr
  return
}

func.func @addresses(%n: i32, %i: i64, %p: !llvm.ptr, %q: !llvm.ptr<6>) {
  %0 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %1 = llvm.getelementptr inbounds %p[%i, 1, %n] : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>)>
  %2 = llvm.getelementptr %q[3] {note} : (!llvm.ptr<6>) -> !llvm.ptr<6>, i8
  %3 = llvm.getelementptr %p[-1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i8>
  %4 = llvm.inttoptr %i : i64 to !llvm.ptr<4>
  %5 = llvm.ptrtoint %q : !llvm.ptr<6> to i64
  %6 = llvm.addrspacecast %q : !llvm.ptr<6> to !llvm.ptr
  return
}

func.func @values(%n: i32, %x: f32, %v: vector<2xf32>, %s: !llvm.struct<(i32, array<4 x f32>)>) {
  %0 = llvm.bitcast %v : vector<2xf32> to i64
  %1 = llvm.bitcast %n {note} : i32 to vector<2xi16>
  %2 = llvm.extractelement %v[%n : i32] : vector<2xf32>
  %3 = llvm.insertelement %x, %v[%n : i32] {note} : vector<2xf32>
  %4 = llvm.extractvalue %s[1, 2] : !llvm.struct<(i32, array<4 x f32>)>
  %5 = llvm.insertvalue %n, %s[0] {note} : !llvm.struct<(i32, array<4 x f32>)>
  %6 = llvm.mlir.constant(42 : i32) : i32
  %7 = llvm.mlir.constant(1.5 : f32) {note} : f32
  %8 = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
  %9 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
  %10 = llvm.mlir.constant(true) : i1
  %11 = llvm.mlir.undef : !llvm.struct<(i32, array<4 x f32>)>
  %12 = llvm.mlir.poison : i32
  %13 = llvm.mlir.zero {note} : !llvm.ptr
  return
}

func.func private @types(!llvm.void, !llvm.ptr<3>, !llvm.struct<"name", (i32, ptr)>, !llvm.struct<packed (i8, f32)>, !llvm.struct<"op", opaque>, !llvm.struct<()>,
  !llvm.array<4 x vector<2xf32>>, !llvm.array<2 x array<3 x struct<"inner", packed (i8, ptr<3>)>>>, !llvm.func<i32 (ptr, ...)>, !llvm.func<void ()>, !llvm.func<void (...)>,
  !llvm.vec<4 x ptr>, !llvm.vec<? x 4 x ptr>, !llvm.label, !llvm.token, !llvm.metadata, !llvm.ppc_fp128, !llvm.struct<"rec", (struct<"rec">, i32)>, !llvm.struct<(!llvm.ptr)>, !llvm<ptr>)
