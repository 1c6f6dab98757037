func.func @math(%a: i32, %x: f32, %v: vector<4xf32>, %i: index, %vi: vector<4xi16>, %t: tensor<?xbf16>) {
  %0 = math.absf %x : f32
  %1 = math.absi %a : i32
  %2 = math.acos %x fastmath<fast> : f32
  %3 = math.acosh %x : f32
  %4 = math.asin %x : f32
  %5 = math.asinh %x : f32
  %6 = math.atan %x : f32
  %7 = math.atan2 %x, %x : f32
  %8 = math.atanh %x : f32
  %9 = math.cbrt %x : f32
  %10 = math.ceil %x : f32
  %11 = math.copysign %x, %x : f32
  %12 = math.cos %v : vector<4xf32>
  %13 = math.cosh %x : f32
  %14 = math.ctlz %a : i32
  %15 = math.ctpop %a : i32
  %16 = math.cttz %a : i32
  %17 = math.erf %x : f32
  %18 = math.exp %x : f32
  %19 = math.exp2 %x : f32
  %20 = math.expm1 %x : f32
  %21 = math.floor %x : f32
  %22 = math.fma %x, %x, %x : f32
  %23 = math.fpowi %x, %a : f32, i32
  %24 = math.ipowi %a, %a : i32
  %25 = math.log %x : f32
  %26 = math.log10 %x : f32
  %27 = math.log1p %x : f32
  %28 = math.log2 %x : f32
  %29 = math.powf %x, %x : f32
  %30 = math.round %x : f32
  %31 = math.roundeven %x : f32
  %32 = math.rsqrt %x : f32
  %33 = math.sin %x : f32
  %34 = math.sinh %x : f32
  %35 = math.sqrt %x : f32
  %36 = math.tan %x : f32
  %37 = math.tanh %x : f32
  %38 = math.trunc %x : f32
  %39 = math.exp %x fastmath<nnan,ninf> {note} : f32
  %40 = math.absi %i : index
  %41 = math.fpowi %v, %vi fastmath<fast> {note = 1 : i8} : vector<4xf32>, vector<4xi16>
  %42 = math.sqrt %t : tensor<?xbf16>
  %43 = math.ctpop %vi : vector<4xi16>
  return
}
