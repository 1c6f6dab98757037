package lit

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// runCp copies files, and directories with -r.
func runCp(c *command, args []string) int {
	given, names, err := flags(args, "rRpfa")
	if err != nil || len(names) < 2 {
		return c.fail("cp", 1, "%v", orUsage(err, "sources and a target are wanted"))
	}
	target := names[len(names)-1]
	for _, name := range names[:len(names)-1] {
		to := c.into(target, name)
		if info, err := os.Stat(c.path(name)); err == nil && info.IsDir() {
			if !has(given, "rRa") {
				return c.fail("cp", 1, "%s is a directory; -r copies it", name)
			}
			if err := os.CopyFS(to, os.DirFS(c.path(name))); err != nil {
				return c.fail("cp", 1, "%v", err)
			}
			continue
		}
		if err := copyFile(c.path(name), to); err != nil {
			return c.fail("cp", 1, "%v", err)
		}
	}
	return 0
}

// into returns the path of name when put into target, if that is a directory,
// or the path of target.
func (c *command) into(target, name string) string {
	path := c.path(target)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, filepath.Base(name))
	}
	return path
}

// copyFile copies text and permissions.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(from); err == nil {
		mode = info.Mode().Perm()
	}
	return os.WriteFile(to, text, mode)
}

// runMv renames files.
func runMv(c *command, args []string) int {
	_, names, err := flags(args, "f")
	if err != nil || len(names) < 2 {
		return c.fail("mv", 1, "%v", orUsage(err, "sources and a target are wanted"))
	}
	target := names[len(names)-1]
	for _, name := range names[:len(names)-1] {
		if err := os.Rename(c.path(name), c.into(target, name)); err != nil {
			return c.fail("mv", 1, "%v", err)
		}
	}
	return 0
}

// runRm removes files, and directories with -r.
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

// runMkdir makes directories, with -p those above them too.
func runMkdir(c *command, args []string) int {
	given, names, err := flags(args, "p")
	if err != nil || len(names) == 0 {
		return c.fail("mkdir", 1, "%v", orUsage(err, "a directory is wanted"))
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

// runTouch creates files. It leaves the time of existing ones alone.
func runTouch(c *command, args []string) int {
	for _, name := range args {
		f, err := os.OpenFile(c.path(name), os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return c.fail("touch", 1, "%v", err)
		}
		f.Close()
	}
	return 0
}

// runCmp compares two files byte by byte.
func runCmp(c *command, args []string) int {
	given, names, err := flags(args, "s")
	if err != nil || len(names) != 2 {
		return c.fail("cmp", 2, "%v", orUsage(err, "two files are wanted"))
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
