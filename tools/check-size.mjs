// npm run size: the compressed sizes of the first download and of the second chunk, compared with their limits.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';

const limit = 170_000;
// With the files that it imports; loaded once the first numbers are painted.
const secondLimit = 60_000;
const counted = new Set(['.html', '.css', '.js', '.mjs', '.wasm']);
// The page starts the worker at once; the worker loads one of the two variants, the module and its loader.
const startedAtOnce = /^worker-/;
const variants = ['conv2d-simd', 'conv2d-relaxed'];
// Addresses in index.html; imports and re-exports in scripts. import() is not included: those files load on demand.
const references = { '.html': /\b(?:src|href)="([^"]+)"/g, '.js': /\b(?:from|import)\s*["']([^"']+)["']/g };

/** Names of the files that `name` loads immediately, including itself. */
function loadedWith(name, files, seen = new Set()) {
  const file = files.get(name);
  if (!file || seen.has(name)) return seen;
  seen.add(name);
  const pattern = references[extname(name)];
  const found = pattern ? readFileSync(file.path, 'utf8').matchAll(pattern) : [];
  for (const [, address] of found) loadedWith(basename(address), files, seen);
  return seen;
}

await runMain(() => {
  const dist = join(projectRoot, 'web/dist');
  if (!existsSync(dist)) throw new SetupError('web/dist does not exist', 'npm run build');
  const files = new Map(
    readdirSync(dist, { recursive: true })
      .filter((name) => counted.has(extname(name)))
      .map((name) => ({ name, path: join(dist, name) }))
      .map((file) => [basename(file.name), { ...file, bytes: gzipSync(readFileSync(file.path), { level: 9 }).length }]),
  );
  const first = loadedWith('index.html', files);
  for (const name of files.keys()) if (startedAtOnce.test(name)) loadedWith(name, files, first);
  const second = new Set();
  for (const name of files.keys()) if (name.startsWith('second-')) loadedWith(name, files, second);
  const sum = (names) => names.reduce((total, name) => total + files.get(name).bytes, 0);
  const ofVariants = variants.map((variant) => [...files.keys()].filter((name) => name.startsWith(variant)));
  const isVariant = (name) => ofVariants.flat().includes(name);
  const total = sum([...first].filter((name) => !isVariant(name))) + Math.max(...ofVariants.map(sum));
  for (const [key, { name, bytes }] of files) {
    const when = isVariant(key)
      ? 'one variant of two'
      : first.has(key)
        ? 'first'
        : second.has(key)
          ? 'second'
          : 'later';
    say(`${String(bytes).padStart(8)}  ${name}  (${when})`);
  }
  say(`initial download: ${(total / 1000).toFixed(1)} kB compressed, limit ${limit / 1000} kB`);
  const after = sum([...second].filter((name) => !first.has(name)));
  say(`second chunk: ${(after / 1000).toFixed(1)} kB compressed, limit ${secondLimit / 1000} kB`);
  return total <= limit && after <= secondLimit ? 0 : 1;
});
