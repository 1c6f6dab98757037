func.func @parallel(%lb: index, %ub: index, %st: index, %x: f32, %y: i32, %t: tensor<4xf32>) {
  scf.parallel (%i) = (%lb) to (%ub) step (%st) {
    scf.reduce
  }
  scf.parallel (%i) = (%lb) to (%ub) step (%st) {
    %k = arith.addi %i, %i : index
  } {note}
  %r:2 = scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%st, %st) init (%x, %y) -> (f32, i32) {
    scf.reduce(%x, %y : f32, i32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: i32, %b: i32):
      scf.reduce.return %a {note} : i32
    }
  }
  %one = scf.parallel (%i) = (%lb) to (%ub) step (%st) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %b : f32
    }
  }
  scf.forall (%i, %j) in (%ub, 8) {
    %k = arith.addi %i, %j : index
  }
  scf.forall (%i, %j) = (0, %lb) to (%ub, 16) step (2, %st) {
  } {note}
  scf.forall (%i) = (0) to (%ub) step (1) {
  }
  %o = scf.forall (%i) in (%ub) shared_outs(%q = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  %o2:2 = scf.forall (%i) in (%ub) shared_outs(%q = %t, %p = %o) -> (tensor<4xf32>, tensor<4xf32>) {
    %k = arith.addf %q, %p : tensor<4xf32>
    scf.forall.in_parallel {
    } {note}
  }
  return
}
