//go:build !amd64 && !arm64

// This file supplies no loops on other architectures.

package kernels

// loops returns no loops on this architecture, so the runtime uses its loops in Go.
func loops() (none [2]map[key]Loop) { return none }

// detect returns None: this architecture has no vector loops.
func detect() Level { return None }

// levelNames holds the names of the levels.
var levelNames = [...]string{None: "none"}
