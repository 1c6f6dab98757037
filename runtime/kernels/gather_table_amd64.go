// This file lists the gather loops of amd64.

package kernels

// gathers contains the gather loops, by the number of bytes of an element and of an
// index.
var gathers = [5][5]gatherRun{
	1: {2: gather8By16, 4: gather8By32},
	2: {2: gather16By16, 4: gather16By32},
	4: {2: gather32By16, 4: gather32By32},
}
