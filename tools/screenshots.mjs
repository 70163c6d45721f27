// npm run screenshots: makes the images of the README from the built site.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { buildModules, buildSite } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const PICTURES = [
  {
    file: 'playground.png',
    options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    link: '',
    // A cell of y pinned: its window in x, its taps in w and its sum.
    prepare: (page) =>
      page.getByRole('grid', { name: 'y', exact: true }).getByRole('row').nth(1).getByRole('gridcell').nth(1).click(),
  },
  {
    file: 'im2col.png',
    options: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
    link: '#h=4&w=4&c=2&kh=2&kw=2&mode=lowering',
  },
  {
    file: 'lesson.png',
    options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    link: '#h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&cell=dx.5&side=lesson&lesson=gather.1',
  },
  {
    file: 'phone.png',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    link: '',
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
  for (const { file, options, link, prepare } of PICTURES) {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    await page.goto(`${server.resolvedUrls.local[0]}${link}`);
    await page.getByRole('grid').first().waitFor();
    await prepare?.(page);
    // Wait for parts that load on demand.
    await page.waitForLoadState('networkidle');
    // The page is idle when everything is computed and painted.
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
