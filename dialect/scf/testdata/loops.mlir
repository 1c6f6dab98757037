func.func @loops(%a: i32, %lb: index, %ub: index, %st: index, %c: i1, %x: f32) -> f32 {
  scf.for %i = %lb to %ub step %st {
  }
  %sum = scf.for %i = %lb to %ub step %st iter_args(%acc = %x) -> (f32) {
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  } {note = "kept"}
  %both:2 = scf.for %i = %a to %a step %a iter_args(%p = %x, %q = %a) -> (f32, i32) : i32 {
    %n = arith.addi %q, %i : i32
    scf.yield %p, %n : f32, i32
  }
  scf.for %i = %a to %a step %a : i32 {
    scf.for %j = %i to %a step %a : i32 {
      %k = arith.addi %i, %j : i32
    }
  } {inner}
  %w = scf.while (%v = %sum) : (f32) -> f32 {
    scf.condition(%c) %v : f32
  } do {
  ^bb0(%v: f32):
    scf.yield %v : f32
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {note}
  %pair:2 = scf.while (%v = %w) : (f32) -> (f32, i1) {
    scf.condition(%c) %v, %c : f32, i1
  } do {
  ^bb0(%v: f32, %go: i1):
    scf.yield %v : f32
  }
  return %pair#0 : f32
}
