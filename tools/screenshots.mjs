// npm run screenshots: makes the README's pictures from the built site.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { buildModules, buildSite } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const PICTURES = [
  {
    file: 'playground-light.png',
    options: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
    // A cell of y pinned: its window in x, its taps in w and its sum.
    prepare: (page) =>
      page.getByRole('grid', { name: 'y', exact: true }).getByRole('row').nth(1).getByRole('gridcell').nth(1).click(),
  },
  {
    file: 'image-dark.png',
    options: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Landscape' }).click();
      await page.getByRole('combobox', { name: 'filter', exact: true }).selectOption({ label: 'Sobel, left to right' });
    },
  },
];

await runMain(async () => {
  await buildModules(await setUp({ wasm: true, browser: true }));
  await buildSite();
  const folder = join(projectRoot, 'docs');
  mkdirSync(folder, { recursive: true });
  const { preview } = await import('vite');
  const { chromium } = await import('playwright-core');
  const server = await preview({
    configFile: join(projectRoot, 'web/vite.config.ts'),
    preview: { port: 0, host: '127.0.0.1' },
  });
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  for (const { file, options, prepare } of PICTURES) {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    await page.goto(server.resolvedUrls.local[0]);
    await page.getByRole('grid', { name: 'dx', exact: true }).waitFor();
    await prepare(page);
    // Everything asked for is computed and painted when the page has nothing left to do.
    await page.getByRole('progressbar').waitFor({ state: 'hidden' });
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await page.screenshot({ path: join(folder, file) });
    say(`docs/${file}`);
    await page.close();
  }
  await browser.close();
  await server.close();
  return 0;
});
