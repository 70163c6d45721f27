import { minify } from 'terser';
import type { Plugin, Rolldown } from 'vite';

/** `unsafe_arrows`: functions without `this` are arrows, of which nothing here makes objects with `new`. */
const OPTIONS = { module: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true } } as const;

/** Minifies the scripts a second time: what Oxc leaves is 1 kB of the first download, and second names of exports are another. */
export function shorterScripts(): Plugin {
  return {
    name: 'shorter-scripts',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const chunk of chunks) {
          const { code } = await minify(chunk.code, OPTIONS);
          if (!code) throw new Error(`${chunk.fileName} is empty when minified`);
          chunk.code = code;
        }
        const page = chunks.find(({ name }) => name === 'page');
        if (page) exportByOneName(page, chunks);
      },
    },
  };
}

const EXPORTS = /export\{([^}]*)\};?\s*$/;
const listOf = (names: string): string[][] => names.split(',').map((pair) => pair.split(' as '));

/** Replaces `export{a as b}` by `export{a}`, and the name in the chunks that import it. */
function exportByOneName(chunk: Rolldown.OutputChunk, all: readonly Rolldown.OutputChunk[]): void {
  const exported = EXPORTS.exec(chunk.code)?.[1];
  if (!exported) return;
  const locals = new Map(listOf(exported).map(([local = '', name = local]) => [name, local]));
  chunk.code = chunk.code.replace(EXPORTS, `export{${[...locals.values()].join(',')}};`);
  for (const other of all) {
    if (other.dynamicImports.includes(chunk.fileName))
      throw new Error(`${other.fileName} loads ${chunk.fileName} by import(), which knows the former names`);
    if (!other.imports.includes(chunk.fileName)) continue;
    const file = chunk.fileName.split('/').at(-1) ?? '';
    const clause = new RegExp(`import\\{([^}]*)\\}from"\\./${file.replaceAll('.', '\\.')}"`);
    const [found, names] = clause.exec(other.code) ?? [];
    if (!found || !names) throw new Error(`${other.fileName} imports ${file} in a way that is not known`);
    const renamed = listOf(names).map(([name = '', local = name]) => `${locals.get(name)} as ${local}`);
    other.code = other.code.replace(found, () => found.replace(names, () => renamed.join(',')));
  }
}
