package cli

import "runtime/debug"

// version describes the build: the module version and the commit it was
// built from, as far as the Go tool recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "ptogo (unknown build)"
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = " (modified)"
		}
	}
	return "ptogo " + info.Main.Version + rev + dirty + " " + info.GoVersion
}
