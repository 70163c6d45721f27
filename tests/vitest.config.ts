import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findHeadless } from '../tools/setup/browser.mjs';
import { findEngines } from '../tools/setup/engines.mjs';
import { relaxedSimdFlags } from '../tools/setup/node-flags.mjs';
import { content } from '../web/site/content.ts';

// Seven projects: `web` (unit tests, and contract tests with the real module), `dom` (tests that render into a document,
// *.dom.test.tsx), `page` (the whole page in a document without layout), `package` (the published packages), `e2e` (a real
// browser, as many files at a time as processors), `engines` (one walk in three engines) and `docs` (the site of the documentation).
export default defineConfig({
  root: import.meta.dirname,
  plugins: [content()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // The contract tests also load the relaxed variant, which older Node versions run only with a flag.
    execArgv: relaxedSimdFlags(),
    env: { CHROME_PATH: findHeadless() ?? '' },
    setupFiles: 'patience.ts',
    expect: { poll: { timeout: 180_000 } },
    projects: [
      // Limits end a test that hangs. They are long, because a machine may be slow or busy.
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: ['web/**/*.dom.test.tsx', 'web/page/**'],
          testTimeout: 300_000,
          // These tests change no module state or globals; loading everything per file took half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'dom', include: ['web/**/*.dom.test.tsx'], environment: 'happy-dom', testTimeout: 300_000 },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['web/page/**/*.test.ts'],
          environment: './web/support/page/environment.ts',
          testTimeout: 300_000,
          // The whole page and the module load once for all files of a test worker.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['package/**/*.test.ts'],
          globalSetup: 'built.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['built.ts', 'e2e/support/busy-loops.ts'],
          maxWorkers: availableParallelism(),
          // The browser driver loads once for all files, which share nothing else.
          isolate: false,
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'docs',
          include: ['docs/**/*.test.ts'],
          globalSetup: 'built.ts',
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['engines/**/*.test.ts'],
          env: findEngines(),
          globalSetup: 'built.ts',
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
