package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// itemsKernel returns the text of a kernel that launches dims[0]*dims[1]*dims[2] work
// items. Each executes body with the pointers %in and %out and the work item number %i.
func itemsKernel(dims [3]int, in, out *data, body string) string {
	text := `func.func @k_items(%in: !pto.ptr<IN, gm>, %out: !pto.ptr<OUT, gm>) attributes {pto.simt_entry} {
  %tx = pto.get_tid_x : i32
  %ty = pto.get_tid_y : i32
  %tz = pto.get_tid_z : i32
  %dx = pto.get_block_dim_x : i32
  %dy = pto.get_block_dim_y : i32
  %lane = pto.get_laneid : i32
  %yz = arith.muli %tz, %dy : i32
  %yy = arith.addi %yz, %ty : i32
  %xy = arith.muli %yy, %dx : i32
  %number = arith.addi %xy, %tx : i32
  %i = arith.index_cast %number : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %x = pto.load %in[%i] : !pto.ptr<IN, gm> -> IN
BODY
  return
}
func.func @k(%in: !pto.ptr<IN, gm>, %out: !pto.ptr<OUT, gm>) attributes {pto.kernel} {
  %dx = arith.constant DIMX : i32
  %dy = arith.constant DIMY : i32
  %dz = arith.constant DIMZ : i32
  pto.simt_launch @k_items<<<%dx, %dy, %dz>>>(%in, %out) : (!pto.ptr<IN, gm>, !pto.ptr<OUT, gm>) -> ()
  return
}
`
	return strings.NewReplacer("BODY", body, "DIMX", fmt.Sprint(dims[0]), "DIMY", fmt.Sprint(dims[1]), "DIMZ", fmt.Sprint(dims[2]),
		"IN", in.elem, "OUT", out.elem).Replace(text)
}

// onItems returns a kernel whose work items each read one element and write one element.
// from and to are the types of these elements.
func onItems(name string, dims [3]int, from, to string, number func(r *rand.Rand, i int) float64, body string) pair {
	in := &data{name: "in", elem: from, shape: [2]int{1, 512}, number: number}
	out := &data{name: "out", elem: to, shape: [2]int{1, 512}}
	return pair{name: name, text: itemsKernel(dims, in, out, body), data: []*data{in, out}}
}

// storeValue returns the text that stores %r as the result of a work item, with elements
// of type elem.
func storeValue(elem string) string {
	return fmt.Sprintf("\n  pto.store %%r, %%out[%%i] : !pto.ptr<%s, gm>, %s", elem, elem)
}

var anyInt = between(math.MinInt32, math.MaxInt32)

// TestWorkItems compares both engines on kernels with work items.
func TestWorkItems(t *testing.T) {
	cube := [3]int{7, 3, 4} // two subgroups and a part of one
	var all []pair
	add := func(name, from, to string, number func(r *rand.Rand, i int) float64, body string) {
		all = append(all, onItems(name, cube, from, to, number, "  "+body+storeValue(to)))
	}
	for _, ask := range []string{"get_tid_x", "get_tid_y", "get_tid_z", "get_block_dim_x", "get_block_dim_z", "get_grid_dim_y", "get_block_idx_x",
		"get_laneid", "get_lanemask_eq", "get_lanemask_ge", "get_lanemask_gt", "get_lanemask_le", "get_lanemask_lt", "get_veccoreid", "get_clock32"} {
		add(ask, "i32", "i32", anyInt, "%r = pto."+ask+" : i32")
	}
	for _, vote := range []string{"all", "any", "uni"} {
		add("vote "+vote, "i32", "i32", below(2), "%p = arith.cmpi eq, %x, %one : i32\n  %v = pto.vote_"+vote+" %p : i1 -> i1\n  %r = arith.extui %v : i1 to i32")
	}
	add("ballot", "i32", "i32", below(2), "%p = arith.cmpi eq, %x, %one : i32\n  %r = pto.vote_ballot %p : i1 -> i32")
	for _, kind := range []string{"idx", "up", "down", "bfly"} {
		for _, width := range []int{32, 16} {
			add(fmt.Sprintf("shuffle %s %d", kind, width), "f32", "f32", normal,
				fmt.Sprintf("%%r = pto.shuffle_%s %%x, %%five {width = %d : i32} : f32, i32 -> f32", kind, width))
		}
	}
	for _, fn := range []string{"add", "max", "min"} {
		add("redux "+fn, "f16", "f16", normal, "%r = pto.redux_"+fn+" %x : f16 -> f16")
		for _, sign := range []string{"signed", "unsigned"} {
			add("redux "+fn+" "+sign, "i32", "i32", anyInt, "%r = pto.redux_"+fn+" %x "+sign+" : i32 -> i32")
		}
	}
	for _, sign := range []string{"signed", "unsigned"} {
		add("mulhi "+sign, "i32", "i32", anyInt, "%r = pto.mulhi %x, %x "+sign+" : i32, i32 -> i32")
		add("wide product "+sign, "i32", "i64", anyInt, "%r = pto.mul_i32toi64 %x, %five "+sign+" : i32, i32 -> i64")
		add("convert "+sign, "f32", "i32", normal, "%r = pto.convert %x round(r) sat "+sign+" : f32 -> i32")
	}
	add("permute", "i32", "i32", anyInt, "%s = arith.muli %x, %five : i32\n  %r = pto.prmt %x, %number, %s : i32, i32, i32 -> i32")
	add("convert pairs", "f32", "f32", normal, `%c = arith.constant dense<[1.5, -300.0]> : vector<2xf32>
  %small = pto.convert %c round(a) sat : vector<2xf32> -> !pto.hif8x2
  %back = pto.convert %small round(a) nosat : !pto.hif8x2 -> vector<2xf32>
  %two = llvm.bitcast %back : vector<2xf32> to i64
  %low = arith.trunci %two : i64 to i32
  %y = llvm.bitcast %low : i32 to f32
  %r = arith.addf %x, %y : f32`)
	all = append(all, meetings(cube)...)
	all = append(all, atomics(cube)...)
	all = append(all, launches()...)
	checkPairs(t, all)
}

