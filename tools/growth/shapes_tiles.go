// This file has programs of tile instructions.

package main

import "strings"

// load and store are the lines that load tile {i} from %part, and store it.
const (
	load  = "  %t{i} = pto.tload %part : " + part + " -> " + tile
	store = "  pto.tstore %t{i}, %part : " + tile + ", " + part
)

// chain has n tile instructions, each of which reads the result of the one before it.
func chain(n int) string {
	return kernel(wholeView + each(1, load) + each(n, "  %t{j} = pto.tadds %t{i}, %s : ("+tile+", f32) -> "+tile) +
		"  pto.tstore %t" + number(n) + ", %part : " + tile + ", " + part + "\n")
}

// fan has n tile instructions that read one tile, and a store of each result.
func fan(n int) string {
	return kernel(wholeView + "  %t = pto.tload %part : " + part + " -> " + tile + "\n" +
		each(n, "  %t{i} = pto.tadds %t, %s : ("+tile+", f32) -> "+tile) + each(n, store))
}

// sums has a running sum of n tiles, all of which are read from one tile.
func sums(n int) string {
	return kernel(wholeView + "  %t = pto.tload %part : " + part + " -> " + tile + "\n  %s0 = pto.tadds %t, %s : (" + tile + ", f32) -> " + tile + "\n" +
		each(n, "  %s{j} = pto.tadd %s{i}, %t : ("+tile+", "+tile+") -> "+tile) + "  pto.tstore %s" + number(n) + ", %part : " + tile + ", " + part + "\n")
}

// window has n loads, and the store of each tile 40 loads later, so that 40 tiles live at
// the same time.
func window(n int) string {
	const width = 40
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(load, "{i}", number(i)) + "\n")
		if i >= width {
			b.WriteString(strings.ReplaceAll(store, "{i}", number(i-width)) + "\n")
		}
	}
	return kernel(wholeView + b.String())
}

// crowd has n tiles that all live at the same time.
func crowd(n int) string {
	row := strings.NewReplacer("8x8", "1x8", "[%c8, %c8], str", "[%c1, %c8], str", "sizes = [%c8", "sizes = [%c1")
	return kernel(row.Replace(wholeView + each(n, load) + each(n, store)))
}

// loops has n loops, branches n conditions, each with a load and a store.
func loops(n int) string {
	return kernel(wholeView + each(n, "  scf.for %i{i} = %c0 to %c8 step %c1 {\n"+load+"\n"+store+"\n  }"))
}

func branches(n int) string {
	return kernel(wholeView + each(n, "  scf.if %c {\n"+load+"\n"+store+"\n  }"))
}

// nest has n loops, each inside the one before it, with a load and a store in each.
func nest(n int) string {
	return kernel(wholeView + each(n, "  scf.for %i{i} = %c0 to %c8 step %c1 {\n"+load+"\n"+store) + strings.Repeat("  }\n", n))
}

// ladder has a chain of n branches, of which an execution runs one.
func ladder(n int) string {
	return kernel(wholeView + each(n, "  scf.if %c {\n"+load+"\n"+store+"\n  } else {") + strings.Repeat("  }\n", n))
}

// whiles has n loops with unknown conditions, each inside the one before it.
func whiles(n int) string {
	return kernel(wholeView + each(n, "  scf.while : () -> () {\n  scf.condition(%c)\n  } do {\n"+load+"\n"+store) + strings.Repeat("  scf.yield\n  }\n", n))
}

// basicBlocks has n basic blocks with a load and a store, each of which can end the kernel.
func basicBlocks(n int) string {
	return kernel(wholeView + "  cf.br ^b0\n" + each(n, "^b{i}:\n"+load+"\n"+store+"\n  cf.cond_br %c, ^b{j}, ^b"+number(n)) + "^b" + number(n) + ":\n")
}

// rotation has a loop that carries n tiles and passes each to the place of the next.
func rotation(n int) string {
	return kernel(wholeView + each(n, "  %t{i} = pto.alloc_tile : "+buf) +
		"  %r:" + number(n) + " = scf.for %i = %c0 to %c8 step %c1 iter_args(" + list(n, "%a{i} = %t{i}") + ") -> (" + list(n, buf) + ") {\n" +
		each(n, "  pto.tload ins(%part : "+part+") outs(%a{i} : "+buf+")\n  pto.tstore ins(%a{i} : "+buf+") outs(%part : "+part+")") +
		"  scf.yield " + list(n-1, "%a{j}") + ", %a0 : " + list(n, buf) + "\n  }\n")
}

// selections has n tiles, and a chain in which each step selects the tile before it or a
// new one, and loads into it.
func selections(n int) string {
	return kernel(wholeView + each(n+1, "  %t{i} = pto.alloc_tile : "+buf) + "  %s0 = arith.select %c, %t0, %t1 : " + buf + "\n" +
		each(n, "  %s{j} = arith.select %c, %s{i}, %t{j} : "+buf+"\n  pto.tload ins(%part : "+part+") outs(%s{j} : "+buf+")"))
}

