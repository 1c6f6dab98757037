package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// faultKernels are the kernels of planted faults: a copy, a sum, a copy under a predicate in
// memory, a kernel that sets the predicate, and kernels that wait for a signal and raise it.
const faultKernels = `!tile = !pto.tile_buf<vec, 4x64xf32>
!part = !pto.partition_tensor_view<4x64xf32>
!word = !pto.partition_tensor_view<1x1xi32>
module attributes {pto.target_arch = "a3"} {
  func.func @copy(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
    %t, %u = func.call @tiles() : () -> (!tile, !tile)
    func.call @load(%x, %t) : (!pto.ptr<f32>, !tile) -> ()
    pto.barrier <PIPE_ALL>
    func.call @store(%t, %y) : (!tile, !pto.ptr<f32>) -> ()
    return
  }
  func.func @sum(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
    %t, %u = func.call @tiles() : () -> (!tile, !tile)
    func.call @load(%a, %t) : (!pto.ptr<f32>, !tile) -> ()
    func.call @load(%b, %u) : (!pto.ptr<f32>, !tile) -> ()
    pto.barrier <PIPE_ALL>
    pto.tadd ins(%t, %u : !tile, !tile) outs(%t : !tile)
    pto.barrier <PIPE_ALL>
    func.call @store(%t, %y) : (!tile, !pto.ptr<f32>) -> ()
    return
  }
  func.func @copy_if(%flag: !pto.ptr<i32>, %x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %t, %u = func.call @tiles() : () -> (!tile, !tile)
    %f = pto.load_scalar %flag[%c0] : !pto.ptr<i32> -> i32
    %go = arith.cmpi ne, %f, %zero : i32
    scf.if %go {
      func.call @load(%x, %t) : (!pto.ptr<f32>, !tile) -> ()
      pto.barrier <PIPE_ALL>
      func.call @store(%t, %y) : (!tile, !pto.ptr<f32>) -> ()
    }
    return
  }
  func.func @decide(%flag: !pto.ptr<i32>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    pto.store_scalar %one, %flag[%c0] : !pto.ptr<i32>, i32
    return
  }
  func.func @wait(%sig: !pto.ptr<i32>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %one = arith.constant 1 : i32
    %w = func.call @word(%sig) : (!pto.ptr<i32>) -> !word
    pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
    return
  }
  func.func @raise(%sig: !pto.ptr<i32>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %one = arith.constant 1 : i32
    %w = func.call @word(%sig) : (!pto.ptr<i32>) -> !word
    pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
    return
  }
  func.func private @tiles() -> (!tile, !tile) {
    %first = arith.constant 0 : i64
    %second = arith.constant 1024 : i64
    %t = pto.alloc_tile addr = %first : !tile
    %u = pto.alloc_tile addr = %second : !tile
    return %t, %u : !tile, !tile
  }
  func.func private @load(%x: !pto.ptr<f32>, %t: !tile) {
    %p = func.call @rows(%x) : (!pto.ptr<f32>) -> !part
    pto.tload ins(%p : !part) outs(%t : !tile)
    return
  }
  func.func private @store(%t: !tile, %y: !pto.ptr<f32>) {
    %p = func.call @rows(%y) : (!pto.ptr<f32>) -> !part
    pto.tstore ins(%t : !tile) outs(%p : !part)
    return
  }
  func.func private @rows(%base: !pto.ptr<f32>) -> !part {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %v = pto.make_tensor_view %base, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c64] : !pto.tensor_view<4x64xf32> -> !part
    return %p : !part
  }
  func.func private @word(%base: !pto.ptr<i32>) -> !word {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = pto.make_tensor_view %base, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<1x1xi32> -> !word
    return %p : !word
  }
}
`

// faultBuffers are the buffers of planted faults. All arrays but big have 4x64 elements.
const faultBuffers = `{"buffer": "x", "type": "f32", "spec": "iota=4x64xf32"}
{"buffer": "y", "type": "f32", "spec": "zeros=4x64xf32"}
{"buffer": "z", "type": "f32", "spec": "zeros=4x64xf32"}
{"buffer": "big", "type": "f32", "spec": "zeros=12x64xf32"}
{"buffer": "one", "in": "big", "offset": 0, "shape": "4x64xf32"}
{"buffer": "two", "in": "big", "offset": 1024, "shape": "4x64xf32"}
{"buffer": "over", "in": "big", "offset": 512, "shape": "4x64xf32"}
{"buffer": "flag", "type": "i32", "spec": "zeros=1xi32"}
{"buffer": "sig", "type": "i32", "spec": "window=1x1xi32"}
`

