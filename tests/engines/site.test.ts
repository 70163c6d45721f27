import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ASSETS = join(import.meta.dirname, '../../web/dist/assets');

// WebKit runs the file of a worker a second time if a part loaded later imports it.
it('has no file that imports the file of the worker', () => {
  const scripts = readdirSync(ASSETS).filter((name) => /\.m?js$/.test(name));
  expect(scripts.filter((name) => name.startsWith('worker-'))).toHaveLength(1);
  const importing = scripts.filter((name) =>
    /(?:from|import)\s*\(?\s*["'`]\.\/worker-/.test(readFileSync(join(ASSETS, name), 'utf8')),
  );
  expect(importing).toEqual([]);
});
