import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** The only Trusted Types policy: it creates addresses of workers (web/src/loading/script-address.ts). */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types conv2d-worker";

const hashes = (inline: readonly string[]): string =>
  inline.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('');

/** The policy of the page. `inline` are its inline scripts, which are allowed by their hashes. */
const pagePolicy = (inline: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${hashes(inline)}`,
    "worker-src 'self'",
    "style-src 'self'",
    // An exported figure is an SVG that the page wrote; a canvas reads it from a blob.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    TRUSTED_TYPES,
  ].join('; ');

/**
 * That of the page in one file, with its scripts and style sheets: it may request nothing, only use what it has unpacked. Its workers
 * inherit it.
 */
export const singlePolicy = (scripts: readonly string[], sheets: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'wasm-unsafe-eval'${hashes(scripts)}`,
    'worker-src blob:',
    `style-src${hashes(sheets)}`,
    // The icon is a data address.
    'img-src blob: data:',
    // Modules are data addresses (web/src/boot/single.ts).
    'connect-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    // Of web/src/boot/single.ts, which starts the page's script.
    `${TRUSTED_TYPES} conv2d-page`,
  ].join('; ');

/** A worker does not inherit the page's policy. It gets this one as a header of its file (site/headers.ts). */
export const WORKER_POLICY = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; ${TRUSTED_TYPES}`;

export const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);

/** The page with a policy at its top. */
export function withPolicy(html: string, policy: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const protectedHtml = html.replace(/<meta charset="utf-8" \/>/, (charset) => `${charset}\n    ${meta}`);
  if (protectedHtml === html) throw new Error('index.html has no <meta charset="utf-8" /> to insert the policy after');
  return protectedHtml;
}

/** Adds the policy to the built page. Not in development, because the policy blocks Vite's scripts. */
export function contentPolicy(): Plugin {
  return {
    name: 'content-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => withPolicy(html, pagePolicy(inlineScripts(html))),
    },
  };
}
