package sync

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	classKey    = regexp.MustCompile(`findingKey\{(Race|Sync|Init|Mem|Output), "(\w[^"]*)"`)
	classField  = regexp.MustCompile(`Check: (\w+), .*Class: "(\w+)"`)
	proofText   = regexp.MustCompile(`r\.find\([^"]*"[^"]*", ir\.\w+, "((?:[^"\\]|\\.)*)"`)
	verb        = regexp.MustCompile(`%\w`)
	hazardNames = regexp.MustCompile(`(?s)\n\tunordered +hazardKind = iota\n(.*?)\n\)`)
)

// hazardTexts maps each kind of hazard in runtime/check/race.go to a part of its report.
var hazardTexts = map[string]string{
	"staleLoad":     "may read old data from the data cache of the scalar unit",
	"unwritten":     "may still be in its data cache",
	"sharedLine":    "on two cores store to one 64-byte line",
	"acrossScopes":  "may not have written yet",
	"clearedSignal": "one of them stores to a word that holds signals",
	"reloaded":      "before any instruction reads it",
}

// complete reports a test error for each class of reports that no inserted error has
// caused. The classes of the checkers are found by names in their source code, those of
// the proof by message texts.
func (s *seenClasses) complete(t *testing.T) {
	check, proof := sources(t, "../../runtime/check"), sources(t, "../../lower/insertsync")
	want := map[string]bool{"race RAW": true, "race WAR": true, "race WAW": true, "race none": true, "redundant redundant": true, "sync fault": true, "mem fault": true}
	for _, m := range classKey.FindAllStringSubmatch(check, -1) {
		want[strings.ToLower(m[1])+" "+m[2]] = true
	}
	for _, m := range classField.FindAllStringSubmatch(check, -1) {
		if m[2] != "none" && m[2] != "redundant" && m[2] != "fault" {
			want[strings.ToLower(m[1])+" "+m[2]] = true
		}
	}
	want["init valid"] = true // Warned changes the class of "outside"
	for class := range want {
		if !s.classes[class] {
			t.Errorf("no planted fault has class %q", class)
		}
	}
	names := hazardNames.FindStringSubmatch(check)
	if names == nil {
		t.Fatal("the kinds of hazards are not where they were")
	}
	for _, line := range strings.Split(names[1], "\n") {
		name := strings.Fields(line)[0]
		if name == "//" {
			continue
		}
		if text := hazardTexts[name]; text == "" || !strings.Contains(s.texts.String(), text) {
			t.Errorf("no planted fault is a hazard of kind %s: %q", name, text)
		}
	}
	found := proofText.FindAllStringSubmatch(proof, -1)
	for _, m := range found {
		if text := longest(m[1]); !strings.Contains(s.proofs.String(), text) {
			t.Errorf("the proof has not said %q of any planted fault", text)
		}
	}
	t.Logf("%d classes of the checkers, %d of the proof", len(want), len(found))
}

// sources returns the concatenated source code of the package in the folder dir.
func sources(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || files == nil {
		t.Fatal(dir, err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// longest returns the longest part of a format string without conversions, which appears
// unchanged in the output.
func longest(format string) (part string) {
	for _, p := range verb.Split(format, -1) {
		if len(p) > len(part) {
			part = p
		}
	}
	return strings.ReplaceAll(part, `\"`, `"`)
}
