// Combines the declaration files of the compiler into one: the exports of the entry and the names that they use.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
// TypeScript 7 has no JavaScript API.
import ts from 'typescript5';

/** The declarations, imports (with their files), exports and `reference lib` lines of a file. */
function read(path) {
  const text = readFileSync(path, 'utf8');
  const declared = new Map();
  const imported = new Map();
  const exported = new Set();
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true).statements) {
    if (statement.moduleSpecifier) {
      const from = `${join(dirname(path), statement.moduleSpecifier.text)}.d.ts`;
      const { elements } = statement.exportClause ?? statement.importClause.namedBindings;
      for (const { name, propertyName = name } of elements) {
        imported.set(name.text, { from, name: propertyName.text });
        if (statement.exportClause) exported.add(name.text);
      }
    } else {
      const { name } = statement.declarationList?.declarations[0] ?? statement;
      declared.set(name.text, [...(declared.get(name.text) ?? []), statement]);
      if (/^export /.test(statement.getText())) exported.add(name.text);
    }
  }
  return { declared, imported, exported, libraries: text.match(/^\/\/\/ <reference lib=.*\n/gm) ?? [] };
}

/** The text of the combined file. Fails if two files declare the same name, or an import renames one. */
export function oneDeclarationFile(entry) {
  const files = new Map();
  const kept = new Map();

  const open = (path) => {
    if (!files.has(path)) files.set(path, read(path));
    return files.get(path);
  };
  const keep = (path, name) => {
    const { declared, imported } = open(path);
    const origin = imported.get(name);
    if (origin) {
      if (origin.name !== name) throw new Error(`${path} imports ${origin.name} as ${name}`);
      return keep(origin.from, name);
    }
    // Otherwise it is a name of the language, of a member or of a parameter.
    if (!declared.has(name) || kept.get(name)?.path === path) return;
    if (kept.has(name)) throw new Error(`${name} is declared in ${path} and in ${kept.get(name).path}`);
    kept.set(name, { path, statements: declared.get(name) });
    const visit = (node) => {
      if (ts.isIdentifier(node)) keep(path, node.text);
      ts.forEachChild(node, visit);
    };
    declared.get(name).forEach(visit);
  };

  const { exported } = open(entry);
  for (const name of exported) keep(entry, name);
  const libraries = new Set([...kept.values()].flatMap(({ path }) => open(path).libraries));
  const texts = [...kept].flatMap(([name, { statements }]) =>
    statements.map((statement) => {
      // An earlier comment belongs to the whole file.
      const comment = statement.jsDoc ? `${statement.jsDoc.at(-1).getText()}\n` : '';
      const text = statement.getText();
      return comment + (exported.has(name) ? text : text.replace(/^export /, ''));
    }),
  );
  // Without this, a declaration file exports everything that it declares.
  return `${[...libraries].join('')}${texts.join('\n')}\nexport {};\n`;
}
