// This file implements document symbols, folding and workspace symbols.

package lsp

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/ir"
)

// DocumentSymbol implements protocol.Server. It returns the modules and functions of a
// document, nested as in the text.
func (s *server) DocumentSymbol(_ context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	var named []ir.OpSpan
	for _, o := range d.analysis().index.Ops {
		if _, ok := ir.SymbolName(o.Op); ok || o.Op.Def() == ir.ModuleDef {
			named = append(named, o)
		}
	}
	return protocol.DocumentSymbolSlice(d.symbolsWithin(named, 0, len(d.src.Text))), nil
}

// symbolsWithin returns the symbols for the operations between the byte offsets in the
// parameters from and to, in text order. named lists operations; those outside of this
// range are ignored. An operation inside another one becomes a child of the symbol of the
// outer operation.
func (d *document) symbolsWithin(named []ir.OpSpan, from, to int) []protocol.DocumentSymbol {
	symbols := []protocol.DocumentSymbol{}
	for i, o := range named {
		if o.Start < from || o.End > to || insideAnother(named[i+1:], o, from, to) {
			continue
		}
		name, ok := ir.SymbolName(o.Op)
		kind := protocol.SymbolKindFunction
		if !ok {
			name, kind = "module", protocol.SymbolKindModule
		}
		symbols = append(symbols, protocol.DocumentSymbol{
			Name: ir.Visible(name), Kind: kind, Range: d.span(o.Start, o.End), SelectionRange: d.tokenSpan(o.Name),
			Children: d.symbolsWithin(named[:i], o.Start, o.End),
		})
	}
	return symbols
}

// insideAnother considers those operations in the list others that are within the source
// range from:to, in bytes. It reports whether one of them contains the operation o.
func insideAnother(others []ir.OpSpan, o ir.OpSpan, from, to int) bool {
	for _, other := range others {
		if from <= other.Start && other.End <= to && other.Start <= o.Start && o.End <= other.End {
			return true
		}
	}
	return false
}

// FoldingRanges implements protocol.Server. It returns the regions and comments that
// extend over several lines.
func (s *server) FoldingRanges(_ context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	ranges := []protocol.FoldingRange{}
	for _, r := range d.analysis().index.Regions {
		from, to := d.position(r.Start).Line, d.position(r.End-1).Line
		if from < to {
			ranges = append(ranges, protocol.FoldingRange{StartLine: from, EndLine: to - 1, Kind: protocol.FoldingRangeKindRegion})
		}
	}
	return append(ranges, d.commentRanges()...), nil
}

// commentRanges returns the ranges of consecutive comment lines.
func (d *document) commentRanges() (ranges []protocol.FoldingRange) {
	first := -1
	for i := 0; i <= len(d.lines); i++ {
		comment := i < len(d.lines) && strings.HasPrefix(strings.TrimSpace(d.line(i)), "//")
		switch {
		case comment && first < 0:
			first = i
		case !comment && first >= 0:
			if i-first > 1 {
				ranges = append(ranges, protocol.FoldingRange{StartLine: uint32(first), EndLine: uint32(i - 1), Kind: protocol.FoldingRangeKindComment})
			}
			first = -1
		}
	}
	return ranges
}

// Limits for a symbol search in a workspace: the number of files that it reads, and the
// size of each in bytes.
const (
	maxFiles    = 2000
	maxFileSize = 1 << 20
)

// Symbols implements protocol.Server. It returns the functions whose names contain the
// query, from the open files and from the .pto files in the workspace folders. The search
// reads at most maxFiles files, and only files of at most maxFileSize bytes.
func (s *server) Symbols(_ context.Context, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	s.mu.Lock()
	texts := map[uri.URI]string{}
	for at, d := range s.docs {
		texts[at] = d.src.Text
	}
	folders, inBytes := s.folders, s.utf8
	s.mu.Unlock()
	for _, folder := range folders {
		readFolder(folder, texts)
	}
	found := protocol.SymbolInformationSlice{}
	for at, text := range texts {
		m := newMapper(text, inBytes)
		for _, t := range functionNames(text) {
			if name := text[t.Start+1 : t.End]; strings.Contains(strings.ToLower(name), strings.ToLower(p.Query)) {
				found = append(found, protocol.SymbolInformation{
					BaseSymbolInformation: protocol.BaseSymbolInformation{Name: name, Kind: protocol.SymbolKindFunction},
					Location:              protocol.Location{URI: at, Range: m.span(t.Start, t.End)},
				})
			}
		}
	}
	return found, nil
}

// readFolder adds the .pto files of a folder to texts. It skips hidden folders, special
// files and unreadable files.
func readFolder(folder string, texts map[uri.URI]string) {
	filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir() && path != folder && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case len(texts) >= maxFiles:
			return fs.SkipAll
		case filepath.Ext(path) != ".pto" || !e.Type().IsRegular():
			return nil
		}
		at := uri.File(path)
		if _, open := texts[at]; open {
			return nil
		}
		if info, err := e.Info(); err == nil && info.Size() <= maxFileSize {
			if text, err := os.ReadFile(path); err == nil {
				texts[at] = string(text)
			}
		}
		return nil
	})
}

// functionNames returns the tokens with the names of the functions that a text defines.
func functionNames(text string) (names []ir.Token) {
	heads := 0 // tokens since func.func
	for _, t := range ir.Tokens(text) {
		switch word := text[t.Start:t.End]; {
		case t.Kind == ir.CommentToken:
		case word == "func.func" || word == "func":
			heads = 1
		case heads > 0 && t.Kind == ir.SymbolToken:
			names = append(names, t)
			heads = 0
		case heads > 0 && heads < 3: // a visibility may precede the name
			heads++
		default:
			heads = 0
		}
	}
	return names
}
