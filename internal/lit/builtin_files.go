// This file implements commands on files.

package lit

import (
	"bytes"
	"os"
)

// runMkdir is the command mkdir. With -p it also creates parent directories.
func runMkdir(c *command, args []string) int {
	given, names, err := flags(args, "p")
	if err != nil || len(names) == 0 {
		return c.fail("mkdir", 1, "%v", orUsage(err, "expected a directory"))
	}
	for _, name := range names {
		if has(given, "p") {
			err = os.MkdirAll(c.path(name), 0o777)
		} else {
			err = os.Mkdir(c.path(name), 0o777)
		}
		if err != nil {
			return c.fail("mkdir", 1, "%v", err)
		}
	}
	return 0
}

// runRm is the command rm. With -r it also removes directories.
func runRm(c *command, args []string) int {
	given, names, err := flags(args, "rRf")
	if err != nil {
		return c.fail("rm", 1, "%v", err)
	}
	for _, name := range names {
		path := c.path(name)
		_, statErr := os.Lstat(path)
		switch {
		case statErr != nil && has(given, "f"):
		case has(given, "rR"):
			err = os.RemoveAll(path)
		default:
			err = os.Remove(path)
		}
		if err != nil {
			return c.fail("rm", 1, "%v", err)
		}
	}
	return 0
}

// runCmp is the command cmp, which compares two files byte by byte.
func runCmp(c *command, args []string) int {
	given, names, err := flags(args, "s")
	if err != nil || len(names) != 2 {
		return c.fail("cmp", 2, "%v", orUsage(err, "expected two files"))
	}
	a, errA := c.read(names[0])
	b, errB := c.read(names[1])
	if errA != nil || errB != nil {
		return c.fail("cmp", 2, "%v", orUsage(errA, "%v", errB))
	}
	if bytes.Equal(a, b) {
		return 0
	}
	if has(given, "s") {
		return 1
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return c.fail("cmp", 1, "%s and %s differ: byte %d, line %d", names[0], names[1], n+1, bytes.Count(a[:n], []byte("\n"))+1)
}
