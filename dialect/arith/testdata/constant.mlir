func.func @constants() -> (i32, f32) {
  %0 = arith.constant 5 : i32
  %1 = arith.constant -7 : i8
  %2 = arith.constant 4 : index
  %3 = arith.constant 12
  %4 = arith.constant true
  %5 = arith.constant false
  %6 = arith.constant 1.5 : f32
  %7 = arith.constant -2.5e-3 : f64
  %8 = arith.constant 1.0
  %9 = arith.constant 0x7FC00000 : f32
  %10 = arith.constant 0xFC00 : f16
  %11 = arith.constant {note = "kept"} 9 : i16
  %12 = arith.constant dense<1> : vector<4xi32>
  %13 = arith.constant dense<[1.0, 2.0, -3.5]> : tensor<3xf16>
  %14 = arith.constant dense<[[true, false], [false, true]]> : vector<2x2xi1>
  %15 = arith.constant dense<> : tensor<0xi8>
  %16 = arith.constant dense<2> : tensor<2xindex>
  %17 = arith.constant 0xFF : i8
  %18 = arith.constant 123456789012345678901234567890 : i128
  %19 = arith.constant 3 : i7
  %20 = arith.constant 1.1 : bf16
  %21 = arith.constant 3.0 : f8E4M3FN
  return %0, %6 : i32, f32
}
