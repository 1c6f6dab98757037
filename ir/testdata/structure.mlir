// Operations, blocks and regions of dialects that nobody registered.
module @outer attributes {my.kind = "structure"} {
  module @inner {
    func.func private @decl(%a: i32 {my.arg}, %b: f32) -> (i32 {my.res = 1}, f32)
  }
  module {
  }
}

func.func @packs(%a: i32) -> i32 {
  %0:3 = "my.three"(%a) : (i32) -> (i32, f32, i32)
  %x, %y:2 = "my.three"(%0#0) : (i32) -> (i32, f32, i32)
  "my.use"(%x, %y#0, %y#1, %0#2) : (i32, f32, i32, i32) -> ()
  "my.none"() : () -> ()
  return %y#1 : i32
}

func.func @blocks(%a: i32) {
  "my.br"(%a)[^next, ^last] : (i32) -> ()
^next:
  "my.br"()[^last] : () -> ()
^last:
  "my.end"() : () -> ()
}

func.func @regions(%c: i1) {
  "my.region"() ({
  }) : () -> ()
  "my.region"() ({
    "my.end"() : () -> ()
  }, {
  ^entry(%a: i32, %b: f32):
    "my.br"()[^other] : () -> ()
  ^other:
    "my.end"(%a) : (i32) -> ()
  }) {attr = 1 : i32} : () -> ()
  "cf.assert"(%c) <{msg = "properties"}> {r = 2 : i32} : (i1) -> ()
  return
}

func.func @names(%arg0: i32, %1: i32, %a$b.c-d: i32, %_: i32) {
  %abc, %0 = "my.two"(%arg0, %1) : (i32, i32) -> (i32, i32)
  %2 = "my.one"(%a$b.c-d, %_, %abc) : (i32, i32, i32) -> i32
  "my.scope"() ({
    %inner = "my.one"(%0, %2, %2) : (i32, i32, i32) -> i32
    "my.end"() : () -> ()
  }) : () -> ()
  "my.scope"() ({
    %inner = "my.one"(%0, %2, %2) : (i32, i32, i32) -> i32
    "my.end"() : () -> ()
  }) : () -> ()
  return
}

"my.graph"() ({
  %late = "my.use"(%later) : (i32) -> i32
  %later = "my.def"() : () -> i32
}) : () -> ()

func.func public @"quoted \22name\22"() attributes {no_inline} {
  func.call @"quoted \22name\22"() : () -> ()
  %c = "my.one"() : () -> i1 loc(#later_loc)
  call @outer_symbol(%c) : (i1) -> () loc("call.mlir":1:1)
  return loc(unknown)
^dead(%d: i1 loc("arg")):
  call @outer_symbol(%d) : (i1) -> ()
  return
}
func.func nested @outer_symbol(i1) loc(#later_loc)

#later_loc = loc("later.mlir":7:8)
