// Before the tests of a project that need a build: without it, each would wait for its timeout.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

const SINGLE = 'build/single/conv2d.html';
const BUILT: Readonly<Record<string, readonly string[]>> = {
  package: ['web/src/wasm/generated/conv2d-threads.mjs', SINGLE],
  docs: ['build/docs/site/index.html'],
  engines: ['web/dist/index.html', SINGLE],
};

export default function requireBuild({ name }: TestProject): void {
  for (const file of BUILT[name] ?? ['web/dist/index.html'])
    if (!existsSync(join(ROOT, file)))
      throw new Error(`${file} is missing. Run npm run build, or npm test -- --only ${name}`);
}
