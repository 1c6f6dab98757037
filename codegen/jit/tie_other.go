//go:build !linux

// This file does nothing on systems that cannot end a process with its parent.

package jit

import "os/exec"

// tie would make the system end a child process when this process ends. On systems
// without such a function, tie does nothing. A kernel process ends in this case as well,
// because a pipe between it and this process then closes. A compiler process runs until
// it has finished.
func tie(*exec.Cmd) {}