// subviews has n subviews, each of the one before it.
func subviews(n int) string {
	return kernel(wholeView + "  %t0 = pto.alloc_tile : " + buf + "\n" +
		each(n, "  %t{j} = pto.subview %t{i}[%c0, %c0] sizes [8, 8] : "+buf+" -> "+buf+"\n  pto.tload ins(%part : "+part+") outs(%t{j} : "+buf+")"))
}

// columns has n subviews of one tile, all of different columns as long as the tile can be
// that wide.
func columns(n int) string {
	const widest = 700
	wide := "!pto.tile_buf<vec, 8x" + number(8*min(n, widest)) + "xf32>"
	return kernel(wholeView + "  %t = pto.alloc_tile : " + wide + "\n" + eachOf(n, func(i int) string {
		return "  %o{i} = arith.constant " + number(8*(i%widest)) + " : index\n  %t{i} = pto.subview %t[%c0, %o{i}] sizes [8, 8] : " + wide + " -> " + buf +
			"\n  pto.tload ins(%part : " + part + ") outs(%t{i} : " + buf + ")\n  pto.tstore ins(%t{i} : " + buf + ") outs(%part : " + part + ")"
	}))
}

// partitions has n parts of one view: at constant offsets, or at offsets that are
// arguments.
func partitions(n int) string {
	return kernelOf("%x: !pto.ptr<f32>, %c: i1, %n: i32, %s: f32", wideView+eachOf(n, func(i int) string {
		return "  %o{i} = arith.constant " + number(8*i) + " : index\n" + partAt
	}))
}

// blocks has n parts of a view, whose first column depends on the number of the block.
func blocks(n int) string {
	return kernelOf("%x: !pto.ptr<f32>", wideView+"  %b = pto.get_block_idx\n  %i = arith.index_cast %b : i64 to index\n  %width = arith.constant "+number(8*n)+
		" : index\n  %first = arith.muli %i, %width : index"+eachOf(n, func(i int) string {
		return "  %at{i} = arith.constant " + number(8*i) + " : index\n  %o{i} = arith.addi %first, %at{i} : index\n" + partAt
	}))
}

func unknownPartitions(n int) string {
	return kernelOf("%x: !pto.ptr<f32>, "+list(n, "%o{i}: index"), wideView+each(n, partAt))
}

const (
	wideView = "  %wide = arith.constant 100000 : index\n  %view = pto.make_tensor_view %x, shape = [%c8, %wide], strides = [%wide, %c1] : !pto.tensor_view<8x100000xf32>\n"
	partAt   = "  %part{i} = pto.partition_view %view, offsets = [%c0, %o{i}], sizes = [%c8, %c8] : !pto.tensor_view<8x100000xf32> -> " + part +
		"\n  %t{i} = pto.tload %part{i} : " + part + " -> " + tile + "\n  pto.tstore %t{i}, %part{i} : " + tile + ", " + part
	viewAt = "  %view{j} = pto.make_tensor_view %p{j}, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n  %part{j} = pto.partition_view %view{j}, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> " + part +
		"\n  %t{j} = pto.tload %part{j} : " + part + " -> " + tile + "\n  pto.tstore %t{j}, %part{j} : " + tile + ", " + part
)

// pointers has n pointers, each of which is the one before it plus an element, and a view
// of each; arguments has n pointers that are arguments.
func pointers(n int) string {
	return kernel("  %p0 = pto.addptr %x, %c1 : !pto.ptr<f32> -> !pto.ptr<f32>\n" + each(n, "  %p{j} = pto.addptr %p{i}, %c1 : !pto.ptr<f32> -> !pto.ptr<f32>\n"+viewAt))
}

func arguments(n int) string {
	return kernelOf(list(n, "%p{j}: !pto.ptr<f32>"), each(n, viewAt))
}

// scalarStores has n stores of an element, each through a pointer one element later.
func scalarStores(n int) string {
	return kernelOf("%p0: !pto.ptr<f32>", "  %s = arith.constant 1.0 : f32\n"+
		each(n, "  %p{j} = pto.addptr %p{i}, %c1 : !pto.ptr<f32> -> !pto.ptr<f32>\n  pto.store_scalar %s, %p{j}[%c0] : !pto.ptr<f32>, f32"))
}

// products has n products of matrices in L0.
func products(n int) string {
	return `func.func @k(%a: !pto.tile_buf<left, 16x16xf16>, %b: !pto.tile_buf<right, 16x16xf16>, %r: !pto.tile_buf<acc, 16x16xf32>) attributes {pto.kernel} {
` + each(n, "  pto.tmatmul ins(%a, %b : !pto.tile_buf<left, 16x16xf16>, !pto.tile_buf<right, 16x16xf16>) outs(%r : !pto.tile_buf<acc, 16x16xf32>)") + "  return\n}\n"
}

// flags has n pairs of a set and a wait; open has n sets of one event and then n waits.
func flags(n int) string {
	return kernel(eachOf(n, func(i int) string {
		return strings.ReplaceAll("  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_IDk>]\n  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_IDk>]", "IDk", "ID"+number(i%8))
	}))
}

func open(n int) string {
	return kernel(each(n, "  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]") + each(n, "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"))
}

func barriers(n int) string { return kernel(each(n, "  pto.barrier <PIPE_ALL>")) }
