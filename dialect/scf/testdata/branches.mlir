func.func @branches(%i: index, %c: i1, %x: f32, %y: f32) -> f32 {
  scf.if %c {
  }
  scf.if %c {
    %k = arith.constant 1 : i32
  } else {
  }
  scf.if %c {
  } else {
    %k = arith.constant 2 : i32
  } {note}
  %one = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  %two:2 = scf.if %c -> (f32, f32) {
    scf.yield %x, %y : f32, f32
  } else {
    %z = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %one : f32
    }
    scf.yield %z, %x : f32, f32
  }
  %e = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1(%x : f32), ^bb2
  ^bb1(%u: f32):
    scf.yield %u : f32
  ^bb2:
    scf.yield %two#0 : f32
  } {note}
  scf.execute_region {
    scf.yield
  }
  %f:2 = scf.execute_region -> (f32, f32) {
    scf.yield %e, %x : f32, f32
  }
  %s = scf.index_switch %i {note} -> f32
  case 2 {
    scf.yield %f#1 : f32
  }
  case -5 {
    scf.yield %x : f32
  }
  default {
    scf.yield %y : f32
  }
  scf.index_switch %i
  case 7 {
    scf.yield
  }
  default {
  }
  scf.index_switch %i
  default {
  }
  %t:2 = scf.index_switch %i -> f32, f32
  default {
    scf.yield %x, %s : f32, f32
  }
  return %t#1 : f32
}
