import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** The one policy by which a text becomes the address of a worker: web/src/trust/script-address.ts. */
const TRUSTED = "require-trusted-types-for 'script'; trusted-types conv2d-worker";

/** What the page may do; `inline` are its inline scripts. The rest comes from files of the site. */
function pagePolicy(inline: readonly string[]): string {
  const hashes = inline.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${hashes.join('')}`,
    "worker-src 'self'",
    // The other problem of a comparison stands in a frame, as an embed of this site (web/src/app/compare).
    "frame-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    TRUSTED,
  ].join('; ');
}

/** The page's own policy is no worker's: that one comes with the worker's file, as a header (site/headers.ts). */
export const WORKER_POLICY = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; ${TRUSTED}`;

/** Puts the policy into the built page, before anything that it is about. In development Vite's own scripts would break it. */
export function contentPolicy(): Plugin {
  return {
    name: 'content-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
        const meta = `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(inline)}" />`;
        const placed = html.replace(/<meta charset="utf-8" \/>/, (charset) => `${charset}\n    ${meta}`);
        if (placed === html) throw new Error('index.html has no <meta charset="utf-8" /> to put the policy behind');
        return placed;
      },
    },
  };
}
