// This file defines versions.

package history

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a public version of ptoas, such as 0.57. The zero value means that the version is not known.
type Version struct{ Major, Minor int }

// Parse returns the version that a text names, such as 0.57 or v0.57.
func Parse(text string) (Version, error) {
	major, minor, ok := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	a, err1 := strconv.ParseUint(major, 10, 16)
	b, err2 := strconv.ParseUint(minor, 10, 16)
	if !ok || err1 != nil || err2 != nil {
		return Version{}, fmt.Errorf("%q is not a version of ptoas, such as 0.57", text)
	}
	return Version{int(a), int(b)}, nil
}

// String returns the version as 0.57.
func (v Version) String() string { return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) }

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

// IsZero reports whether the version is not known.
func (v Version) IsZero() bool { return v == Version{} }

// Span is the range of versions that have a construct. Until is the last of them, or zero
// if the newest version has the construct.
type Span struct{ Since, Until Version }

// Has reports whether the version v is in the span.
func (s Span) Has(v Version) bool {
	return !v.Less(s.Since) && (s.Until.IsZero() || !s.Until.Less(v))
}

// String describes the span, such as "0.46 to 0.56" or "from 0.46 on". For constructs of
// the first version in the tables, the beginning is not known.
func (s Span) String() string {
	since := s.Since.String()
	if s.Since == First() {
		since += " or earlier"
	}
	if s.Until.IsZero() {
		return "from " + since + " on"
	}
	return since + " to " + s.Until.String()
}
