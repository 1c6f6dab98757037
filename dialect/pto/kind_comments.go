package pto

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"sync"
)

// The comments on the kinds of meaning say what instructions do. The reference
// quotes them, so that there is one text.
//
//go:embed sem/*.go
var kindSources embed.FS

// kindComments are comments on the kinds and on their parameters.
type kindComments struct {
	kinds     map[string]bool     // names of structs
	types     map[string]string   // comments on types
	constants map[string][]string // of a type: what its values 0, 1, ... are
}

var kindDocs = sync.OnceValue(func() *kindComments {
	docs := &kindComments{kinds: map[string]bool{}, types: map[string]string{}, constants: map[string][]string{}}
	files, err := kindSources.ReadDir("sem")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for _, f := range files {
		text, _ := kindSources.ReadFile("sem/" + f.Name())
		if f.Name() == "target.go" { // sets, which are no numbered constants
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), text, parser.ParseComments)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				docs.add(d)
			}
		}
	}
	return docs
})

func (docs *kindComments) add(d *ast.GenDecl) {
	typ := ""
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if !d.Lparen.IsValid() {
				doc = d.Doc
			}
			docs.types[s.Name.Name] = flowing(doc)
			_, docs.kinds[s.Name.Name] = s.Type.(*ast.StructType)
		case *ast.ValueSpec:
			if name, ok := s.Type.(*ast.Ident); ok && d.Tok == token.CONST {
				typ = name.Name
			}
			if d.Tok == token.CONST && typ != "" {
				docs.constants[typ] = append(docs.constants[typ], constantText(s))
			}
		}
	}
}

// constantText is what the comment on a constant says, or else its name.
func constantText(s *ast.ValueSpec) string {
	name := s.Names[0].Name
	text := flowing(s.Doc)
	if text == "" {
		text = flowing(s.Comment)
	}
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, name), ":"), ".")
	if text == "" {
		return name
	}
	return name + " (" + strings.TrimSpace(text) + ")"
}

// flowing is a comment with each paragraph on a line.
func flowing(c *ast.CommentGroup) string {
	paragraphs := strings.Split(strings.TrimSpace(c.Text()), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
