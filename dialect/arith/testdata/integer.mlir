func.func @integers(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
  %add = arith.addi %a, %b : i32
  %add2 = arith.addi %add, %b overflow<nsw> : i32
  %add3 = arith.addi %add2, %b overflow<nsw, nuw> : i32
  %add4 = arith.addi %add3, %b overflow<none> {note = "kept"} : i32
  %sub = arith.subi %add4, %b overflow<nuw> : i32
  %mul = arith.muli %sub, %b {overflowFlags = #arith.overflow<nuw, nsw>} : i32
  %sum, %over = arith.addui_extended %mul, %b : i32, i1
  %lo, %hi = arith.mulsi_extended %sum, %b : i32
  %both:2 = arith.mului_extended %lo, %hi : i32
  %div = arith.divsi %both#0, %both#1 : i32
  %divu = arith.divui %div, %b : i32
  %ceil = arith.ceildivsi %divu, %b : i32
  %ceilu = arith.ceildivui %ceil, %b : i32
  %floor = arith.floordivsi %ceilu, %b : i32
  %rem = arith.remsi %floor, %b : i32
  %remu = arith.remui %rem, %b : i32
  %and = arith.andi %remu, %b : i32
  %or = arith.ori %and, %b : i32
  %xor = arith.xori %or, %b : i32
  %shl = arith.shli %xor, %b overflow<nsw> : i32
  %shr = arith.shrsi %shl, %b : i32
  %shru = arith.shrui %shr, %b : i32
  %max = arith.maxsi %shru, %b : i32
  %maxu = arith.maxui %max, %b : i32
  %min = arith.minsi %maxu, %b : i32
  %minu = arith.minui %min, %b : i32
  %k = arith.addi %i, %j : index
  return %minu : i32
}

func.func @shapes(%v: vector<4xi8>, %w: vector<2x[4]xi64>, %t: tensor<2x?xi16>, %u: tensor<*xi1>) {
  %0 = arith.addi %v, %v : vector<4xi8>
  %1 = arith.muli %w, %w overflow<nsw> : vector<2x[4]xi64>
  %2 = arith.xori %t, %t : tensor<2x?xi16>
  %3 = arith.andi %u, %u : tensor<*xi1>
  %s:2 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  return
}
