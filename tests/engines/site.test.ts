import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ASSETS = join(import.meta.dirname, '../../web/dist/assets');

// WebKit runs the file that a worker was started from a second time when a part that was fetched later imports it.
it('has no file that imports the worker’s own', () => {
  const scripts = readdirSync(ASSETS).filter((name) => /\.m?js$/.test(name));
  expect(scripts.filter((name) => name.startsWith('worker-'))).toHaveLength(1);
  const importing = scripts.filter((name) =>
    /(?:from|import)\s*\(?\s*["'`]\.\/worker-/.test(readFileSync(join(ASSETS, name), 'utf8')),
  );
  expect(importing).toEqual([]);
});
