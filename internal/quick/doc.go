// Package quick runs small kernels with the packages that execution needs and no others.
// A program that imports it compiles in about half the time of pto-run, which matters for
// the first command of a newcomer.
//
// Run either produces exactly the output of pto-run, or it reports that pto-run must
// execute the command instead. It therefore has no messages of its own: a command line
// with other options, a program with an error or a note, a fault and a large launch are
// all left to pto-run. The main package in the root folder of the module uses it.
package quick
