// This file ends the kernel process together with this one, on Linux.

package jit

import (
	"os/exec"
	"syscall"
)

// tie makes the system end a process when this one ends, even if it is killed.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
