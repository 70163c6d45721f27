import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { relaxedSimdFlags } from '../tools/setup/node-flags.mjs';

// Five projects: `web` (unit, contract with the real module), `dom` (what draws into a document, *.dom.test.tsx), `package` (as others use the library), `e2e` (a real browser, as many files at a time as there are processors) and `engines` (one walk in three engines).
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // The contract tests load the relaxed variant too, which older Node versions run only on request.
    execArgv: relaxedSimdFlags(),
    projects: [
      // Suites run side by side: what takes a second of a quiet processor may take many of a busy one.
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: ['web/**/*.dom.test.tsx'],
          testTimeout: 30_000,
          // Nothing here leaves traces in a module or a global; loading all for every file took half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'dom', include: ['web/**/*.dom.test.tsx'], environment: 'happy-dom', testTimeout: 30_000 },
      },
      {
        extends: true,
        test: { name: 'package', include: ['package/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          maxWorkers: availableParallelism(),
          // What drives the browser is loaded once for all files, which share nothing else.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // A busy machine is no reason to fail.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['engines/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Drivers of three makers stand between: what failed once is tried once more, and the walk says so.
          retry: 1,
        },
      },
    ],
  },
});
