// This file ends the kernel process together with this one, on Linux.

package jit

import (
	"os/exec"
	"syscall"
)

// tie makes the system end a child process when this process ends, even if it is killed.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
