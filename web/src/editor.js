// The editor: CodeMirror with our highlighting, squiggles and fixes.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { pto } from "./language.js";

/** The nonce of style elements, which index.html allows. */
const NONCE = "pto-editor";

const setLines = StateEffect.define(); // {marks: Map from line to class}

const lineMarks = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const doc = transaction.state.doc;
      const list = [...effect.value].filter(([line]) => line >= 1 && line <= doc.lines).sort((a, b) => a[0] - b[0]);
      marks = Decoration.set(list.map(([line, name]) => Decoration.line({ class: name }).range(doc.line(line).from)));
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor of a program. changed is called after each edit, and moved with the line of the cursor. */
export class Editor {
  constructor(parent, text, label, changed, moved) {
    this.colours = new Map(); // lines with the colours of panes
    this.shown = []; // lines that a pane shows
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(NONCE), matchMedia("(max-width: 820px)").matches ? EditorView.lineWrapping : [],
          lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
          indentUnit.of("  "), pto, lineMarks, linter(null), lintGutter(),
          keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed();
            if (update.selectionSet) moved(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  }

  /** Shows diagnostics of the text with their fixes as actions. */
  diagnose(list) {
    const length = this.view.state.doc.length;
    const bound = (n) => Math.max(0, Math.min(n, length));
    const severity = { error: "error", warning: "warning", remark: "info" };
    const diagnostics = list.map((d) => ({
      from: bound(d.from), to: bound(d.to), severity: severity[d.severity] || "info", source: d.code,
      message: [d.message, ...(d.related || []).map((r) => "line " + r.line + ": " + r.message)].join("\n"),
      actions: (d.fixes || []).map((fix) => ({ name: fix.title, apply: () => this.apply(fix) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.sort((a, b) => a.from - b.from)));
    forceLinting(this.view);
  }

  /** Applies edits that belong together. */
  apply(...edits) {
    this.view.dispatch({ changes: edits.map((edit) => ({ from: edit.from, to: edit.to, insert: edit.new })) });
    this.view.focus();
  }

  /** Highlights lines, and scrolls to the first one unless still is set. */
  reveal(lines, still = false) {
    const doc = this.view.state.doc;
    this.shown = lines.filter((n) => n >= 1 && n <= doc.lines);
    this.mark();
    if (this.shown.length > 0 && !still) {
      this.view.dispatch({ effects: EditorView.scrollIntoView(doc.line(this.shown[0]).from, { y: "center" }) });
    }
  }

  /** Gives lines the colours of a pane. */
  paint(colours) {
    this.colours = colours;
    this.mark();
  }

  mark() {
    const marks = new Map(this.colours);
    this.shown.forEach((line, i) => marks.set(line, (marks.get(line) || "") + (i === 0 ? " shown" : " shown-other")));
    this.view.dispatch({ effects: setLines.of(marks) });
  }
}
