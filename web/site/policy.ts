import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** The only Trusted Types policy: it creates addresses of workers (web/src/loading/script-address.ts). */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types conv2d-worker";

/** The policy of the page. `inline` are its inline scripts, which are allowed by their hashes. */
function pagePolicy(inline: readonly string[]): string {
  const hashes = inline.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${hashes.join('')}`,
    "worker-src 'self'",
    // A comparison shows the other problem in a frame, as an embed of this site (web/src/app/compare).
    "frame-src 'self'",
    "style-src 'self'",
    // An exported figure is an SVG that the page wrote; a canvas reads it from a blob.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    TRUSTED_TYPES,
  ].join('; ');
}

/** A worker does not inherit the page's policy. It gets this one as a header of its file (site/headers.ts). */
export const WORKER_POLICY = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; ${TRUSTED_TYPES}`;

/** Adds the policy at the top of the built page. Not in development, because the policy blocks Vite's scripts. */
export function contentPolicy(): Plugin {
  return {
    name: 'content-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
        const meta = `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(inline)}" />`;
        const withPolicy = html.replace(/<meta charset="utf-8" \/>/, (charset) => `${charset}\n    ${meta}`);
        if (withPolicy === html)
          throw new Error('index.html has no <meta charset="utf-8" /> to insert the policy after');
        return withPolicy;
      },
    },
  };
}
