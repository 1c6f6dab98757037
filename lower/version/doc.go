// Package version relates programs to the public versions of ptoas. Check reports what a
// version does not have, and the pass pto-to-version replaces it by what the version has,
// where the meaning stays the same.
package version
