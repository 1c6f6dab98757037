package llir_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"ptogo/frontend/llir"
)

// sample contains a loop, source positions, a constant expression and numbers of every
// format.
const sample = `; ModuleID = 'k.cpp'
%"struct.pto::Tile" = type { i64, i64, i64 }
@.str = private unnamed_addr constant [6 x i8] c"TLOAD\00", align 1

; Function Attrs: nounwind
define dso_local void @kernel(ptr noundef %x, float noundef %s) #0 section "pto_kernel" !dbg !9 {
entry:
  %t = alloca [2 x %"struct.pto::Tile"], align 16
  %a = getelementptr inbounds %"struct.pto::Tile", ptr %t, i64 1, i32 2
  store i64 -5, ptr %a, align 8, !dbg !12
  br label %loop, !dbg !12

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !12
  %h = fadd float %s, 0x3FB99999A0000000
  call void @ptogo_begin(ptr noundef nonnull @.str) #4, !dbg !12
  call void @f(half noundef 0xH3C00, bfloat 0xR3F80, ptr inttoptr (i64 64 to ptr))
  %next = add nuw nsw i64 %i, 1, !dbg !12
  %done = icmp eq i64 %next, 8, !dbg !12
  br i1 %done, label %end, label %loop, !llvm.loop !20

end:
  ret void, !dbg !12
}

define void @host() {
  %1 = load <4 x i32>, ptr null
  ret void
}

!3 = !DIFile(filename: "k.cpp", directory: "/home/me")
!4 = !DIFile(filename: "/inc/h.hpp", directory: "")
!9 = distinct !DISubprogram(name: "kernel", scope: !3, file: !3, line: 7, unit: !0)
!10 = distinct !DISubprogram(name: "inner", scope: !4, file: !4, line: 2, unit: !0)
!12 = !DILocation(line: 3, column: 5, scope: !10, inlinedAt: !13)
!13 = distinct !DILocation(line: 8, column: 9, scope: !14)
!14 = distinct !DILexicalBlock(scope: !9, file: !3, line: 8, column: 1)
`

func TestRead(t *testing.T) {
	m, err := llir.Read(sample, "pto_kernel")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Functions) != 1 || m.Strings[".str"] != "TLOAD" {
		t.Fatalf("got %d functions and strings %q", len(m.Functions), m.Strings)
	}
	f := m.Functions[0]
	if f.Name != "kernel" || len(f.Params) != 2 || len(f.Blocks) != 3 || f.Frame != (llir.Frame{File: "/home/me/k.cpp", Line: 7, Col: 1}) {
		t.Errorf("got function %q with %d parameters and %d blocks at %v", f.Name, len(f.Params), len(f.Blocks), f.Frame)
	}
	entry, loop := f.Blocks[0], f.Blocks[1]
	if of := entry.Insts[1].Of; of.Offset(2) != 16 || of.Size() != 24 {
		t.Errorf("the struct has size %d and offset %d", of.Size(), of.Offset(2))
	}
	store := entry.Insts[2]
	if !store.Args[0].IsConst(-5) || len(store.Frames) != 2 || store.Frames[0] != (llir.Frame{File: "/inc/h.hpp", Line: 3, Col: 5}) ||
		store.Frames[1] != (llir.Frame{File: "/home/me/k.cpp", Line: 8, Col: 9}) {
		t.Errorf("got store of %v at %v", store.Args[0], store.Frames)
	}
	if phi := loop.Phis(); len(phi) != 1 || phi[0].Args[1] != loop.Insts[4] || phi[0].From[0] != entry {
		t.Errorf("got phis %v", phi)
	}
	call := loop.Insts[3]
	if call.Args[0].Float != 1 || call.Args[1].Float != 1 || call.Args[2].Op != "inttoptr" || !call.Args[2].Args[0].IsConst(64) {
		t.Errorf("got call %v", call.Args)
	}
	if x := loop.Insts[1].Args[1].Float; float32(x) != 0.1 {
		t.Errorf("got number %v", x)
	}
	if len(loop.Preds) != 2 || len(loop.Succs) != 2 {
		t.Errorf("the loop has %d predecessors and %d successors", len(loop.Preds), len(loop.Succs))
	}
}

