import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

/**
 * Writes embed.html: the same page, but always an embed, with any address. It is a separate file because headers depend
 * on the path: any site may frame embed.html, and only this site may frame index.html (headers.ts).
 */
export function embedPage(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'embed-page',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      sequential: true,
      async handler() {
        const folder = join(config.root, config.build.outDir);
        const page = await readFile(join(folder, 'index.html'), 'utf8');
        const marked = page.replace('<html', '<html data-embed="always"');
        if (marked === page) throw new Error('index.html has no <html to mark');
        await writeFile(join(folder, 'embed.html'), marked);
      },
    },
  };
}
