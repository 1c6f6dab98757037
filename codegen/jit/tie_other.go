//go:build !linux

// This file does nothing on systems that cannot end a process with its parent.

package jit

import "os/exec"

// tie would make the system end a child process when this process ends. On systems
// without such a function, tie does nothing. A kernel process ends in this case as well,
// because it waits at a pipe that closes when this process ends. A compiler process runs
// until it has finished.
func tie(*exec.Cmd) {}
