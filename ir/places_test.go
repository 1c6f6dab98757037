package ir

import (
	"slices"
	"testing"
)

// TestPlacesIn finds positions in the text of location attributes.
func TestPlacesIn(t *testing.T) {
	for text, want := range map[string][]filePlace{
		`loc("a.py":3:14)`: {{"a.py", 3, 14}},
		`loc(callsite("f"("a.py":1:2) at "b \"c\".py":3:4))`: {{"a.py", 1, 2}, {`b "c".py`, 3, 4}},
		`loc("name")`: nil, `loc("a":1)`: nil, `loc("a":1:x)`: nil, `loc(unknown)`: nil, `loc("open`: nil, `loc("open\`: nil, ``: nil,
	} {
		if got := placesIn(text); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestStartsLine decides whether an operation is the first one on its line.
func TestStartsLine(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "  \t": true, "  %a = ": true, "%a, %b:2 =": true, "%": false, "%a ": false, "a = ": false, "%a = x %b = ": false, "}": false,
	} {
		if got := startsLine(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
