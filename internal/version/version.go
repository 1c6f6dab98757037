// Package version describes the build of a tool: the version of the project, the commit,
// and the versions of the public projects that the build follows.
package version

import (
	"fmt"
	"runtime/debug"
	"strings"

	"ptogo/dialect/pto/history"
)

// Number is the version of the project. The versions of the packages for Python, npm and
// VS Code equal it, and CHANGELOG.md has a section for it; TestNumbers compares them.
const Number = "0.1.0"

// commit is the commit of a build outside of a repository, such as a package build. It
// is set at link time: go build -ldflags='-X ptogo/internal/version.commit=...'
var commit string

// Text returns a description of the build, such as
//
//	ptogo 0.1.0 (commit 0123456789ab of 2026-11-29, go1.26.8; ptoas 0.64, pto-isa 3186c38)
//
// It omits the commit if neither the Go tool nor the link command recorded it. The word
// "modified" follows the commit if the sources contained changes that were not committed.
func Text() string {
	parts, goVersion := "", "go unknown"
	rev, date, dirty := commit, "", false
	if info, ok := debug.ReadBuildInfo(); ok {
		goVersion = info.GoVersion
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				rev = s.Value
			case "vcs.time":
				date, _, _ = strings.Cut(s.Value, "T")
			case "vcs.modified":
				dirty = s.Value == "true"
			}
		}
	}
	if rev != "" {
		parts = "commit " + rev[:min(12, len(rev))]
		if date != "" {
			parts += " of " + date
		}
		if dirty {
			parts += ", modified"
		}
		parts += ", "
	}
	return fmt.Sprintf("ptogo %s (%s%s; ptoas %s, pto-isa %s)", Number, parts, goVersion, history.Last(), history.Library)
}
