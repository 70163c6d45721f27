// The folder of a release, as its readers use it: hashes, contents of the source archive, the unpacked site. The other tests of packages
// use its library, packages and page.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { QUIET } from '../e2e/support/browser';
import { serveSite } from '../e2e/support/site';
import { RELEASE, released } from '../released';
import { run, runIn, textOf, WORK_FOLDER } from './build';
import { VERSION } from './project';

/** The files of the table in docs/release.md, as patterns. */
const LISTED = [...textOf('docs/release.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, name = '']) =>
    new RegExp(
      `^${name.replaceAll('.', '\\.').replace('VERSION', VERSION.replaceAll('.', '\\.')).replace('PLATFORM', '\\w+')}$`,
    ),
);

it('has the same files in the list and in its steps', () => {
  const steps = textOf('tools/release/steps.mjs');
  expect(LISTED).toHaveLength(9);
  for (const ending of ['-source.tar.gz', '-site.zip', '.html', 'CHANGELOG.md', 'SHA256SUMS'])
    expect(LISTED.some(({ source }) => source.includes(ending.replaceAll('.', '\\.'))) && steps.includes(ending)).toBe(
      true,
    );
});

if (!RELEASE) console.info('skipped: the tests of a release, which npm run release makes');

describe.runIf(RELEASE)('the release', () => {
  const folder = RELEASE ?? '';

  it('has the files of docs/release.md and no others', () => {
    const names = readdirSync(folder);
    expect(names.filter((name) => !LISTED.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(LISTED.filter((pattern) => names.filter((name) => pattern.test(name)).length !== 1)).toEqual([]);
  });

  it('has the hash of each other file', async () => {
    const checked = await runIn(folder, 'sha256sum', '--check', '--strict', 'SHA256SUMS');
    const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
    expect(checked.trim().split('\n').sort()).toEqual(names.map((name) => `${name}: OK`).sort());
  });

  it('has the committed files and the headers of xsimd in the source archive', async () => {
    const top = `conv2d-${VERSION}/`;
    const listed = (await run('tar', '-tzf', released('-source.tar.gz') ?? '')).trim().split('\n');
    const files = listed.filter((name) => !name.endsWith('/')).map((name) => name.slice(top.length));
    expect(listed.filter((name) => !name.startsWith(top))).toEqual([]);
    const committed = (await run('git', 'ls-tree', '-r', '--name-only', 'HEAD')).trim().split('\n');
    const headers = files.filter((name) => /^deps\/include\/xsimd\/.*\.hpp$/.test(name));
    expect(headers).toContain('deps/include/xsimd/xsimd.hpp');
    expect(files.filter((name) => !headers.includes(name)).sort()).toEqual(committed.sort());
  });

  it('has the changes of this version only', () => {
    const headings = [...readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.*)$/gm)];
    expect(headings.map(([, heading]) => heading)).toEqual([VERSION]);
  });

  it('has a site that computes on a static server', async () => {
    const site = join(WORK_FOLDER, 'released-site');
    rmSync(site, { recursive: true, force: true });
    mkdirSync(site, { recursive: true });
    await run('python3', '-m', 'zipfile', '--extract', released('-site.zip') ?? '', site);
    const serving = await serveSite({ root: site });
    const browser = await chromium.launch({ executablePath: process.env['CHROME_PATH'] ?? '', args: [...QUIET] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      const seen: string[] = [];
      page.on('pageerror', ({ message }) => seen.push(message));
      // 5 × 5 ones with a kernel of 3 × 3 ones.
      await page.goto(`${serving.url}#h=5&kh=3&x=ones&weights=ones`);
      const cells = page.getByRole('grid', { name: 'y', exact: true }).getByRole('gridcell');
      const numbers = () =>
        cells.evaluateAll((all) => all.flatMap((cell) => cell.getAttribute('data-value') ?? []).map(Number));
      await expect.poll(numbers).toEqual(Array(9).fill(9));
      expect(seen).toEqual([]);
    } finally {
      await browser.close();
      await serving.close();
    }
  });
});
