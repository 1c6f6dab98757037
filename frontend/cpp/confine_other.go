//go:build !linux

package cpp

import "os/exec"

// confine does nothing: only Linux has namespaces.
func confine(*exec.Cmd) {}

func confined(*exec.Cmd) bool { return false }
