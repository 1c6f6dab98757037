// Package web holds the page of the playground, bundled from src by web/build, and writes
// reports of runs with the same components.
package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed dist
var dist embed.FS

// The script and the style sheet of reports. They are embedded separately from dist, so
// that tools that only write reports do not contain the complete web page.
var (
	//go:embed dist/report.js
	reportScript string
	//go:embed dist/style.css
	reportStyle string
)

// Files returns the bundled files of the page.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("BUG: " + err.Error()) // the folder is embedded
	}
	return files
}

// Report returns a self-contained HTML document that shows data. The document contains
// data encoded as JSON, one script and one style. Its security policy permits only this
// script and this style, and no network connections.
func Report(data any) ([]byte, error) {
	text, err := json.Marshal(data) // escapes <, > and &, so that no text ends the element
	if err != nil {
		return nil, err
	}
	script, style := reportScript, reportStyle
	if strings.Contains(script, "</script") || strings.Contains(style, "</style") {
		panic("BUG: the bundle would end its element")
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Report</title>
<style>%s</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="data">%s</script>
<script>%s</script>
</body>
</html>
`, digest(script), digest(style), style, text, script)
	return []byte(b.String()), nil
}

// digest returns the expression by which a content security policy permits an inline
// script or style with the given text. It contains the SHA-256 hash of the text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
