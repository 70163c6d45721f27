import type { Plugin } from 'vite';
import { WORKER_POLICY } from './policy.ts';

type Headers = Readonly<Record<string, string>>;

/** Isolates the page, which shared memory (threads in WebAssembly) requires. */
export const ISOLATION: Headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const REVALIDATE: Headers = { 'Cache-Control': 'no-cache' };

/** frame-ancestors has no effect in a meta element. The rest of the policy is in the page (policy.ts). */
const SAME_ORIGIN_FRAMES: Headers = { 'Content-Security-Policy': "frame-ancestors 'self'" };

/**
 * Allows any page to frame the file, also an isolated one. Without frame-ancestors, because "*" excludes file: pages.
 */
const ANY_ORIGIN_FRAMES: Headers = { ...REVALIDATE, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Recommended headers by path (docs/hosting.md). A file gets the headers of all rules that match its path. */
const HEADERS: Readonly<Record<string, Headers>> = {
  '/*': {
    ...ISOLATION,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  },
  '/': { ...REVALIDATE, ...SAME_ORIGIN_FRAMES },
  '/index.html': { ...REVALIDATE, ...SAME_ORIGIN_FRAMES },
  '/index': { ...REVALIDATE, ...SAME_ORIGIN_FRAMES },
  '/embed.html': ANY_ORIGIN_FRAMES,
  // Some servers omit the extension.
  '/embed': ANY_ORIGIN_FRAMES,
  '/sw.js': REVALIDATE,
  // File names change with the contents. A worker's policy is a header of its own file.
  '/assets/*': {
    'Content-Security-Policy': WORKER_POLICY,
    'Cache-Control': 'public, max-age=31536000, immutable',
  },
};

const matches = (rule: string, path: string): boolean =>
  rule.endsWith('*') ? path.startsWith(rule.slice(0, -1)) : path === rule;

/** Addresses of embed.html. Servers that ignore case also find it in capitals, but then no other site may frame it. */
const EMBEDS: readonly string[] = ['/embed.html', '/embed'];

/**
 * The headers of the file at a path of the site ("/" is the page). Values of the same header are joined. A server may answer any
 * path with the page, so that only embeds can be framed. _headers cannot say this: more rules only add to a header. 404.html keeps
 * its readers from answering other paths with the page.
 */
export function headersOf(path: string): Headers {
  const headers: Record<string, string> = {};
  for (const [rule, more] of Object.entries(HEADERS)) {
    if (!matches(rule, path)) continue;
    for (const [name, value] of Object.entries(more))
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return 'Content-Security-Policy' in headers || EMBEDS.includes(path)
    ? headers
    : { ...headers, ...SAME_ORIGIN_FRAMES };
}

/** Sends the headers in `npm run preview`, and writes them to _headers, which Netlify and Cloudflare Pages read. */
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
