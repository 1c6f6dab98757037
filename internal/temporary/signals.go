//go:build !js

package temporary

import (
	"os"
	"syscall"
)

// ending are the signals that end a process, except SIGKILL.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}
