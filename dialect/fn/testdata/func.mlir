func.func @none() {
  return
}
func.func private @declared(i32, f32) -> (i32, f32)
func.func nested @nested(%a: i32) -> i32 {
  func.return %a : i32
}
func.func public @attributes(%a: i32 {my.in = 1 : i8}, %b: f32, %c: tensor<4xf32> {my.x, my.y = "z"}) -> (i32 {my.out}, f32) attributes {my.kernel, my.n = 5 : i32} {
  return {note} %a, %b : i32, f32
}
func.func @one_result() -> (i32 {my.out}) {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
func.func private @no_names(i32 {my.in}, f32 {my.other}) attributes {my.mark}
func.func @function_results(%f: () -> i32) -> (() -> i32) {
  return %f : () -> i32
}
func.func @two_function_results(%f: (i32) -> ()) -> ((i32) -> (), i32) {
  %0 = arith.constant 1 : i32
  return %f, %0 : (i32) -> (), i32
}
func.func @calls(%a: i32, %b: f32) -> f32 {
  %0:2 = call @declared(%a, %b) : (i32, f32) -> (i32, f32)
  %1 = func.call @nested(%0#0) {note} : (i32) -> i32
  call @none() : () -> ()
  %f = constant @nested : (i32) -> i32
  %2 = func.call_indirect %f(%1) : (i32) -> i32
  %g = func.constant {note} @none : () -> ()
  call_indirect %g() {note} : () -> ()
  %h = constant @declared : (i32, f32) -> (i32, f32)
  %3:2 = call_indirect %h(%2, %b) : (i32, f32) -> (i32, f32)
  return %3#1 : f32
}
func.func @blocks(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  return %x : i32
^bb2:
  return %a : i32
}
module @inside {
  func.func @none() {
    return
  }
}
