// This file configures the sandbox of the kernel process.

package jit

import "errors"

// Sandbox says whether the process of a kernel gives up, before it runs any, all
// that kernels do not need: opening files, executing programs, the network.
type Sandbox string

// The choices. The zero value is SandboxAuto.
const (
	SandboxAuto     Sandbox = ""    // where the system offers one
	SandboxRequired Sandbox = "yes" // or Run fails with ErrNoSandbox
	SandboxOff      Sandbox = "off"
)

// ErrNoSandbox is returned if a required sandbox is not available.
var ErrNoSandbox = errors.New("no sandbox is available here: it needs Linux with seccomp on x86-64 or arm64")
