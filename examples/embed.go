// Package examples holds the example kernels as files, for tools that show them.
package examples

import "embed"

// Files are the example kernels, and the arrays of expected results. The pto-run command
// in the comment of a kernel compares its results with such an array.
//
//go:embed *.pto tutorial/*.pto level2/*.pto cores/*.pto ranks/*.pto hazards/*.pto expected/*.npy
var Files embed.FS
