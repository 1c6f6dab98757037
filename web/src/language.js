// Highlighting, by the grammar that other editors use (editors/pto.tmLanguage.json).

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { Tag } from "@lezer/highlight";
import grammar from "../../editors/pto.tmLanguage.json";

// The first part of a scope that has a style of its own.
const kinds = ["comment", "string", "constant.character", "entity.name.type", "storage.type", "entity.name.function", "entity.name.label", "entity.name.constant",
  "support.function", "variable", "constant.numeric", "constant.other", "keyword.operator", "keyword.other"];
const tags = Object.fromEntries(kinds.map((kind) => [nameOf(kind), Tag.define()]));

function nameOf(kind) {
  return kind.replaceAll(".", "-");
}

/** Returns the name of the style of a scope, or null. */
function styleOf(scope) {
  const kind = kinds.find((k) => scope && scope.startsWith(k));
  return kind ? nameOf(kind) : null;
}

/** Returns the rules of a list of patterns in order. */
function rulesOf(patterns) {
  return patterns.flatMap((p) => {
    if (p.include) {
      const part = grammar.repository[p.include.slice(1)];
      return part.patterns && !part.begin ? rulesOf(part.patterns) : rulesOf([part]);
    }
    if (p.begin) return [{ begin: new RegExp(p.begin, "y"), end: new RegExp(p.end, "g"), style: styleOf(p.name), inner: rulesOf(p.patterns || []) }];
    const captures = Object.entries(p.captures || {}).map(([n, c]) => [Number(n), styleOf(c.name)]);
    return [{ match: new RegExp(p.match, "yd"), style: styleOf(p.name), captures }];
  });
}

const rules = rulesOf(grammar.patterns);

/** Returns the styled parts of a line as [from, to, style], in order. */
export function partsOf(line) {
  const parts = [];
  for (let at = 0; at < line.length; ) {
    const end = rules.reduce((found, rule) => found || apply(rule, line, at, parts), 0);
    at = end > at ? end : at + 1;
  }
  return parts;
}

/** Applies a rule at an offset. It returns the end of its match, or 0. */
function apply(rule, line, at, parts) {
  if (rule.begin) {
    rule.begin.lastIndex = at;
    const from = rule.begin.exec(line);
    if (!from) return 0;
    let to = at + from[0].length;
    while (to < line.length) {
      const escape = rule.inner.reduce((end, r) => end || apply(r, line, to, []), 0);
      rule.end.lastIndex = to;
      const end = rule.end.exec(line);
      if (!escape && end && end.index === to) {
        to += end[0].length;
        break;
      }
      to = escape || to + 1;
    }
    parts.push([at, to, rule.style]);
    return to;
  }
  rule.match.lastIndex = at;
  const found = rule.match.exec(line);
  if (!found || found[0].length === 0) return 0;
  if (rule.style) parts.push([at, at + found[0].length, rule.style]);
  for (const [n, style] of rule.captures) {
    if (found.indices[n]) parts.push([...found.indices[n], style]);
  }
  return at + found[0].length;
}

const stream = StreamLanguage.define({
  name: "pto",
  startState: () => ({ parts: [] }),
  copyState: (state) => ({ parts: state.parts }),
  token(input, state) {
    if (input.sol()) state.parts = partsOf(input.string);
    const part = state.parts.find(([, to]) => to > input.pos);
    if (!part) {
      input.skipToEnd();
      return null;
    }
    if (part[0] > input.pos) {
      input.pos = part[0];
      return null;
    }
    input.pos = part[1];
    return part[2];
  },
  tokenTable: tags,
  languageData: { commentTokens: { line: "//" } },
});

const colours = HighlightStyle.define(kinds.map((kind) => ({ tag: tags[nameOf(kind)], class: "tok-" + nameOf(kind) })));

/** The extension for PTO programs. */
export const pto = [stream, syntaxHighlighting(colours)];
