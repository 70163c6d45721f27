// Before the tests of a project that need a build: without it, each would wait for its timeout.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

export default function requireBuild({ name }: TestProject): void {
  const file = name === 'package' ? 'web/src/wasm/generated/conv2d-threads.mjs' : 'web/dist/index.html';
  if (!existsSync(join(ROOT, file)))
    throw new Error(`${file} is missing. Run npm run build, or npm test -- --only ${name}`);
}
