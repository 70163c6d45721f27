import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useStage } from './support/browser';
import { THOROUGH } from './support/thorough';

const stage = useStage();

const EDITS = THOROUGH ? 2000 : 200;
/** Before the first measurement, the undo history is full, and the browser has compiled its functions. */
const WARM_UP = 300;
/** 0.4 MB were measured after 2,000 edits; one element that keeps its predecessors alive made it 118 MB. */
const MOST_GROWTH = THOROUGH ? 2e6 : 1e6;
/** The number of elements and listeners on the screen is the same before and after. */
const MOST_MORE_NODES = 50;

async function measure(session: CDPSession) {
  for (let i = 0; i < 3; i += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { bytes: usedSize, nodes, listeners: jsEventListeners };
}

/** Alternates between edits of a size and of values of x; each one is drawn before the next. */
const edit = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (edits) => {
    const field = [...document.querySelectorAll('.number-field')].find(({ textContent }) => textContent === 'height');
    const slider = field?.querySelector<HTMLInputElement>('input[type=range]');
    const valueNamed = (select: HTMLSelectElement, label: string) =>
      [...select.options].find(({ text }) => text === label)?.value;
    const select = [...document.querySelectorAll('select')].find(
      (each) => valueNamed(each, '0, 1, 2, …') !== undefined,
    );
    if (!slider || !select) throw new Error('no slider or no choice of values');
    const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < edits; i += 1) {
      if (i % 2 === 0) {
        slider.value = i % 4 === 0 ? '9' : '8';
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      } else {
        select.value = valueNamed(select, i % 4 === 1 ? '0, 1, 2, …' : '…, 3, 2, 1') ?? '';
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
      await painted();
      await painted();
    }
  }, count);

test(`${EDITS} edits leak no memory`, { timeout: 400_000 }, async () => {
  const { page, troubles } = await openPage(stage);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await page.getByRole('grid', { name: 'y', exact: true }).waitFor();
  await page.getByRole('spinbutton', { name: 'height', exact: true }).waitFor();
  await edit(page, WARM_UP);
  const before = await measure(session);
  // All edits are made: the last size was 8.
  expect(await page.getByRole('spinbutton', { name: 'height', exact: true }).inputValue()).toBe('8');
  await edit(page, EDITS);
  const after = await measure(session);
  const growth = after.bytes - before.bytes;
  console.log(
    `heap after ${WARM_UP} edits ${(before.bytes / 1e6).toFixed(2)} MB, after ${EDITS} more ` +
      `${(after.bytes / 1e6).toFixed(2)} MB; elements ${before.nodes} and ${after.nodes}, ` +
      `listeners ${before.listeners} and ${after.listeners}`,
  );
  expect(growth).toBeLessThan(MOST_GROWTH);
  expect(after.nodes - before.nodes).toBeLessThan(MOST_MORE_NODES);
  expect(after.listeners - before.listeners).toBeLessThan(MOST_MORE_NODES);
  expect(troubles).toEqual([]);
});
