// This file renders the documentation as HTML.

package site

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// markdown translates the documentation, which is GitHub Flavored Markdown.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// fileLink matches the address of a link to a file: the path and the part of the page.
var fileLink = regexp.MustCompile(` href="([^":#]+)(#[^"]*)?"`)

// addPages adds the documentation below the folder docs as HTML, with its images.
func (s Site) addPages(source fs.FS) error {
	return fs.WalkDir(source, "docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".md":
			s[strings.TrimSuffix(name, ".md")+".html"], err = page(name, content)
		case ".jpg", ".png", ".svg":
			s[name] = content
		}
		return err
	})
}

// page returns a page of the documentation as an HTML document in the style of the site. name
// is the path of the page in the site.
func page(name string, text []byte) ([]byte, error) {
	var body bytes.Buffer
	if err := markdown.Convert(text, &body); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	linked := fileLink.ReplaceAllFunc(body.Bytes(), func(link []byte) []byte {
		m := fileLink.FindSubmatch(link)
		to := path.Join(path.Dir(name), string(m[1]))
		if !strings.HasPrefix(to, "docs/") {
			return nil // a file of the sources, which the site does not have
		}
		return fmt.Appendf(nil, ` href="%s%s"`, strings.Replace(string(m[1]), ".md", ".html", 1), m[2])
	})
	title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	root := strings.Repeat("../", strings.Count(name, "/"))
	const frame = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%[1]s</title>
<link rel="icon" href="%[2]sicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="%[2]sstyle.css">
</head>
<body>
<header><h1><a href="%[2]s">PTO playground</a></h1></header>
<main class="document">
%[3]s</main>
</body>
</html>
`
	return fmt.Appendf(nil, frame, html.EscapeString(title), root, linked), nil
}
