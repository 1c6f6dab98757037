// This file writes the SBOM, the list of modules that the tools contain.

package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// These types are the part of the format CycloneDX 1.5 that the SBOM uses.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type    string       `json:"type"`
		Name    string       `json:"name"`
		Version string       `json:"version"`
		Purl    string       `json:"purl,omitempty"`
		Hashes  []hash       `json:"hashes,omitempty"`
		Used    []namedValue `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	namedValue struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// sbom writes the file sbom.cdx.json. It lists the modules that the Go linker recorded in
// the programs, and the version of Go, whose standard library they contain.
func (r *release) sbom(programs []string) error {
	found := map[string]component{}
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(p), err)
		}
		std := component{Type: "library", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}
		std.Purl = "pkg:golang/std@" + std.Version
		found[std.Purl] = std
		for _, m := range info.Deps {
			c := component{Type: "library", Name: m.Path, Version: m.Version, Purl: "pkg:golang/" + m.Path + "@" + m.Version}
			if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) > 0 {
				// The sum of a module is the SHA-256 of a list of files, not of one file.
				c.Used = []namedValue{{"go:sum-h1-sha256", hex.EncodeToString(sum)}}
			}
			found[c.Purl] = c
		}
	}
	b := bom{
		Format: "CycloneDX", Spec: "1.5", Version: 1, Components: []component{},
		Metadata: metadata{r.date.Format(time.RFC3339), component{Type: "application", Name: "ptogo", Version: r.version}},
	}
	for _, c := range found {
		b.Components = append(b.Components, c)
	}
	slices.SortFunc(b.Components, func(a, b component) int { return strings.Compare(a.Purl, b.Purl) })
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "sbom.cdx.json"), append(text, '\n'), 0o644)
}
