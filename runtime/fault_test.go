package runtime

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// TestFaults runs programs that go wrong and checks what the fault says.
func TestFaults(t *testing.T) {
	const small = 64 // bytes of the buffers that kernels get
	for _, c := range []struct {
		name, body string
		want       []string
		note       string
	}{
		{
			name: "global memory out of bounds",
			body: `
  %n = arith.constant 96 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %u = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %p, %u, %zero, %n nburst(%one, %n, %n) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
			want: []string{"'pto.mte_gm_ub' op accesses memory out of bounds: it reads bytes 0..95 of gm buffer 0 (data) through \"source\", but the buffer has 64 bytes", "test.pto:"},
		},
		{
			name: "before a buffer",
			body: `
  %c = arith.constant -4 : index
  %q = pto.addptr %p, %c : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  %n = arith.constant 32 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %u = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %q, %u, %zero, %n nburst(%one, %n, %n) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
			want: []string{"reads bytes -16..15 of gm buffer 0"},
		},
		{
			name: "unified buffer out of bounds",
			body: `
  %a = arith.constant 262016 : i64
  %c0 = arith.constant 0 : index
  %u = pto.castptr %a : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %v = pto.vlds %u[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }`,
			want: []string{"'pto.vlds' op accesses memory out of bounds: it reads bytes 262016..262271 of ub through \"source\", but ub has 262144 bytes on a5"},
		},
		{
			name: "misaligned vector load",
			body: `
  %a = arith.constant 4 : i64
  %c0 = arith.constant 0 : index
  %u = pto.castptr %a : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %v = pto.vlds %u[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }`,
			want: []string{"reads ub address 0x4 through \"source\", but the address must be a multiple of 32 bytes"},
		},
		{
			name: "a flag that is never raised",
			body: `  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]`,
			want: []string{"'pto.wait_flag' op waits for a flag that was never raised"},
		},
		{
			name: "a flag raised twice",
			body: `
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]`,
			want: []string{"'pto.set_flag' op raises a flag again before a wait has consumed it"},
			note: "it was raised here",
		},
		{
			name: "division by zero",
			body: `
  %z = arith.constant 0 : i32
  %q = arith.divsi %z, %z : i32`,
			want: []string{"'arith.divsi' op fails: integer division by zero"},
		},
		{
			name: "a loop without an end",
			body: `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9000000000000 : index
  scf.for %i = %c0 to %c9 step %c1 {
  }`,
			want: []string{"'scf.for' op did not finish within the limit of 1048576 steps"},
		},
		{
			name: "a loop that does not advance",
			body: `
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %step = arith.subi %c9, %c9 : index
  scf.for %i = %c0 to %c9 step %step {
  }`,
			want: []string{"'scf.for' op needs a positive step, but its step is 0"},
		},
		{
			name: "a valid region beyond the tile",
			body: `
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %nine = arith.addi %c8, %c1 : index
  %t = pto.alloc_tile valid_row = %nine valid_col = %c0 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>`, // the verifier refuses a constant
			want: []string{"'pto.alloc_tile' op has valid_row = 9, but this operand must be between 0 and 8, the size of the tile"},
		},
		{
			name: "valid regions that differ at run time",
			body: `
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %s = arith.constant 1.0 : f32
  %t = pto.alloc_tile valid_row = %c2 valid_col = %c8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tsubs ins(%t, %s : !pto.tile_buf<vec, 8x8xf32, valid=?x?>, f32) outs(%u : !pto.tile_buf<vec, 8x8xf32>)`,
			want: []string{"'pto.tsubs' op on target a5: valid rows of \"src\" and \"dst\" must be equal, but are 2 and 8"},
		},
		{
			name: "a tile behind the end of its space",
			body: `
  %half = arith.constant 131024 : i64
  %a = arith.addi %half, %half : i64
  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>`, // the verifier refuses a constant
			want: []string{"'pto.alloc_tile' op accesses memory out of bounds: it occupies bytes 262048..262303 of ub"},
		},
		{
			name: "an assertion",
			body: `
  %no = arith.constant false
  cf.assert %no, "left is right"`,
			want: []string{"'cf.assert' op failed: left is right"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "func.func @k(%p: !pto.ptr<f32, gm>) attributes {pto.kernel} {\n" + c.body + "\n  return\n}"
			f := faultOf(t, text, ptr(&Buffer{Data: make([]byte, small), Name: "data"}))
			for _, want := range c.want {
				if !strings.Contains(f.Error(), want) {
					t.Errorf("got  %s\nwant %s", f, want)
				}
			}
			if c.note != "" && (len(f.Notes) == 0 || !strings.Contains(f.Notes[0].Text, c.note)) {
				t.Errorf("notes are %v, want %q", f.Notes, c.note)
			}
		})
	}
}

