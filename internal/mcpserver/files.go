package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ptogo/internal/temporary"
)

// files are the files that requests may name: those below a folder.
type files struct{ root string }

// openFiles returns the files below a folder, which must exist.
func openFiles(root string) (*files, error) {
	full, err := filepath.Abs(root)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", root)
	}
	return &files{full}, nil
}

// path returns the full path of a file below the folder, which a request names. The file
// need not exist, but its folder must.
func (f *files) path(name string) (string, error) {
	outside := fmt.Errorf("%q is outside of the folder of the server", name)
	if !filepath.IsLocal(name) {
		return "", outside
	}
	full := filepath.Join(f.root, name)
	real, err := filepath.EvalSymlinks(full)
	if errors.Is(err, os.ErrNotExist) {
		real, err = filepath.EvalSymlinks(filepath.Dir(full))
	}
	if err != nil {
		return "", fmt.Errorf("%q: no such file", name)
	}
	if below, err := filepath.Rel(f.root, real); err != nil || !filepath.IsLocal(below) {
		return "", outside
	}
	return full, nil
}

// inside returns an error if an option of a request, such as in=x.npy or 1=want.npy, names
// a file outside of the folder.
func (f *files) inside(option string) error {
	option = strings.TrimPrefix(option, "per-block:")
	kind, rest, named := strings.Cut(option, "=")
	switch {
	case strings.HasPrefix(option, "-"):
		return fmt.Errorf("%q is an option of the tool; an argument is a SPEC such as rand=32x64xf32, or a number", option)
	case !named, kind == "rand", kind == "zeros", kind == "ones", kind == "iota", kind == "fill", kind == "window":
		return nil
	}
	name, _, _ := strings.Cut(rest, ",")
	if kind == "out" {
		name, _, _ = strings.Cut(name, ":")
	}
	_, err := f.path(name)
	return err
}

// temporary writes a program to a file outside of the folder and returns its path.
func (f *files) temporary(text string) (path string, remove func(), err error) {
	dir, remove, err := temporary.Folder("", "pto-mcp")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "program.pto")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// program returns the argument that names a program, its text if it is standard input, and
// the option for its target.
func (f *files) program(p Source) (args []string, text string, err error) {
	switch {
	case p.Target != "" && p.Target != "a2" && p.Target != "a3" && p.Target != "a5":
		return nil, "", fmt.Errorf("target must be a3 or a5, but is %q", p.Target)
	case (p.Program == "") == (p.File == ""):
		return nil, "", errors.New("the request must have either program or file")
	case p.File != "":
		path, err := f.path(p.File)
		if err != nil {
			return nil, "", err
		}
		args = []string{path}
	default:
		args, text = []string{"-"}, p.Program
	}
	if p.Target != "" {
		args = append(args, "--pto-arch="+p.Target)
	}
	return args, text, nil
}

// examine executes pto-opt on a program.
func (f *files) examine(ctx context.Context, p Source, more ...string) (Answer, error) {
	args, text, err := f.program(p)
	if err != nil {
		return Answer{}, err
	}
	return execute(ctx, f.root, text, "pto-opt", append(args, more...))
}

// launch executes pto-run on a kernel.
func (f *files) launch(ctx context.Context, p Launch, more ...string) (Answer, error) {
	args, text, err := f.program(p.Source)
	if err != nil {
		return Answer{}, err
	}
	for _, a := range p.Args {
		if err := f.inside(a); err != nil {
			return Answer{}, err
		}
		args = append(args, "--arg="+a)
	}
	if p.Kernel != "" {
		args = append(args, "--kernel="+p.Kernel)
	}
	if p.Blocks > 0 {
		args = append(args, fmt.Sprintf("--blocks=%d", p.Blocks))
	}
	return execute(ctx, f.root, text, "pto-run", append(append(args, "--timeout=60s", "--color=never"), more...))
}