// meetings returns kernels whose work items wait for each other in loops, in branches, in
// called functions and at barriers.
func meetings(dims [3]int) []pair {
	branch := `  %bit = arith.andi %x, %one : i32
  %odd = arith.cmpi eq, %bit, %one : i32
  %r = scf.if %odd -> (i32) {
    %a = pto.redux_add %x signed : i32 -> i32
    scf.yield %a : i32
  } else {
    %b = pto.redux_max %x signed : i32 -> i32
    scf.yield %b : i32
  }` + storeValue("i32")
	loop := `  %turns = arith.andi %number, %five : i32
  %n = arith.index_cast %turns : i32 to index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %b = pto.shuffle_down %a, %one : i32, i32 -> i32
    %c = pto.redux_add %b signed : i32 -> i32
    scf.yield %c : i32
  }` + storeValue("i32")
	neighbours := `  pto.store %x, %out[%i] : !pto.ptr<i32, gm>, i32
  pto.syncthreads
  %next = arith.addi %i, %c1 : index
  %y = pto.load %out[%next] : !pto.ptr<i32, gm> -> i32
  pto.syncthreads
  %r = arith.muli %y, %five : i32` + storeValue("i32")
	nested := strings.Replace(onItems("", dims, "i32", "i32", below(9), "  func.call @k_sum(%out, %i, %x) : (!pto.ptr<i32, gm>, index, i32) -> ()\n  pto.syncthreads\n  func.call @k_sum(%out, %i, %five) : (!pto.ptr<i32, gm>, index, i32) -> ()").text,
		"func.func @k(", `func.func private @k_sum(%to: !pto.ptr<i32, gm>, %at: index, %v: i32) {
  %s = pto.redux_add %v signed : i32 -> i32
  %o = pto.load %to[%at] : !pto.ptr<i32, gm> -> i32
  %t = arith.addi %s, %o : i32
  pto.store %t, %to[%at] : !pto.ptr<i32, gm>, i32
  return
}
func.func @k(`, 1)
	all := []pair{
		onItems("branches that differ", dims, "i32", "i32", below(9), branch),
		onItems("loops that differ", dims, "i32", "i32", below(9), loop),
		onItems("neighbours", dims, "i32", "i32", below(9), neighbours),
		onItems("many neighbours", [3]int{16, 16, 1}, "i32", "i32", below(9), neighbours),
	}
	last := onItems("functions that wait", dims, "i32", "i32", below(9), "")
	last.text = nested
	return append(all, last)
}

