// This file configures the sandbox of the kernel process.

package jit

import "errors"

// Sandbox selects whether the kernel process drops permissions before it runs a kernel. A
// confined process cannot open files, execute programs or use the network.
type Sandbox string

// The choices for the use of a sandbox, which confines the kernel process. The zero value
// is SandboxAuto.
const (
	// SandboxAuto uses a sandbox if the system supports one.
	SandboxAuto Sandbox = ""
	// SandboxRequired makes Run fail with ErrNoSandbox if the system does not support a
	// sandbox.
	SandboxRequired Sandbox = "yes"
	// SandboxOff runs kernels without a sandbox.
	SandboxOff Sandbox = "off"
)

// ErrNoSandbox is returned if a required sandbox is not available.
var ErrNoSandbox = errors.New("no sandbox is available here: it needs Linux with seccomp on x86-64 or arm64")
