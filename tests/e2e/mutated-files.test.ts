import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { mutatedFiles } from '../web/formats/mutated-files';
import { openPage, useStage } from './support/browser';
import { dropFiles } from './support/drop-and-paste';
import { readNumbers } from './support/grids';

// The mutations of tests/web/formats/mutated.test.ts on the page: it shows a sentence, reads them in a worker and loses nothing.

/** The readers alone open 10,000 in tests/web/formats/mutated.test.ts. */
const FILES = THOROUGH ? 40 : 12;
/** Texts of the largest size that take longest to read. */
const LARGE = ['1\n'.repeat(2 ** 20), `[${'1,'.repeat(2 ** 20 - 2)}1]`, '1,'.repeat(2 ** 20)];

const stage = useStage();

it(`${FILES} mutated files and the longest texts open or are refused with a sentence, and are read by a worker`, async () => {
  const { page, troubles } = await openPage(stage);
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  // The page has rewritten the link of its address.
  await expect.poll(() => page.url()).toContain('v=2');
  const [before, address] = [await readNumbers(page, 'y'), page.url()];
  let read = 0;
  page.on('worker', (worker) => {
    if (worker.url().includes('read-worker')) read += 1;
  });
  const counts = { opened: 0, refused: 0 };
  const drop = async (name: string, bytes: Uint8Array | string) => {
    await dropFiles(page, [{ name, bytes }]);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const alert = dialog.getByRole('alert').filter({ hasText: 'Nothing was changed' });
    // Opened arrays are checked first.
    const action = dialog.getByRole('button', { name: /^(Import|Paste|Copy report)/ });
    await alert.or(action).first().waitFor();
    if ((await alert.count()) > 0) {
      counts.refused += 1;
      expect(await alert.textContent()).toMatch(/^Nothing was changed: .+ could not be read\. .{10,600}\.$/s);
    } else {
      counts.opened += 1;
      expect(await action.count()).toBe(1);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  const files = fc.sample(mutatedFiles, { numRuns: FILES, seed: 1915 });
  for (const { name, bytes } of files) await drop(name, bytes);
  for (const text of LARGE) await drop('large.txt', text);
  console.info(JSON.stringify(counts));
  expect(read).toBe(files.length + LARGE.length);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  expect(await readNumbers(page, 'y')).toEqual(before);
  expect(page.url()).toBe(address);
  expect(troubles).toEqual([]);
  await page.context().close();
});
