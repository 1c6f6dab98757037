func.func @jumps(%a: i32, %c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^bb1(%x : f32), ^bb2
^bb1(%p: f32):
  cf.br ^bb3(%p, %a : f32, i32)
^bb2:
  cf.assert %c, "a \"quoted\" word\n" {note}
  cf.switch %a : i32, [
    default: ^bb4,
    42: ^bb1(%x : f32),
    -43: ^bb3(%x, %a : f32, i32)
  ] {note = 1 : i8}
^bb3(%q: f32, %r: i32):
  cf.switch %r : i32, [
    default: ^bb5(%q : f32)
  ]
^bb4:
  cf.br ^bb5(%x : f32) {note}
^bb5(%s: f32):
  cf.cond_br %c, ^bb6, ^bb5(%s : f32) {note}
^bb6:
  return %s : f32
}

func.func @wide(%a: i8, %b: i1) {
  cf.switch %a : i8, [
    default: ^bb1,
    0: ^bb1,
    -1: ^bb2
  ]
^bb1:
  cf.br ^bb2
^bb2:
  cf.cond_br %b, ^bb1, ^bb2
}
