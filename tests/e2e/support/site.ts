import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { headersOf, ISOLATION } from '../../../web/site/headers.ts';
import { IS_INSTANT } from './conditions';
import { type Gate, withGate } from './gate';

/** The built site. */
export const DIST = join(import.meta.dirname, '../../../web/dist');
/** Not the root: the built site must work on any sub-path. */
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
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

export interface Site {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A response that differs from the file. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: Buffer;
  /** Delays the response until this resolves. */
  readonly after?: Promise<unknown>;
}

/** Sent instead of the file. */
export type Patch = (file: string, body: Buffer) => Buffer | Answer;

/** Called for every request; a test may replace it. */
export interface Serving {
  /** Introduces a fault. */
  patch?: Patch | undefined;
  /** The addresses of files that are being answered. */
  readonly answering?: Set<string>;
  /** Holds computations (gate.ts). */
  gate?: Gate;
  /** With the two headers that enable shared memory. */
  readonly isolated?: boolean;
  /** With all headers that docs/hosting.md recommends. */
  readonly recommended?: boolean;
  /** The folder that is served; the built site by default. */
  root?: string;
  /** A port, to replace another site at the same address. */
  readonly port?: number;
}

/** Serves the built site like a plain static file server: no headers except the type, nothing outside the sub-path. */
export async function serveSite(serving: Serving = {}): Promise<Site> {
  const { isolated = false, recommended = false } = serving;
  const headersFor = (file: string) => (recommended ? headersOf(`/${file}`) : isolated ? ISOLATION : {});
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === `${SUB_PATH}gate`) {
      const passed = serving.gate?.pass(searchParams.get('phase') ?? '');
      void Promise.resolve(passed).then(() => response.writeHead(204).end());
      return;
    }
    if (pathname === `${SUB_PATH}empty`) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end();
      return;
    }
    const name = pathname.startsWith(SUB_PATH) ? normalize(pathname.slice(SUB_PATH.length)) || 'index.html' : '..';
    const file = name === '.' ? 'index.html' : name;
    const type = TYPES[extname(file)];
    if (file.startsWith('..') || !type) {
      response.writeHead(404).end();
      return;
    }
    const { answering } = serving;
    if (answering) {
      const address = `http://${request.headers.host}${request.url}`;
      answering.add(address);
      response.on('close', () => answering.delete(address));
    }
    readFile(join(serving.root ?? DIST, file)).then(
      async (found) => {
        const patched = serving.patch?.(file, found) ?? found;
        const answer: Answer = Buffer.isBuffer(patched) ? { body: patched } : patched;
        await answer.after;
        const headers = { 'content-type': answer.type ?? type, ...headersFor(file) };
        // Not for the service worker, which compares the file with its digest.
        const starts = request.headers['sec-fetch-dest'] === 'worker';
        const body = starts && !answer.status ? withGate(file, answer.body, serving.gate, IS_INSTANT) : answer.body;
        response.writeHead(answer.status ?? 200, headers).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(serving.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${SUB_PATH}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
