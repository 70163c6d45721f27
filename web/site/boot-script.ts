import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin, transformWithOxc } from 'vite';

const SOURCE = join(import.meta.dirname, '../src/boot/boot.ts');

const PLACEHOLDER = '<!-- boot script -->';

/** Puts web/src/boot/boot.ts into the page: it must run before other files load, and if they fail to load. */
export function bootScript(): Plugin {
  return {
    name: 'boot-script',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE, { sourcemap: false });
        // In a function: a function that is declared in a block would become a global name.
        const minified = await minify('boot.js', `(() => {${code}})();`);
        const inlined = html.replace(PLACEHOLDER, () => `<script>${minified.code}</script>`);
        if (inlined === html) throw new Error(`index.html has no ${PLACEHOLDER}`);
        return inlined;
      },
    },
  };
}
