package cpproundtrip

// introduction and explanation are texts of the page.
const (
	introduction = "`pto-opt --emit=cpp` writes a program as C++, and pto-opt reads the C++ back. `tools/cpproundtrip` compares each launch\n" +
		"of the program with the launch of the result, on one block:\n\n" +
		"- the bytes of all buffers, for random data or, if the program faults on random data, for zeros\n" +
		"- a proof that both programs compute the same bytes for all data ([equivalence.md](equivalence.md))\n" +
		"- the predicted time; the program is compared as it is after the passes that `--emit=cpp` runs\n\n"
	explanation = "- *same*: all of this is equal.\n" +
		"- *same steps*: bytes and proof are equal, and every core executes the same instructions in the same order, but the\n" +
		"  predicted time differs. A C++ compiler computes addresses and constants with other scalar instructions.\n" +
		"- *other time*: bytes and proof are equal, but a core executes other instructions.\n" +
		"- *not proved*: the bytes are equal, but the proof is not decided.\n" +
		"- *other bytes*: in `spmd_params.pto`, the cube section of the kernel is empty. C++ does not have it, and pto-run\n" +
		"  executes a kernel that has only code for vector cores on one of them instead of two. In `pto.tinsert_fp`, a number\n" +
		"  that only vector core 0 has is stored by the scalar units of all cores.\n" +
		"- *not run*: the program itself faults, cannot run alone, or has a result that depends on memory never written.\n" +
		"- *not read*, *not written*: the C++ cannot be read, or the program cannot be written as C++.\n" +
		"- *no kernel*: a host cannot launch the function, because its parameters are tiles, views or vectors.\n\n" +
		"The public compiler does not write C++ for micro instructions (instructions on vector registers, `pto.mte_*`,\n" +
		"`pto.mad`, `pto.section.simt`) either: it compiles them to objects directly. It has no `pto.timg2col`. The examples in\n" +
		"`examples/cores` are programs for both types of cores, which `pto-split-cores` divides before they can be written.\n"
)