// TestConstantAddress reads addresses that are constant expressions with flags.
func TestConstantAddress(t *testing.T) {
	text := strings.Replace(sample, "ptr inttoptr (i64 64 to ptr))", "ptr getelementptr inbounds (i8, ptr inttoptr (i64 64 to ptr), i64 16))", 1)
	m, err := llir.Read(text, "pto_kernel")
	if err != nil {
		t.Fatal(err)
	}
	a := m.Functions[0].Blocks[1].Insts[3].Args[2]
	if a.Op != "getelementptr" || len(a.Args) != 2 || a.Args[0].Op != "inttoptr" || !a.Args[1].IsConst(16) {
		t.Errorf("got %v", a)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"%next = add", "%other = add", "value %next is not defined"},
		{"ret void, !dbg !12", "", "no terminator"},
		{"end:\n", "", "is not defined"},
		{"fadd float %s,", "fadd float %s, ,", "invalid syntax"},
		{"[ 0, %entry ]", "[ 0, 1 ]", "expected a block"},
		{"add nuw nsw", "shuffle", "instruction 'shuffle' is not supported"},
		{"i1 %done, label %end", "i1 %done", "branch with"},
	} {
		broken := strings.Replace(sample, c.old, c.new, 1)
		if _, err := llir.Read(broken, "pto_kernel"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q for %q: got error %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// tables has constant arrays: of numbers in two dimensions, of zeros, of bytes, and some that
// are left out, because they are not constants, not numbers, or broken.
const tables = `@two = internal constant [2 x [2 x i32]] [[2 x i32] [i32 3, i32 -1], [2 x i32] zeroinitializer], align 16
@reals = private unnamed_addr constant [2 x float] [float 1.500000e+00, float undef], align 4
@zeros = constant [3 x half] zeroinitializer
@bytes = constant [4 x i8] c"\03\FFa\00"
@changes = internal global [1 x i32] [i32 1]
@mixed = constant [2 x i32] [i32 1, float 2.0]
@structs = constant [1 x { i32 }] [{ i32 } { i32 1 }]
@value = constant [1 x i32] [i32 %a]
@short = constant [2 x i32] [i32 1]
@empty = constant [1024 x [1024 x [1024 x [0 x i32]]]] zeroinitializer
@huge = constant [1024 x [1024 x [1024 x i32]]] zeroinitializer
`

// TestTables reads constant arrays.
func TestTables(t *testing.T) {
	m, err := llir.Read(tables+sample, "pto_kernel")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, items := range m.Tables {
		for _, x := range items {
			got[name] += fmt.Sprintf(" %s %d %g", x.Op, x.Int, x.Float)
		}
	}
	want := map[string]string{
		"two":   " int 3 0 int -1 0 int 0 0 int 0 0",
		"reals": " float 0 1.5 undef 0 0",
		"zeros": " float 0 0 float 0 0 float 0 0",
		"bytes": " int 3 0 int -1 0 int 97 0 int 0 0",
		".str":  " int 84 0 int 76 0 int 79 0 int 65 0 int 68 0 int 0 0",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRead checks that no text makes the reader panic or hang, and that what it returns is
// connected.
func FuzzRead(f *testing.F) {
	f.Add(sample)
	f.Add(tables + sample)
	f.Add("define void @k() section \"pto_kernel\" {\n  ret void\n}\n")
	f.Add("%t = type { %t, [4 x %t] }\ndefine void @k(%t %x) section \"pto_kernel\" {\n  %1 = getelementptr %t, ptr null, i64 1\n  ret void\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := llir.Read(text, "pto_kernel")
		if err != nil {
			return
		}
		for _, fn := range m.Functions {
			for _, b := range fn.Blocks {
				if b.Term() == nil {
					t.Fatal("block without a terminator")
				}
				for _, v := range b.Insts {
					if v.Of != nil {
						v.Of.Size()
					}
					for _, a := range v.Args {
						if a == nil {
							t.Fatalf("instruction %s has no operand", v.Op)
						}
					}
				}
			}
		}
	})
}
