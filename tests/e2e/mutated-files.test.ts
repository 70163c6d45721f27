import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { mutatedFiles } from '../web/formats/mutated-files';
import { openPage, useStage } from './support/browser';
import { readNumbers } from './support/grids';

// The mutations of tests/web/formats/mutated.test.ts on the page: it shows a sentence, stays responsive and loses
// nothing.

/** The readers alone open 10,000 in tests/web/formats/mutated.test.ts. */
const FILES = THOROUGH ? 150 : 30;
/** Texts of the largest size that take longest to read. */
const LARGE = ['1\n'.repeat(2 ** 20), `[${'1,'.repeat(2 ** 20 - 2)}1]`, '1,'.repeat(2 ** 20)];
/** Longest acceptable task, in ms: a hang takes far longer, and a busy machine several times the usual time. */
const MOST_HELD = 1000;

/** The longest task since the last call, in ms. */
function takeLongest(): number {
  const { held } = window as unknown as { readonly held: { longest: number } };
  const { longest } = held;
  held.longest = 0;
  return longest;
}

const stage = useStage();

it(`${FILES} mutated files and the longest texts open or are refused with a sentence, without a long task`, {
  timeout: 240_000,
}, async () => {
  const { page, troubles } = await openPage(stage);
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(16);
  // The page has rewritten the link of its address.
  await expect.poll(() => page.url()).toContain('v=2');
  // Drops are heard from the second chunk on; on a busy machine it loads later.
  await page.getByRole('button', { name: 'Import arrays' }).waitFor({ state: 'attached' });
  const [before, address] = [await readNumbers(page, 'y'), page.url()];
  await page.evaluate(() => {
    const held = { longest: 0 };
    Object.assign(window, { held });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) held.longest = Math.max(held.longest, duration);
    }).observe({ type: 'longtask' });
  });
  const counts = { opened: 0, refused: 0 };
  const drop = async (name: string, bytes: readonly number[] | string) => {
    await page.evaluate(
      ([called, content]) => {
        const dataTransfer = new DataTransfer();
        const part = typeof content === 'string' ? content : new Uint8Array(content);
        dataTransfer.items.add(new File([part], called));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, bytes] as const,
    );
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const alert = dialog.getByRole('alert').filter({ hasText: 'Nothing was changed' });
    if ((await alert.count()) > 0) {
      counts.refused += 1;
      expect(await alert.textContent()).toMatch(/^Nothing was changed: .+ could not be read\. .{10,600}\.$/s);
    } else {
      counts.opened += 1;
      expect(await dialog.getByRole('button', { name: /^(Import|Compare|Paste)/ }).count()).toBe(1);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  /** A busy machine also delays the page: a file that causes the delay does it each time. */
  const heldBy = async (name: string, bytes: readonly number[] | string): Promise<number> => {
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && best >= MOST_HELD; tries += 1) {
      await drop(name, bytes);
      best = Math.min(best, await page.evaluate(takeLongest));
    }
    return best;
  };
  let longest = 0;
  for (const { name, bytes } of fc.sample(mutatedFiles, { numRuns: FILES, seed: 1915 })) {
    longest = Math.max(longest, await heldBy(name, [...bytes]));
  }
  for (const text of LARGE) longest = Math.max(longest, await heldBy('large.txt', text));
  console.info(`${JSON.stringify(counts)}; the page was held up for ${longest.toFixed(0)} ms at most`);
  expect(longest).toBeLessThan(MOST_HELD);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  expect(await readNumbers(page, 'y')).toEqual(before);
  expect(page.url()).toBe(address);
  expect(troubles).toEqual([]);
  await page.context().close();
});
