// This file implements --version.

package cli

import (
	"runtime/debug"
	"strings"
)

// commit is the commit of a build outside of a repository, such as a package build. It
// is set at link time: go build -ldflags='-X ptogo/internal/cli.commit=...'
var commit string

// Version returns a description of the build: the module version, and the commit with
// its date, as far as the Go tool recorded them.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return strings.TrimSpace("ptogo (unknown build) " + commit)
	}
	rev, date, dirty := commit, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.time":
			date = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "(modified)"
		}
	}
	rev = rev[:min(12, len(rev))]
	return strings.Join(strings.Fields(strings.Join([]string{"ptogo", info.Main.Version, rev, date, dirty, info.GoVersion}, " ")), " ")
}
