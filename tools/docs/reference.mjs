// The reference as Markdown: C++ and C by Doxygen, Python from its sources, JavaScript by TypeDoc from the types of the package.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../setup/paths.mjs';
import { mustRun } from '../setup/run-process.mjs';

const tools = join(projectRoot, 'tools/docs');
const script = (name) => join(tools, 'reference', name);

/** Writes the pages of the reference; resolves with the public names without documentation. */
export async function writeReference(pages, work) {
  const target = join(pages, 'reference');
  mkdirSync(target, { recursive: true });
  const found = await Promise.all([ofHeaders(target, work), ofPython(target), ofJavaScript(target, work)]);
  return found.flat();
}

async function ofHeaders(target, work) {
  const include = join(projectRoot, 'cpp/include');
  const inputs = ['conv2d', 'conv2d_check', 'conv2d.h'].map((name) => join(include, name));
  const settings = {
    INPUT: inputs.map((path) => `"${path}"`).join(' '),
    OUTPUT_DIRECTORY: `"${work}"`,
    XML_OUTPUT: 'doxygen',
    GENERATE_XML: 'YES',
    GENERATE_HTML: 'NO',
    GENERATE_LATEX: 'NO',
    XML_PROGRAMLISTING: 'NO',
    EXTRACT_ALL: 'YES',
    QUIET: 'YES',
    WARNINGS: 'NO',
    MACRO_EXPANSION: 'YES',
    EXPAND_ONLY_PREDEF: 'YES',
    PREDEFINED: 'CONV2D_API= CONV2D_C_API=',
  };
  const xml = join(work, 'doxygen');
  rmSync(xml, { recursive: true, force: true });
  const file = join(work, 'Doxyfile');
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  );
  await mustRun('doxygen', [file], { what: 'doxygen', cwd: work });
  const { cpp, c } = await python('doxygen.py', xml, include, target);
  return [...cpp, ...c];
}

const ofPython = async (target) => {
  const names = await python('python.py', join(projectRoot, 'cpp/bindings/python/conv2d'), target);
  return names.map((name) => `conv2d.${name} (Python)`);
};

/** The JSON that a script prints. */
async function python(name, ...args) {
  const { stdout } = await mustRun('python3', [script(name), ...args], { what: name });
  return JSON.parse(stdout);
}

async function ofJavaScript(target, work) {
  const folder = join(work, 'javascript');
  mkdirSync(folder, { recursive: true });
  // TypeDoc reads the types as the package has them, with the TypeScript of tools/docs: version 7 has no JavaScript API.
  const entry = join(folder, 'index.d.ts');
  const { declarations } = await import('../pack/make-package.mjs');
  writeFileSync(entry, await declarations(folder));
  const compilerOptions = { lib: ['ESNext', 'DOM'], types: [] };
  writeFileSync(join(folder, 'tsconfig.docs.json'), JSON.stringify({ compilerOptions, files: [entry] }));
  const options = {
    entryPoints: [entry],
    tsconfig: join(folder, 'tsconfig.docs.json'),
    out: folder,
    cleanOutputDir: false,
    plugin: [join(tools, 'node_modules/typedoc-plugin-markdown/dist/index.js')],
    readme: 'none',
    disableSources: true,
    outputFileStrategy: 'modules',
    entryFileName: 'javascript',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hidePageTitle: true,
    hideGroupHeadings: true,
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    parametersFormat: 'table',
    useCodeBlocks: true,
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideDefaults: true },
    groupOrder: ['Functions', 'Interfaces', 'Type Aliases', 'Variables'],
    validation: { notDocumented: true, notExported: false },
    requiredToBeDocumented: ['Function', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Method', 'Accessor'],
    pretty: false,
  };
  writeFileSync(join(folder, 'typedoc.json'), JSON.stringify(options));
  const { output } = await mustRun(
    process.execPath,
    [join(tools, 'node_modules/typedoc/bin/typedoc'), '--options', join(folder, 'typedoc.json')],
    { what: 'typedoc', cwd: folder },
  );
  const made = join(folder, 'javascript.md');
  const head =
    '# JavaScript reference\n\nThe package `conv2d`, with its types. Guide: [conv2d for JavaScript](/guides/javascript.md).\n\n';
  writeFileSync(made, head + withNames(readFileSync(made, 'utf8')));
  renameSync(made, join(target, 'javascript.md'));
  return [...output.matchAll(/(\S+) \((\w+)\), defined in .* does not have any documentation/g)].map(
    ([, name, kind]) => `${name} (${kind} of JavaScript)`,
  );
}

/**
 * The text of TypeDoc with a heading for each name and no others: `Layer`, `Layer.forward`. Its own headings (Properties, Returns) are
 * the same below each name, and its links count headings of the same words.
 */
function withNames(text) {
  const names = new Set([...text.matchAll(/^## (\w+)/gm)].map(([, name]) => name));
  const used = new Set();
  let owner = '';
  return text
    .replace(/^\*\*\*\n/gm, '')
    .replace(/<a id="[^"]*"><\/a> /g, '')
    .replace(/\[`(\w+)`\]\(#[^)]*\)/g, (_, name) => (names.has(name) ? `[\`${name}\`](#${name})` : `\`${name}\``))
    .replace(/^(#{2,6}) (.*)$/gm, (_, level, words) => {
      const name = words.replace(/\\|\(\)$/g, '');
      if (level.length === 2) owner = name;
      else if (!words.endsWith('()')) return `**${words}**`;
      const full = level.length === 2 ? name : `${owner}.${name}`.replace('.[', '[Symbol.');
      // An interface and a value can share a name.
      const id = used.has(full) ? `${full}-value` : full;
      used.add(id);
      return `${level.length === 2 ? '##' : '###'} ${full.replace(/([[\]])/g, '\\$1')} {#${id.replace(/[[\]]/g, '-')}}`;
    });
}