// TestPlanErrors checks what Plan says about programs it cannot prepare.
func TestPlanErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"too many tiles",
			`func.func @k(%s: f32) attributes {pto.kernel} {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 256x256xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 256x256xf32>)
  pto.texpands ins(%s : f32) outs(%b : !pto.tile_buf<vec, 8x8xf32>)
  return
}`,
			"'pto.alloc_tile' op and 1 other tile need 262400 bytes of vec, which has 262144 on a5; the largest are %a with 262144 bytes, %b with 256 bytes",
		},
		{
			"a function without a body",
			`func.func private @f(i32)
func.func @k(%x: i32) attributes {pto.kernel} {
  func.call @f(%x) : (i32) -> ()
  return
}`,
			"'func.call' op calls @f, which has no body to execute",
		},
		{
			"a Level-1 tile",
			`func.func @k(%s: f32) attributes {pto.kernel} {
  %t = pto.texpands %s : f32 -> !pto.tile<8x8xf32>
  return
}`,
			"'pto.texpands' op is in Level 1 form, which pto-run does not support: run pto-bufferize first",
		},
		{
			"too few factors",
			`func.func @k(%v: !pto.partition_tensor_view<16x32xf16>) attributes {pto.kernel} {
  %a = pto.alloc_tile : !pto.tile_buf<acc, 16x32xf32, blayout=col_major, slayout=row_major>
  %fp = pto.alloc_tile : !pto.tile_buf<scaling, 1x16xf16>
  pto.tstore ins(%a : !pto.tile_buf<acc, 16x32xf32, blayout=col_major, slayout=row_major> fp %fp : !pto.tile_buf<scaling, 1x16xf16>) outs(%v : !pto.partition_tensor_view<16x32xf16>)
  return
}`,
			"'pto.tstore' op needs a factor for each of 32 columns, but \"fp\" has 16",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parseModule(t, c.text)
			diags := &ir.Diags{}
			if Plan(m, Kernels(m), Options{}, diags) != nil {
				t.Fatal("the program is planned")
			}
			if got := formatDiags(diags); !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestEndlessCopies checks that the limits of a launch hold inside of copies whose operands ask
// for very many bursts or matrices.
func TestEndlessCopies(t *testing.T) {
	for _, c := range []string{
		"pto.mte_gm_ub %p, %u, %zero, %zero nburst(%many, %zero, %zero) : !pto.ptr<f16>, !pto.ptr<f16, ub>, i64, i64, i64, i64, i64",
		"pto.mte_gm_ub %p, %u, %zero, %zero nburst(%one, %zero, %zero) loop(%many, %zero, %zero) : !pto.ptr<f16>, !pto.ptr<f16, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64",
		"pto.mte_gm_l1 %p, %l, %zero nburst(%many, %zero, %zero) : !pto.ptr<f16>, !pto.ptr<f16, l1>, i64, i64, i64, i64",
		"pto.mte_l1_bt %l, %b, %zero nburst(%many, %zero, %zero) : !pto.ptr<f16, l1>, !pto.ptr<f32, bt>, i64, i64, i64, i64",
		"pto.mte_gm_l1_frac %p, %l, nd2nz, shape(%one, %one), src_layout(%one), dst_group(%many, %one, %one, %zero), ctrl(%zero, %off) : !pto.ptr<f16>, !pto.ptr<f16, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1",
	} {
		f := faultOf(t, `func.func @k(%p: !pto.ptr<f16>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %many = arith.constant 4294967296 : i64
  %off = arith.constant false
  %u = pto.castptr %zero : i64 -> !pto.ptr<f16, ub>
  %l = pto.castptr %zero : i64 -> !pto.ptr<f16, l1>
  %b = pto.castptr %zero : i64 -> !pto.ptr<f32, bt>
  `+c+`
  return
}`, ptr(&Buffer{Data: make([]byte, 64)}))
		if !strings.Contains(f.Text, "limit of 1048576 steps") {
			t.Errorf("%s: %s", c, f.Text)
		}
	}
}

// TestArguments checks that a launch fits the parameters of the kernel.
func TestArguments(t *testing.T) {
	p := planText(t, `func.func @k(%p: !pto.ptr<f32>, %n: i32) attributes {pto.kernel} { return }`, Options{})
	buf := &Buffer{Data: make([]byte, 8)}
	for _, c := range []struct {
		name string
		args []Arg
		want string
	}{
		{"too few", []Arg{ptr(buf)}, "kernel @k expects 2 arguments, but got 1"},
		{"no buffer", []Arg{{}, {}}, "argument 0 of kernel @k has pointer type !pto.ptr<f32> and needs a buffer"},
		{"a buffer too many", []Arg{ptr(buf), ptr(buf)}, "argument 1 of kernel @k is a scalar of type i32 and does not accept a buffer"},
	} {
		if err := p.Run(c.args); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if err := p.Run([]Arg{ptr(buf), {Bits: 1}}); err != nil {
		t.Error(err)
	}
}

// TestSlack checks that memory past the end of a buffer may be touched where
// the caller provides it, and that he hears of it once.
func TestSlack(t *testing.T) {
	var warned []string
	p := planText(t, `func.func @k(%p: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 7 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    pto.store_scalar %x, %p[%i] : !pto.ptr<i32>, i32
  }
  return
}`, Options{Warn: func(f *Fault) { warned = append(warned, f.Text) }})
	b := words(0, 0, 0, 0)
	b.Size = 8
	if err := p.Run([]Arg{ptr(b)}); err != nil {
		t.Fatal(err)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "writes bytes 8..11 of gm buffer 0") {
		t.Errorf("warned of %q", warned)
	}
	if wordAt(b, 3) != 7 {
		t.Error("the memory behind the buffer is not written")
	}
}

// TestForeignParameters checks that a kernel with parameters that only another
// function could fill in is not launched.
func TestForeignParameters(t *testing.T) {
	p := planText(t, `func.func @k(%t: !pto.tile_buf<vec, 8x8xf32>) attributes {pto.kernel} { return }`, Options{})
	want := "argument 0 of kernel @k is !pto.tile_buf<vec, 8x8xf32>, which no launch can supply: arguments must be pointers or scalars"
	if err := p.Run([]Arg{{}}); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
