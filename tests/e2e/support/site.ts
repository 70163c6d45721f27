import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const DIST = join(import.meta.dirname, '../../../web/dist');
/** Not the root: the built site has to work from any sub-path. */
const SUB_PATH = '/some/where/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

export interface Site {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What is sent instead of a file. */
export type Patch = (file: string, body: Buffer) => Buffer;

export interface Serving {
  /** Breaks something on purpose. */
  readonly patch?: Patch | undefined;
  /** With the two headers that give a page shared memory. */
  readonly isolated?: boolean;
}

const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Serves the built site as a plain static file server would: no headers but the type, nothing outside the sub-path. */
export async function serveSite({ patch = (_file, body) => body, isolated = false }: Serving = {}): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.startsWith(SUB_PATH) ? normalize(pathname.slice(SUB_PATH.length)) || 'index.html' : '..';
    const file = name === '.' ? 'index.html' : name;
    const type = TYPES[extname(file)];
    if (file.startsWith('..') || !type) {
      response.writeHead(404).end();
      return;
    }
    readFile(join(DIST, file)).then(
      (body) =>
        response.writeHead(200, { 'content-type': type, ...(isolated ? ISOLATION : {}) }).end(patch(file, body)),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${SUB_PATH}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
