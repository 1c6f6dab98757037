module @outer attributes {my.target = "x"} {
  module {
  }
  module @named {
    func.func @f(%a: i32, %b: f32) -> (index, i64) {
      %0 = builtin.unrealized_conversion_cast %a : i32 to index
      %1:2 = builtin.unrealized_conversion_cast %a, %b : i32, f32 to i64, !foo.pair<i32> {note}
      %2 = builtin.unrealized_conversion_cast to i8
      return %0, %1#0 : index, i64
    }
  }
  "builtin.module"() <{sym_name = "generic", sym_visibility = "private"}> ({
  ^bb0:
  }) : () -> ()
}
