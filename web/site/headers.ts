import type { Plugin } from 'vite';
import { WORKER_POLICY } from './policy.ts';

type Headers = Readonly<Record<string, string>>;

/** Shared memory (threads in WebAssembly) is only there for pages that are isolated by these two headers. */
export const ISOLATION: Headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const FRESH: Headers = { 'Cache-Control': 'no-cache' };

/** All that a page cannot say itself; the rest of its policy it brings along. */
const ONLY_HERE: Headers = { 'Content-Security-Policy': "frame-ancestors 'self'" };

/**
 * What may be in any page's frame, one that is isolated too. It says nothing of frame-ancestors, for "*" would leave out slides
 * that are opened as a file.
 */
const ANYWHERE: Headers = { ...FRESH, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** What those who host the site should send, by path; README has it for some servers. A file gets all that fit its path. */
const HEADERS: Readonly<Record<string, Headers>> = {
  '/*': {
    ...ISOLATION,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  },
  '/': { ...FRESH, ...ONLY_HERE },
  '/index.html': { ...FRESH, ...ONLY_HERE },
  '/embed.html': ANYWHERE,
  // Some servers leave the ending out.
  '/embed': ANYWHERE,
  '/sw.js': FRESH,
  // Their names change with their contents. Workers are among them: a worker's policy comes with its own file.
  '/assets/*': {
    'Content-Security-Policy': WORKER_POLICY,
    'Cache-Control': 'public, max-age=31536000, immutable',
  },
};

const fits = (rule: string, path: string): boolean =>
  rule.endsWith('*') ? path.startsWith(rule.slice(0, -1)) : path === rule;

/** The headers of the file at a path of the site ("/" is the page). Where two rules have the same one, both hold. */
export function headersOf(path: string): Headers {
  const headers: Record<string, string> = {};
  for (const [rule, more] of Object.entries(HEADERS)) {
    if (!fits(rule, path)) continue;
    for (const [name, value] of Object.entries(more))
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** Sends the headers with `npm run preview`, and writes them into the site as Netlify and Cloudflare Pages read them. */
export function siteHeaders(): Plugin {
  return {
    name: 'site-headers',
    apply: (_config, { command, isPreview }) => command === 'build' || isPreview === true,
    configurePreviewServer(server) {
      server.middlewares.use(({ url = '/' }, response, next) => {
        const { pathname } = new URL(url, 'http://localhost');
        for (const [name, value] of Object.entries(headersOf(pathname))) response.setHeader(name, value);
        next();
      });
    },
    generateBundle() {
      const rules = Object.entries(HEADERS).map(([rule, headers]) => {
        const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
        return `${rule}\n${lines.join('')}`;
      });
      this.emitFile({ type: 'asset', fileName: '_headers', source: rules.join('\n') });
    },
  };
}
