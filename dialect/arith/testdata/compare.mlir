func.func @integers(%a: i32, %i: index, %v: vector<4xi8>, %t: tensor<2x?xi64>) {
  %0 = arith.cmpi eq, %a, %a : i32
  %1 = arith.cmpi ne, %a, %a : i32
  %2 = arith.cmpi slt, %a, %a : i32
  %3 = arith.cmpi sle, %a, %a : i32
  %4 = arith.cmpi sgt, %i, %i : index
  %5 = arith.cmpi sge, %a, %a : i32
  %6 = arith.cmpi ult, %v, %v : vector<4xi8>
  %7 = arith.cmpi "ule", %t, %t : tensor<2x?xi64>
  %8 = arith.cmpi ugt, %a, %a {note} : i32
  %9 = arith.cmpi uge, %a, %a : i32
  return
}

func.func @floats(%a: f32, %v: vector<2xf16>) {
  %0 = arith.cmpf false, %a, %a : f32
  %1 = arith.cmpf oeq, %a, %a : f32
  %2 = arith.cmpf ogt, %a, %a : f32
  %3 = arith.cmpf oge, %a, %a : f32
  %4 = arith.cmpf olt, %a, %a : f32
  %5 = arith.cmpf ole, %a, %a : f32
  %6 = arith.cmpf one, %a, %a : f32
  %7 = arith.cmpf ord, %a, %a : f32
  %8 = arith.cmpf ueq, %a, %a : f32
  %9 = arith.cmpf ugt, %a, %a : f32
  %10 = arith.cmpf uge, %a, %a : f32
  %11 = arith.cmpf ult, %a, %a : f32
  %12 = arith.cmpf ule, %a, %a : f32
  %13 = arith.cmpf une, %a, %a : f32
  %14 = arith.cmpf uno, %v, %v fastmath<nnan> : vector<2xf16>
  %15 = arith.cmpf true, %v, %v {note = 1 : i8} : vector<2xf16>
  return
}

func.func @select(%c: i1, %a: i32, %vc: vector<4xi1>, %v: vector<4xf32>, %tc: tensor<?xi1>, %t: tensor<?xf16>, %m: memref<4xf32>) {
  %0 = arith.select %c, %a, %a : i32
  %1 = arith.select %c, %v, %v : vector<4xf32>
  %2 = arith.select %vc, %v, %v : vector<4xi1>, vector<4xf32>
  %3 = arith.select %tc, %t, %t {note} : tensor<?xi1>, tensor<?xf16>
  %4 = arith.select %c, %m, %m : memref<4xf32>
  return
}
