// This file finds the versions of ptoas in the history of its repository.

package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"

	"ptogo/dialect/pto/history"
)

// Release is the state of the repository that a version of ptoas has.
type Release struct {
	Version history.Version
	// Commit is the last commit before the number of the next version. The two tags that
	// the public mirror has for such versions, v0.25 and v0.26, name this commit.
	Commit string
	// Date is the date of the commit, as 2026-08-21.
	Date string
}

// versionLine matches the statement of the build that sets the version.
var versionLine = regexp.MustCompile(`project\(ptoas VERSION ([0-9.]+)`)

// Releases returns the versions of ptoas from the version first on, oldest first. The
// parameter dir is a checkout with its history. The last release is the newest commit of
// the checkout.
func Releases(dir string, first history.Version) ([]Release, error) {
	log, err := git(dir, "log", "--reverse", "--format=%H", `-Gproject\(ptoas VERSION`, "--", "CMakeLists.txt")
	if err != nil {
		return nil, err
	}
	var all []Release
	for _, commit := range strings.Fields(log) {
		text, err := git(dir, "show", commit+":CMakeLists.txt")
		if err != nil {
			return nil, err
		}
		m := versionLine.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("commit %s sets no version", commit)
		}
		v, err := history.Parse(m[1])
		if err != nil {
			return nil, err
		}
		if n := len(all); n > 0 {
			if err := all[n-1].end(dir, commit+"^"); err != nil {
				return nil, err
			}
		}
		if !v.Less(first) {
			all = append(all, Release{Version: v})
		}
	}
	if len(all) == 0 {
		return nil, errors.New(dir + ": no version of ptoas from " + first.String() + " on")
	}
	return all, all[len(all)-1].end(dir, "HEAD")
}

// end sets the commit of a release to the revision rev.
func (r *Release) end(dir, rev string) error {
	out, err := git(dir, "log", "-1", "--format=%H %ad", "--date=short", rev)
	if err == nil {
		r.Commit, r.Date, _ = strings.Cut(strings.TrimSpace(out), " ")
	}
	return err
}

// git returns the output of git for the checkout dir.
func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, errs.String())
	}
	return string(out), nil
}
