// Builds a page of web/bench and serves it on the loopback interface, cross-origin isolated: this gives a precise
// clock, and shared memory for threads.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { buildRoot, projectRoot } from '../setup/paths.mjs';

export const benchFolder = join(projectRoot, 'web/bench');
const siteFolder = join(buildRoot, 'bench-page');

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** `page` is 'ours' or 'peers', the name of an .html file in web/bench. */
export async function buildPage(page) {
  const { build } = await import('vite');
  await build({
    root: benchFolder,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: join(siteFolder, page),
      emptyOutDir: true,
      target: 'es2022',
      // TensorFlow.js sends its workers the source text of a function, so its free variables must keep their names.
      minify: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input: join(benchFolder, `${page}.html`) },
    },
    worker: { format: 'es' },
  });
}

/** Serves the built page; /peers is the package folder of the peers. Resolves with { address, close }. */
export async function servePage(page) {
  const roots = { peers: join(benchFolder, 'node_modules'), '': join(siteFolder, page) };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname));
    const [root, rest] = path.startsWith('/peers/') ? [roots.peers, path.slice('/peers'.length)] : [roots[''], path];
    const file = join(root, rest);
    if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/${page}.html`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
