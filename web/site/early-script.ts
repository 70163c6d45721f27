import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin, transformWithOxc } from 'vite';

const SOURCE = join(import.meta.dirname, '../src/early/early.ts');

const PLACE = '<!-- early script -->';

/** Puts web/src/early/early.ts into the page: what it does must not wait for a file, least of all for one that is missing. */
export function earlyScript(): Plugin {
  return {
    name: 'early-script',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE, { sourcemap: false });
        // In a scope of its own: a function that is declared in a mere block becomes a name of the whole page.
        const small = await minify('early.js', `(() => {${code}})();`);
        const placed = html.replace(PLACE, () => `<script>${small.code}</script>`);
        if (placed === html) throw new Error(`index.html has no ${PLACE}`);
        return placed;
      },
    },
  };
}
