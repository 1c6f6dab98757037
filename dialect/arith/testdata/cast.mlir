func.func @casts(%a: i32, %x: f32, %i: index, %v: vector<4xi8>, %w: vector<4xf16>, %m: memref<4xi32>) {
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extui %v : vector<4xi8> to vector<4xi32>
  %2 = arith.trunci %a : i32 to i1
  %3 = arith.extf %w : vector<4xf16> to vector<4xf32>
  %4 = arith.extf %x fastmath<fast> : f32 to f64
  %5 = arith.truncf %x : f32 to bf16
  %6 = arith.truncf %x to_nearest_even : f32 to f16
  %7 = arith.truncf %x downward {note} : f32 to f16
  %8 = arith.truncf %x upward : f32 to f8E5M2
  %9 = arith.truncf %x toward_zero fastmath<nnan> : f32 to f8E4M3FN
  %10 = arith.truncf %x to_nearest_away : f32 to f16
  %11 = arith.sitofp %a : i32 to f32
  %12 = arith.uitofp %v : vector<4xi8> to vector<4xf16>
  %13 = arith.fptosi %x : f32 to i8
  %14 = arith.fptoui %w : vector<4xf16> to vector<4xi8>
  %15 = arith.index_cast %i : index to i32
  %16 = arith.index_cast %a : i32 to index
  %17 = arith.index_castui %i : index to i64
  %18 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  %19 = arith.bitcast %x : f32 to i32
  %20 = arith.bitcast %w {note} : vector<4xf16> to vector<4xbf16>
  return
}
