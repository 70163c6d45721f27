// npm run size: what a browser downloads to show the page first, compressed, against the limit.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';

const limit = 150_000;
const counted = new Set(['.html', '.css', '.js', '.mjs', '.wasm']);

await runMain(() => {
  const dist = join(projectRoot, 'web/dist');
  if (!existsSync(dist)) throw new SetupError('web/dist is not there yet', 'npm run build');
  const files = readdirSync(dist, { recursive: true })
    .filter((name) => counted.has(extname(name)))
    .map((name) => ({ name, bytes: gzipSync(readFileSync(join(dist, name)), { level: 9 }).length }));
  // A browser loads one of the two variants, the module and its loader: the larger one counts.
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  const isVariant =
    (variant) =>
    ({ name }) =>
      name.includes(variant);
  const variants = ['conv2d-simd', 'conv2d-relaxed'].map((variant) => files.filter(isVariant(variant)));
  const other = files.filter((file) => !variants.flat().includes(file));
  const total = sum(other) + Math.max(...variants.map(sum));
  for (const { name, bytes } of files) say(`${String(bytes).padStart(8)}  ${name}`);
  say(`initial download: ${(total / 1000).toFixed(1)} kB compressed, limit ${limit / 1000} kB`);
  return total <= limit ? 0 : 1;
});
