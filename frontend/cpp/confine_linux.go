package cpp

import (
	"os"
	"os/exec"
	"syscall"
)

// confine starts the program without network, in namespaces of its own. A program whose
// parent was killed runs on until it reaches its limit of processor time.
func confine(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
}

// confined reports whether confine has changed the command.
func confined(c *exec.Cmd) bool { return c.SysProcAttr != nil }
