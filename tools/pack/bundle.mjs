// Bundles an entry of web/package for Node, workers and pages.

import { basename, join } from 'node:path';
import { build } from 'vite';
import { projectRoot } from '../setup/paths.mjs';

/** The folder of the built modules. */
export const Generated = join(projectRoot, 'web/src/wasm/generated');

/**
 * Bundles `entry` as NAME.js in `folder` and returns the paths of its sources. The loaders of the modules stay separate files,
 * because they look for their .wasm next to themselves: `loaders` is their folder, relative to `folder`.
 */
export async function bundle({ entry, name, folder, loaders = '.', banner = '' }) {
  const beside = {
    name: 'loaders-beside',
    enforce: 'pre',
    resolveId: (id) =>
      /\/generated\/.*\.mjs$/.test(id) ? { id: `${loaders}/${basename(id)}`, external: 'relative' } : null,
    renderChunk: (code) => code.replace(/(new URL\(["'])[^"']*\/generated\//g, `$1${loaders}/`),
  };
  const { output } = await build({
    configFile: false,
    root: join(projectRoot, 'web'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [beside],
    // As for a server: a bundle for pages would inline the files that it loads by address.
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      rolldownOptions: {
        input: { [name]: join(projectRoot, entry) },
        external: [/^node:/],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', banner },
      },
    },
  });
  return output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => id.startsWith(projectRoot));
}
