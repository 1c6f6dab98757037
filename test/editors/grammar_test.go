package editors

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// scopeOf is the beginning of the scope that the grammar gives to each kind of token.
var scopeOf = map[ir.TokenKind]string{
	ir.StringToken: "string.", ir.ValueToken: "variable.", ir.BlockToken: "entity.name.label.",
	ir.SymbolToken: "entity.name.function.", ir.CommentToken: "comment.",
}

// TestGrammar compares the TextMate grammar with the lexer on all examples: a token has
// the scope of its kind, and names of operations are functions.
func TestGrammar(t *testing.T) {
	node, err := exec.LookPath("node")
	if _, missing := os.Stat("node_modules/vscode-textmate"); err != nil || missing != nil {
		t.Skip("node or vscode-textmate is missing: run npm ci in test/editors")
	}
	files, err := filepath.Glob("../../examples/*.pto")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d examples (%v)", len(files), err)
	}
	more, _ := filepath.Glob("../../examples/level2/*.pto")
	files = append(files, more...)
	var scopes map[string][][4]any
	run(t, exec.Command(node, append([]string{"grammar.mjs", "../../editors/pto.tmLanguage.json"}, files...)...), &scopes)
	compared := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		compared += compareScopes(t, file, string(text), scopes[file])
	}
	if compared < 4000 {
		t.Errorf("only %d tokens were compared", compared)
	}
}

// compareScopes reports the tokens of a text whose scope is wrong, and returns the number
// of tokens that it compared.
func compareScopes(t *testing.T, file, text string, scopes [][4]any) (compared int) {
	t.Helper()
	at := map[[2]int]string{} // scope by line and column
	for _, s := range scopes {
		for c := int(s[1].(float64)); c < int(s[2].(float64)); c++ {
			at[[2]int{int(s[0].(float64)), c}] = s[3].(string)
		}
	}
	line, start := 0, 0
	for _, tok := range ir.Tokens(text) {
		for start+len(lineOf(text, start)) < tok.Start {
			start += len(lineOf(text, start)) + 1
			line++
		}
		word := text[tok.Start:tok.End]
		want := scopeOf[tok.Kind]
		before := strings.TrimSpace(text[start:tok.Start])
		if tok.Kind == ir.WordToken && strings.Contains(word, ".") && ir.Lookup(word) != nil && (before == "" || strings.HasSuffix(before, "=")) {
			want = "support.function."
		}
		if want == "" {
			continue
		}
		compared++
		if got := at[[2]int{line, tok.Start - start}]; !strings.HasPrefix(got, want) {
			t.Errorf("%s:%d: %s has the scope %q, want %s", file, line+1, word, got, want)
		}
	}
	return compared
}

// lineOf returns the text from an offset to the end of its line.
func lineOf(text string, off int) string {
	line, _, _ := strings.Cut(text[off:], "\n")
	return line
}

// The grammar is valid JSON for files of PTO.
func TestGrammarIsJSON(t *testing.T) {
	text, err := os.ReadFile("../../editors/pto.tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	var grammar struct {
		ScopeName string   `json:"scopeName"`
		FileTypes []string `json:"fileTypes"`
	}
	if err := json.Unmarshal(text, &grammar); err != nil || grammar.ScopeName != "source.pto" || len(grammar.FileTypes) != 1 {
		t.Errorf("%v: %+v", err, grammar)
	}
}
