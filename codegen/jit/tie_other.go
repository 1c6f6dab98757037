//go:build !linux

// This file does nothing on systems that cannot end a process with its parent.

package jit

import "os/exec"

// tie would make the system end a child process when this process ends. This
// implementation is for systems without such a function and does nothing. When this
// process ends, a kernel process ends nevertheless, because the pipe between the two
// processes closes. A compiler process runs until it has finished.
func tie(*exec.Cmd) {}