// graphFault is a fault that is planted into a right graph: from is replaced by to.
type graphFault struct {
	name string
	// first contains further fields of the first line of the file.
	first, tasks, from, to string
	// want contains texts of the report, separated by "|".
	want string
}

// graphFaults are planted faults of the kinds that users of the public orchestration report.
// A task is NAME = KERNEL ARGS, with "after" and the tasks that precede it, "in" and its scopes,
// and "heap" and the bytes of its outputs. An argument is BUFFER:ACCESS or BUFFER@OFFSET.
var graphFaults = []graphFault{
	{"an edge to the producer is missing", "", `a = copy x y
b = copy y z after a`, " after a", "", `task b reads what task a may not have written yet|no edge orders task a and task b of rank 0: add "a" to "after" of task b`},
	{"an edge to the last reader is missing", "", `a = copy x y
b = copy y z after a
c = copy x y after b`, " after b", " after a", `task c may overwrite what task b still reads|add "b" to "after" of task c`},
	{"an edge to the last writer is missing", "", `a = copy x y
b = copy x y after a`, " after a", "", `task a and task b both write|add "a" to "after" of task b`},
	{"a task waits for another one", "", `a = copy x y
other = copy x z
b = copy y two after a`, " after a", " after other", `add "a" to "after" of task b`},
	{"the tasks have the wrong order", "", `a = copy x y
b = copy y z after a`, `a = copy x y
b = copy y z after a`, `b = copy y z
a = copy x y`, `task a may overwrite what task b still reads|add "b" to "after" of task a`},
	{"a chain is broken in the middle", "", `a = copy x y
b = sum y y z after a
c = copy x two after b
d = copy z one after c`, "c = copy x two after b", "c = copy x two", `add "b" to "after" of task d`},
	{"an input is written", "", `a = sum x y:update y:update`, "y:update", "y:read", `writes bytes 0..1023 of gm buffer y (%p), but task a declares it as "read"|"update" declares that`},
	{"an output is read", "", `a = sum x y:update y:update`, "y:update", "y:write", `reads bytes 0..1023 of gm buffer y (%p), but task a declares it as "write"`},
	{"an argument without dependencies is read", "", `a = copy x y:write
b = copy y:read z after a`, "y:read z after a", "y z", `add "a" to "after" of task b`},
	{"slots of a heap overlap", "", `a = copy x one
b = copy x two`, "copy x two", "copy x over", `task a and task b both write|add "a" to "after" of task b`},
	{"a slot is used again too early", "", `a = copy x one
b = copy one y after a
c = copy x over after b`, " after b", " after a", `task c may overwrite what task b still reads|add "b" to "after" of task c`},
	{"two outputs have one buffer", "", `a = copy x y
b = copy x z`, "copy x z", "copy x y", `task a and task b both write`},
	{"parts of a buffer overlap", "", `a = copy x big@0
b = copy x big@1024`, "big@1024", "big@768", `task a and task b both write|add "a" to "after" of task b`},
	{"a predicate is not produced yet", "", `a = decide flag
b = copy_if flag x y after a`, " after a", "", `task b reads what task a may not have written yet|add "a" to "after" of task b`},
	{"tasks that wait occupy all cores", "", `a = raise sig
b = wait*48 sig after a`, `a = raise sig
b = wait*48 sig after a`, `b = wait*48 sig
a = raise sig`, `so task a never starts|task a needs a free vector core`},
	{"the window of tasks is too small", `, "rings": {"window": 4}`, `a = copy x y in 0
b = copy y z after a in 0
c = copy x one in 0
d = copy x two in 1`, "copy x two in 1", "copy x two in 0", `task d is never submitted: its scope has 3 tasks before it, and ring 0 has 4 slots|PTO2_RING_TASK_WINDOW`},
	{"the heap is too small", `, "rings": {"heap": 4096}`, `a = copy x y in 0.1 heap 2048
b = copy y z after a in 0.1 heap 2048
c = copy x two in 0.2 heap 2048`, "in 0.2", "in 0.1", `task c is never submitted: its outputs need 2048 bytes, and earlier tasks of its scope use 4096 of the 4096 bytes of ring 1|PTO2_RING_HEAP`},
	{"the pool of dependencies is too small", `, "rings": {"dependencies": 2}`, `a = copy x y in 0
b = copy y z after a in 0
c = copy y two after a in 0
d = copy y one after a in 1`, "y one after a in 1", "y one after a in 0", `task d may never be submitted: the tasks of its scope up to it have 3 dependencies, and ring 0 has 2 entries|PTO2_RING_DEP_POOL`},
	{"scopes of the last ring share it", `, "rings": {"window": 4}`, `a = copy x y in 0.0.0.0.0
b = copy x z in 0.0.0.0.1
c = copy x one in 0.0.0.0.2
d = copy x two in 0.0.0.1.0`, "in 0.0.0.1.0", "in 0.0.0.0.3", `task d is never submitted: its scope has 3 tasks before it, and ring 3 has 4 slots`},
}

