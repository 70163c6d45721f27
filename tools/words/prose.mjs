// Finds what people read in a source: comments, texts of the page, messages, names of tests.

import ts from 'typescript5';
import { LineCounter, parseDocument, visit } from 'yaml';

/** A text that has a space between words is read by people; a key, a class or an address has none. */
const isProse = (text) => /[A-Za-z,.;:]\s+[A-Za-z(]/.test(text);

const ATTRIBUTES = new Set(['label', 'title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'name', 'words']);

/** { line, text, kind } for each text of a source; `kind` is 'comment', 'visible' or 'document'. */
export function proseOf(path, text) {
  if (/\.tsx?$|\.mjs$/.test(path)) return typescriptProse(path, text);
  if (/\.(cpp|hpp|c|h|css|cmake|py)$|CMakeLists\.txt$/.test(path)) return cppProse(path, text);
  if (/\.md$/.test(path)) return documentProse(text);
  if (/\.yaml$/.test(path)) return contentProse(text);
  if (/\.html$/.test(path))
    return documentProse(text.replace(/<(script|style)[\s\S]*?<\/\1>/g, (all) => all.replace(/[^\n]/g, '')));
  return [];
}

function typescriptProse(path, text) {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  );
  const found = [];
  const add = (position, words, kind) =>
    found.push({ line: source.getLineAndCharacterOfPosition(position).line + 1, text: words, kind });
  const visit = (node) => {
    if (ts.isJsxText(node) && /[A-Za-z]/.test(node.text)) add(node.getStart(), node.text.trim(), 'visible');
    else if (ts.isStringLiteralLike(node) && (isProse(node.text) || isLabel(node)))
      add(node.getStart(), node.text, 'visible');
    else if (ts.isTemplateExpression(node)) {
      const words = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
      if (isProse(words)) add(node.getStart(), words, 'visible');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const seen = new Set();
  const comments = (node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos) || inText(source, pos)) continue;
      seen.add(pos);
      add(pos, text.slice(pos, end), 'comment');
    }
    for (const child of node.getChildren(source)) comments(child);
  };
  comments(source);
  return found;
}

const isLabel = (node) =>
  ts.isJsxAttribute(node.parent) && ATTRIBUTES.has(node.parent.name.getText()) && /[A-Za-z]/.test(node.text);

/** The scanner of comments reads the words of an element as code, where "//" begins one. */
function inText(source, position) {
  const find = (node) =>
    position >= node.getFullStart() && position < node.getEnd() ? (ts.forEachChild(node, find) ?? node) : undefined;
  const node = find(source);
  return node !== undefined && (ts.isJsxText(node) || ts.isStringLiteralLike(node));
}

function cppProse(path, text) {
  const found = [];
  const pattern = path.endsWith('.css')
    ? /\/\*[\s\S]*?\*\//g
    : /\.(cpp|hpp|c|h)$/.test(path)
      ? /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"\w*\([\s\S]*?\)\w*"|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g
      : path.endsWith('.py')
        ? /#[^\n]*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g
        : /#[^\n]*|"(?:[^"\\]|\\.)*"/g;
  for (const { 0: words, index } of text.matchAll(pattern)) {
    const isText = words.startsWith('"') || words.startsWith('R"');
    if (isText && !isProse(words)) continue;
    const joined = isText ? words.replace(/"\s*"/g, '').replace(/^"|"$/g, '') : words;
    found.push({ line: text.slice(0, index).split('\n').length, text: joined, kind: isText ? 'visible' : 'comment' });
  }
  return found;
}

/** Texts and comments of a file of web/content; a link is no text. */
function contentProse(text) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const found = [...text.matchAll(/^#.*$/gm)].map(({ 0: words, index }) => ({
    at: index,
    text: words,
    kind: 'comment',
  }));
  visit(document, {
    Scalar(_key, { value, range }) {
      if (typeof value === 'string' && isProse(value)) found.push({ at: range[0], text: value, kind: 'visible' });
    },
  });
  return found.map(({ at, ...each }) => ({ line: lines.linePos(at).line, ...each }));
}

/** Prose of a document without code blocks and code in backticks. */
function documentProse(text) {
  const bare = text
    .replace(/^```[\s\S]*?^```/gm, (all) => all.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, (all) => ' '.repeat(all.length));
  return bare
    .split('\n')
    .flatMap((line, i) => (/[A-Za-z]/.test(line) ? [{ line: i + 1, text: line, kind: 'document' }] : []));
}
