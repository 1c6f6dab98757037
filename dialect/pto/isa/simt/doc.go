// Package simt defines the SIMT instructions of A5, in which each work item executes
// scalar code on its own data. An instruction is legal only in a SIMT function; family.go
// has the families and the manual pages, launch.go the instruction that starts one.
package simt
