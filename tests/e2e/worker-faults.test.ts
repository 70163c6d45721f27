import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { TECHNICAL_TERMS } from './support/faults';
import { grid, readNumbers, setField } from './support/grids';
import type { Serving } from './support/site';

// The compute engine crashes, does not answer, never returns or gets no memory at the second problem. A restarted engine has
// the same fault.

const serving: Serving = {};
const stage = useStage(serving);
beforeEach(() => {
  serving.patch = undefined;
});

/** Runs `act` in the worker in place of its second problem. */
function atSecondProblem(act: string): void {
  const listener = `
    let problems = 0;
    self.addEventListener('message', (event) => {
      if (event.data?.request?.type !== 'compute') return;
      problems += 1;
      if (problems !== 2) return;
      event.stopImmediatePropagation();
      ${act}
    }, { capture: true });`;
  serving.patch = (file, body) =>
    /assets\/worker-[^/]*\.js$/.test(file) ? Buffer.concat([Buffer.from(listener), body]) : body;
}

/** A page with x of 7 x 7 and a kernel of 3 x 3; then the height is set to 8, which is the second problem. */
async function brokenByAnEdit(): Promise<Page> {
  const { page } = await openPage(stage, {}, '#h=7&kh=3');
  await expect.poll(() => readNumbers(page, 'y')).toHaveLength(25);
  await setField(page, 'height', '8');
  return page;
}

const shows = (page: Page, cells: number) => expect.poll(() => readNumbers(page, 'y')).toHaveLength(cells);

/** Expects the result of the edit. */
async function showsEdit(page: Page): Promise<void> {
  await shows(page, 30);
  expect(await page.getByRole('spinbutton', { name: 'height', exact: true }).inputValue()).toBe('8');
  await page.context().close();
}

describe('the compute engine', () => {
  it('crashes: the page says so and restarts it', async () => {
    atSecondProblem(`throw new Error('dead');`);
    const page = await brokenByAnEdit();
    const notice = page.getByRole('alert').filter({ hasText: 'crashed and was restarted' });
    await notice.waitFor();
    expect(await notice.textContent()).not.toMatch(TECHNICAL_TERMS);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await showsEdit(page);
  });

  it.each([
    ['does not answer', ''],
    ['never returns', 'for (;;);'],
  ])('%s: it can be canceled, and “Compute” computes the edit', async (_fault, act) => {
    atSecondProblem(act);
    const page = await brokenByAnEdit();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Your change is kept').waitFor();
    await page.getByRole('button', { name: 'Compute', exact: true }).click();
    await showsEdit(page);
  });

  it.each([
    ['does not answer', ''],
    ['never returns', 'for (;;);'],
  ])('%s: the next edit does not wait for it', async (_fault, act) => {
    atSecondProblem(act);
    const page = await brokenByAnEdit();
    await setField(page, 'width', '8');
    await shows(page, 36);
    await page.context().close();
  });

  it('gets no memory: the page says so, keeps the result, and computes smaller problems', async () => {
    serving.patch = (file, body) =>
      /assets\/worker-[^/]*\.js$/.test(file)
        ? Buffer.concat([
            Buffer.from(`WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no'); };`),
            body,
          ])
        : body;
    const { page } = await openPage(stage, {}, '#h=7&kh=3');
    await shows(page, 25);
    await page.evaluate(() => {
      location.hash = 'h=1500&w=1500&kh=3&x=ones';
    });
    await page.getByText('Undone: not enough memory').waitFor();
    expect(await grid(page, 'y').isVisible()).toBe(true);
    await page.evaluate(() => {
      location.hash = 'h=6&kh=3&x=ones';
    });
    await shows(page, 16);
    await page.context().close();
  });
});
