func.func @floats(%a: f32, %b: f32, %h: f16, %v: vector<4xbf16>, %t: tensor<?xf64>) {
  %add = arith.addf %a, %b : f32
  %sub = arith.subf %add, %b fastmath<nnan> : f32
  %mul = arith.mulf %sub, %b fastmath<nnan,ninf> : f32
  %div = arith.divf %mul, %b fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %rem = arith.remf %div, %b fastmath<fast> {note} : f32
  %neg = arith.negf %rem : f32
  %neg2 = arith.negf %neg fastmath<nsz, arcp> : f32
  %max = arith.maximumf %neg2, %b : f32
  %min = arith.minimumf %max, %b : f32
  %maxn = arith.maxnumf %min, %b : f32
  %minn = arith.minnumf %maxn, %b {fastmath = #arith.fastmath<fast>} : f32
  %h2 = arith.mulf %h, %h : f16
  %v2 = arith.addf %v, %v : vector<4xbf16>
  %t2 = arith.divf %t, %t : tensor<?xf64>
  return
}
