//go:build !amd64 && !arm64

// This file supplies no loops on other architectures.

package kernels

// loops returns empty tables: this architecture has no vector loops, so the runtime uses
// its loops in Go.
func loops() (none [2]map[key]Loop) { return none }

// detect returns None: this architecture has no vector loops.
func detect() Level { return None }

// levelNames are the names of the instruction set levels, as String returns them.
var levelNames = [...]string{None: "none"}
