import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { useGate } from './support/gate';
import { computed, setField } from './support/grids';
import type { Serving } from './support/site';

// The times of the algorithms: measured on request, by the worker of the page.

const serving: Serving = {};
const stage = useStage(serving);
/** The clock of the worker is that of the gate: what is timed does not depend on the machine. */
const gate = useGate(serving);

it('are measured for each pass, with progress, and can be canceled', async () => {
  const { page, troubles } = await openPage(stage, {}, '#h=8&kh=3&c=2&k=3&side=algorithms');
  const tab = page.getByRole('tabpanel', { name: 'Algorithms' });
  const times = tab.getByRole('listitem');
  const held = gate.hold((phase) => phase.startsWith('timing'));
  await tab.getByRole('button', { name: 'Time them' }).click();
  await held.reached;
  await tab.getByRole('progressbar', { name: /^Timing \w+/ }).waitFor();
  await tab.getByRole('button', { name: 'Cancel' }).click();
  await tab.getByText('Canceled. Some results are missing.').waitFor();
  expect(await times.count()).toBe(0);
  held.open();

  await tab.getByRole('button', { name: 'Try again' }).click();
  await tab.getByRole('button', { name: 'Time again' }).waitFor();
  await expect.poll(() => times.count()).toBe(4);
  const told = await times.allTextContents();
  for (const [i, result] of ['y', 'dx', 'dw', 'db'].entries())
    expect(told[i]).toMatch(new RegExp(`^${result}: \\w+ is the fastest, [\\d.]+ (µs|ms|s)`));
  const rows = tab.getByRole('group', { name: 'Algorithm for y' }).locator('.algorithm__time');
  expect(await rows.filter({ hasText: 'fastest' }).count()).toBeGreaterThan(2);

  // An edit gives another problem, with values of its own.
  await setField(page, 'height', '9');
  await computed(page);
  await tab.getByRole('button', { name: 'Time them', exact: true }).waitFor();
  expect(await times.count()).toBe(0);
  await page.context().close();
  expect(troubles).toEqual([]);

  const hidden = await openPage(stage, {}, '#h=6&kh=3&hidden=y.4&side=algorithms');
  await hidden.page.getByText('Not available while values are hidden. Reveal them first.').waitFor();
  expect(await hidden.page.getByRole('button', { name: 'Time them' }).getAttribute('aria-disabled')).toBe('true');
  await hidden.page.context().close();
  expect(hidden.troubles).toEqual([]);
});