// atomics returns kernels whose work items change the same few elements by atomic
// instructions.
func atomics(dims [3]int) []pair {
	var all []pair
	few := "  %m = arith.andi %number, %five : i32\n  %at = arith.index_cast %m : i32 to index\n  %to = pto.addptr %out, %at : !pto.ptr<T, gm> -> !pto.ptr<T, gm>\n"
	add := func(op, elem, sign string, number func(r *rand.Rand, i int) float64) {
		text := few + "  %old = pto.atomic_" + op + " %to, %x" + sign + " : !pto.ptr<T, gm>, T -> T\n" +
			"  %c256 = arith.constant 256 : index\n  %j = arith.addi %i, %c256 : index\n  pto.store %old, %out[%j] : !pto.ptr<T, gm>, T"
		all = append(all, onItems("atomic "+op+" "+elem+sign, dims, elem, elem, number, strings.ReplaceAll(text, "<T,", "<"+elem+",")))
		p := &all[len(all)-1]
		p.text = strings.NewReplacer(", T -> T", ", "+elem+" -> "+elem, ", T\n", ", "+elem+"\n").Replace(p.text)
	}
	for _, op := range []string{"add", "sub", "and", "or", "xor", "exch"} {
		add(op, "i32", " signed", anyInt)
	}
	for _, sign := range []string{" signed", " unsigned"} {
		add("min", "i32", sign, anyInt)
		add("max", "i64", sign, anyInt)
	}
	for _, elem := range []string{"f16", "bf16", "f32"} {
		add("add", elem, "", normal)
		add("max", elem, "", normal)
	}
	all = append(all, onItems("atomic cas", dims, "i32", "i32", below(4), strings.ReplaceAll(few, "<T,", "<i32,")+
		"  %old = pto.atomic_cas %to, %m, %x signed : !pto.ptr<i32, gm>, i32 -> i32"))
	return all
}

// launches returns kernels that launch work items in other ways: by a call, in a section,
// and twice with values kept in between.
func launches() []pair {
	in := &data{name: "in", elem: "i32", shape: [2]int{1, 128}, number: below(100)}
	out := &data{name: "out", elem: "i32", shape: [2]int{1, 128}}
	both := []*data{in, out}
	head := "func.func @k(%in: !pto.ptr<i32, gm>, %out: !pto.ptr<i32, gm>) attributes {pto.kernel} {\n" +
		"  %n = arith.constant 40 : i32\n  %one = arith.constant 1 : i32\n"
	call := `func.func @k_items(%in: !pto.ptr<i32, gm>, %out: !pto.ptr<i32, gm>) attributes {pto.simt_entry} {
  %tx = pto.get_tid_x : i32
  %i = arith.index_cast %tx : i32 to index
  %x = pto.load %in[%i] : !pto.ptr<i32, gm> -> i32
  %r = pto.redux_max %x signed : i32 -> i32
  pto.store %r, %out[%i] : !pto.ptr<i32, gm>, i32
  return
}
` + head + `  CALL
  pto.store_vfsimt_info %one, %one, %n : i32, i32, i32
  CALL
  return
}
`
	section := head + `  %seven = arith.constant 7 : i32
  pto.section.simt<<<40, 2, 1>>> {
    %tx = pto.get_tid_x : i32
    %i = arith.index_cast %tx : i32 to index
    %x = pto.load %in[%i] : !pto.ptr<i32, gm> -> i32
    %y = arith.muli %x, %seven : i32
    MEET
    pto.store %r, %out[%i] : !pto.ptr<i32, gm>, i32
  }
  return
}
`
	keep := `func.func @k_put(%in: !pto.ptr<i32, gm>) attributes {pto.simt_entry} {
  %tx = pto.get_tid_x : i32
  %i = arith.index_cast %tx : i32 to index
  %x = pto.load %in[%i] : !pto.ptr<i32, gm> -> i32
  %l = arith.extsi %x : i32 to i64
  pto.keep %l {slot = 4 : i64} : i64
  return
}
func.func @k_get(%out: !pto.ptr<i32, gm>) attributes {pto.simt_entry} {
  %l = pto.resume {slot = 4 : i64} : i64
  %tx = pto.get_tid_x : i32
  %i = arith.index_cast %tx : i32 to index
  %x = arith.trunci %l : i64 to i32
  pto.store %x, %out[%i] : !pto.ptr<i32, gm>, i32
  return
}
` + head + `  pto.simt_launch @k_put<<<%n, %one, %one>>>(%in) : (!pto.ptr<i32, gm>) -> ()
  %more = arith.constant 50 : i32
  pto.simt_launch @k_get<<<%more, %one, %one>>>(%out) : (!pto.ptr<i32, gm>) -> ()
  return
}
`
	return []pair{
		{name: "calls", text: strings.ReplaceAll(call, "CALL", "func.call @k_items(%in, %out) : (!pto.ptr<i32, gm>, !pto.ptr<i32, gm>) -> ()"), data: both},
		{name: "section", text: strings.Replace(section, "MEET", "%r = arith.addi %y, %n : i32", 1), data: both},
		{name: "section that meets", text: strings.Replace(section, "MEET", "%r = pto.redux_add %y signed : i32 -> i32\n    pto.syncthreads", 1), data: both},
		{name: "kept values", text: keep, data: both},
	}
}