// lines returns the lines of a graph with the tasks, whose kernels are in a file.
func (f *graphFault) lines(t *testing.T, file, tasks string) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(`{"version": 1, "ranks": 1` + f.first + "}\n" + faultBuffers) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	for task := range strings.Lines(tasks) {
		words := strings.Fields(task)
		kernel, blocks, many := strings.Cut(words[2], "*")
		l := map[string]any{"task": words[0], "file": file, "kernel": kernel}
		if many {
			l["blocks"] = json.Number(blocks)
		}
		var args []map[string]any
		for i := 3; i < len(words); i++ {
			switch words[i] {
			case "after":
				i++
				l["after"] = strings.Split(words[i], ",")
			case "in":
				i++
				l["scope"] = json.RawMessage("[" + strings.ReplaceAll(words[i], ".", ",") + "]")
			case "heap":
				i++
				l["heap"] = json.Number(words[i])
			default:
				name, access, declared := strings.Cut(words[i], ":")
				name, offset, at := strings.Cut(name, "@")
				a := map[string]any{"buffer": name}
				if declared {
					a["access"] = access
				}
				if at {
					a["offset"] = json.Number(offset)
				}
				args = append(args, a)
			}
		}
		l["args"] = args
		lines = append(lines, l)
	}
	return lines
}

// TestGraphFaults plants a fault into each of several right graphs. The right graph has no
// reports, and the report about the fault names the edge or the limit.
func TestGraphFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faults.pto")
	if err := os.WriteFile(file, []byte(faultKernels), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range graphFaults {
		f := &graphFaults[i]
		t.Run(f.name, func(t *testing.T) {
			if code, out := runGraph(t, f.lines(t, file, f.tasks), "--check=all"); code != exit.OK || !strings.Contains(out, "check: no reports") {
				t.Errorf("the right graph: exit code %d:\n%s", code, out)
			}
			code, out := runGraph(t, f.lines(t, file, strings.ReplaceAll(f.tasks, f.from, f.to)), "--check=all")
			for want := range strings.SplitSeq(f.want, "|") {
				if !strings.Contains(out, want) {
					t.Errorf("the report lacks %q:\n%s", want, out)
				}
			}
			if code != exit.Check {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestGraphSlack lets a kernel read more than a shared buffer has, up to its slack.
func TestGraphSlack(t *testing.T) {
	dir := t.TempDir()
	kernels, memory := filepath.Join(dir, "faults.pto"), filepath.Join(dir, "memory")
	for path, data := range map[string][]byte{kernels: []byte(faultKernels), memory: make([]byte, 1024)} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := graphFault{}
	for _, c := range []struct {
		bytes, slack, code int
		want               string
	}{
		{512, 512, exit.OK, "warning: 'pto.tload' op accesses memory out of bounds: it reads bytes 0..1023 of gm buffer x"},
		{512, 0, exit.Fault, "error: 'pto.tload' op accesses memory out of bounds"},
		{512, -1, exit.Diag, `"bytes" and "slack" must not be negative, but are 512 and -1`},
		{-8, 512, exit.Diag, `"bytes" and "slack" must not be negative, but are -8 and 512`},
	} {
		lines := f.lines(t, kernels, "a = copy x y")
		lines[1] = map[string]any{"buffer": "x", "type": "f32", "shared": map[string]any{"file": memory, "offset": 0, "bytes": c.bytes, "slack": c.slack}}
		if code, out := runGraph(t, lines); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%d bytes with slack %d: exit code %d, without %q:\n%s", c.bytes, c.slack, code, c.want, out)
		}
	}
}
