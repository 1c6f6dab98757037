// Package examples holds the example kernels as files, for tools that show them.
package examples

import "embed"

// Files are the kernels, and the arrays that their commands compare with.
//
//go:embed *.pto tutorial/*.pto level2/*.pto cores/*.pto ranks/*.pto hazards/*.pto expected/*.npy
var Files embed.FS
