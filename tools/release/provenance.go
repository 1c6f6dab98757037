// This file writes the provenance of a release: from which commit, and how, the files were
// built.

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
)

// provenanceName is the name of the file with the provenance.
const provenanceName = "provenance.intoto.json"

// These types are the part of an in-toto statement (version 1) with a SLSA provenance
// (version 1) that the file uses.
type (
	statement struct {
		Type          string     `json:"_type"`
		Subject       []resource `json:"subject"`
		PredicateType string     `json:"predicateType"`
		Predicate     provenance `json:"predicate"`
	}
	resource struct {
		Name   string            `json:"name,omitempty"`
		URI    string            `json:"uri,omitempty"`
		Digest map[string]string `json:"digest"`
	}
	provenance struct {
		Definition struct {
			BuildType  string         `json:"buildType"`
			Parameters map[string]any `json:"externalParameters"`
			Resolved   []resource     `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		Run struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
)

// provenance writes the provenance of the files with the given checksums. It is not signed:
// the file becomes evidence when the machine that builds the release signs it.
func (r *release) provenance(sums []namedValue) error {
	source := "https://github.com/" + r.repository
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for _, sum := range sums {
		s.Subject = append(s.Subject, resource{Name: sum.Name, Digest: map[string]string{"sha256": sum.Value}})
	}
	d := &s.Predicate.Definition
	d.BuildType = source + "/blob/" + r.commit + "/docs/release.md"
	d.Parameters = map[string]any{"command": "go run ./tools/release", "version": r.version, "platforms": r.platforms, "go": runtime.Version()}
	d.Resolved = []resource{{URI: "git+" + source, Digest: map[string]string{"gitCommit": r.commit}}}
	s.Predicate.Run.Builder.ID = source + "/blob/" + r.commit + "/scripts/release.sh"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, provenanceName), append(text, '\n'), 0o644)
}
