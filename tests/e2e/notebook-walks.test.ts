import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { readExact } from './support/grids';
import { openMode } from './support/modes';
import { imagePlane, kernelPlane, linkTo, planeName, TESTED_CASES } from './support/notebook';

// The values of the notebook's largest case in each view of a real page. Every step and choice is in tests/web/page.

const stage = useStage();

it('each view shows the values of the notebook', async () => {
  const one = TESTED_CASES.at(-1);
  if (!one) throw new Error('there is no case');
  const last = one.x_shape[0] - 1;
  const dx = planeName('dx', one, { n: last });
  const dxValues = imagePlane(one.dx, one.x_shape, last, 0);
  const dwValues = kernelPlane(one.dw, one.w_shape, 0, 0);
  const { page, troubles } = await openPage(stage, {}, linkTo(one));
  const choose = (name: string) => page.getByRole('main').getByRole('radio', { name, exact: true }).check();
  /** A view opens with all steps done and a cell that tells much: its last step is chosen from another one. */
  const toEnd = async (name: string) => {
    const slider = page.getByRole('main').getByRole('slider', { name });
    await slider.press('Home');
    await slider.press('End');
  };
  const shows = (name: string, expected: readonly number[]) =>
    expect.poll(() => readExact(page, name), { message: name }).toEqual(expected);

  await shows(planeName('y', one), imagePlane(one.y, one.y_shape, 0, 0));
  await shows(planeName('dx', one), imagePlane(one.dx, one.x_shape, 0, 0));
  await shows(planeName('dw', one), dwValues);
  await shows('db', one.db);
  await openMode(page, 'dx');
  await choose('scatter');
  await toEnd('steps of dx by scatter');
  await shows(dx, dxValues);
  await openMode(page, 'dw & db');
  await choose('window by window');
  await toEnd('steps of dw adds up');
  await shows(planeName('dw', one), dwValues);
  await openMode(page, 'im2col');
  await choose('3 col2im');
  await toEnd('rows of dx_col added to dx');
  await shows(dx, dxValues);
  await openMode(page, 'Gradient check');
  await choose('dx');
  // The cell of image 0, channel 0 with the largest gradient.
  const largest = Math.max(...imagePlane(one.dx, one.x_shape, 0, 0));
  const row = page.getByRole('row', { name: /^backward pass, dx\[0/ });
  const name = await row.getByRole('rowheader').getAttribute('aria-label');
  const [, i = 0, j = 0] = /dx\[0,(\d+),(\d+),0\]$/.exec(name ?? '')?.map(Number) ?? [];
  expect(imagePlane(one.dx, one.x_shape, 0, 0)[i * one.x_shape[2] + j]).toBe(largest);
  // The cells are empty until they are computed.
  const numbers = async () => (await row.getByRole('cell').allTextContents()).slice(0, 2).map(Number);
  await expect.poll(numbers).toEqual([largest, largest]);
  await page.context().close();
  expect(troubles).toEqual([]);
});
