package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/passes"

	// Every dialect that programs may use.
	_ "ptogo/dialect/all"
)

// Variables are the environment variables with the directories of two public repositories
// that contain PTO programs.
var Variables = []string{"PTO_PTOAS", "PTO_GYM"}

// ErrNone reports that none of the environment variables in the list Variables is set, so
// the checkouts of the public repositories are unknown.
var ErrNone = errors.New("no corpus: set " + strings.Join(Variables, " or ") + " to a checkout")

// Program is a self-contained program: a file, or a section of a file.
type Program struct {
	// Name is the path in the checkout. A section has the suffix #1, #2 and so on.
	Name string
	Text string
	// Profile is the target that the RUN lines of the file name, or 0.
	Profile ir.Target
}

// Folder returns all programs below the folder root. It returns an error if there are
// none.
func Folder(root string) ([]Program, error) {
	var all []Program
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "3rdparty"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".pto" || !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		all = append(all, Split(filepath.ToSlash(name), string(text))...)
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no .pto file below %s", root)
	}
	return all, err
}

var (
	parts   = regexp.MustCompile(`(?m)^// ?-----.*$|^//--- .*$`)
	profile = regexp.MustCompile(`RUN:.*--?pto-arch[= ](a\d)`)
)

// Split divides the text of a test file into programs, at lines such as "// -----" and
// "//--- NAME", which separate programs in MLIR's tests. name is the path of the file.
func Split(name, text string) []Program {
	text = strings.TrimPrefix(text, "\ufeff")
	var target ir.Target
	if m := profile.FindStringSubmatch(text); m != nil {
		target, _ = sem.ParseProfile(m[1])
	}
	var out []Program
	for i, part := range parts.Split(text, -1) {
		p := Program{name, part, target}
		if i > 0 {
			p.Name = fmt.Sprintf("%s#%d", name, i)
		}
		if !blank(part) {
			out = append(out, p)
		}
	}
	return out
}

// blank reports whether the text contains only comments and blank lines.
func blank(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			return false
		}
	}
	return true
}

// Read parses and verifies the program for a target, and returns the module and this
// target. If the program names a profile, the target is this profile. Otherwise Read
// tries two targets and returns the first one on which the program is legal. The first is
// 0, which means the target that the module specifies, or the default one. The second is
// a5. If the program is legal on none of them, the module is nil.
func (p Program) Read() (module *ir.Op, on ir.Target) {
	// Without a target the verifier takes the module's own.
	targets := []ir.Target{p.Profile}
	if p.Profile == 0 {
		targets = append(targets, sem.A5)
	}
	for _, t := range targets {
		if m, _ := Read(p.Text, t); m != nil {
			return m, t
		}
	}
	return nil, 0
}

// Read parses and verifies a text for the target. If the text is illegal, it returns nil
// and the first error message.
func Read(text string, target ir.Target) (*ir.Op, string) {
	var diags ir.Diags
	opts := ir.ParseOptions{AllowUnregistered: true, Sequential: true}
	m, _ := ir.Parse(&ir.Source{Name: "in", Text: text}, opts, &diags)
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: target, Sequential: true}, &diags) {
		for _, d := range diags.All() {
			return nil, d.Format()
		}
		return nil, "rejected without a message"
	}
	return m, ""
}

// Lower lowers the module m, a Level 1 program, for target to the executable Level 2. It
// reports whether all passes succeeded; the parameter diags receives their diagnostics.
func Lower(m *ir.Op, target ir.Target, diags *ir.Diags) bool {
	p := passes.NewPipeline()
	return p.Add(bufferize.Bufferize, "", diags) && p.Run(m, passes.RunOptions{Target: target, Diags: diags})
}
