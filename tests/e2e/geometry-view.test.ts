import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { grid, readNumbers } from './support/grids';
import { openMode } from './support/modes';

const stage = useStage();
let open: OpenPage;

beforeEach(async () => {
  open = await openPage(stage);
  await grid(open.page, 'dx').waitFor();
});
afterEach(async () => {
  const troubles = [...open.troubles];
  await open.page.context().close();
  expect(troubles).toEqual([]);
});

it('counts how often each cell is read, names the artifact and fixes it', async () => {
  const { page } = open;
  const view = await openMode(page, 'Sizes and coverage');
  // 7 cells, padding 1, kernel 3, stride 2: windows start at -1, 1, 3, 5 and overlap in the odd cells.
  const along = [1, 2, 1, 2, 1, 2, 1];
  await expect
    .poll(() => readNumbers(page, 'coverage of x'))
    .toEqual(along.flatMap((row) => along.map((col) => row * col)));
  await view.getByText('Checkerboard.').waitFor();
  await view.getByRole('button', { name: 'Fix: kh 3 → 4, kw 3 → 4' }).click();
  await view.getByText('Checkerboard.').waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('spinbutton', { name: 'kernel', exact: true }).inputValue()).toBe('4');
});

it('lists the inputs with the same output and switches between them', async () => {
  const { page } = open;
  const view = await openMode(page, 'Sizes and coverage');
  const sizes = view.getByRole('group', { name: 'input sizes with the same output' });
  await expect.poll(() => sizes.getByRole('button').allTextContents()).toEqual(['7', '8']);
  await sizes.getByRole('button', { name: '8' }).click();
  await expect.poll(() => page.getByRole('spinbutton', { name: 'height', exact: true }).inputValue()).toBe('8');
  // The row is left over in the padding; without padding it is the last row of x.
  await view.getByText('The remainder is 1, all of it padding').waitFor();
  await openMode(page, 'Overview');
  await expect.poll(() => readNumbers(page, 'y')).toHaveLength(16);
  await openMode(page, 'Sizes and coverage');
  await view.getByRole('radio', { name: 'valid: 3 × 3' }).click();
  await view.getByText('The remainder is 1. The last row and column of x is never read').waitFor();
  await openMode(page, 'Overview');
  await expect.poll(async () => (await readNumbers(page, 'dx')).slice(-8)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

it('solves for each of the six sizes', async () => {
  const { page } = open;
  const view = await openMode(page, 'Sizes and coverage');
  const output = view.getByRole('spinbutton', { name: 'target output, rows and columns' });
  await output.fill('7');
  await output.press('Enter');
  // floor((7 + 2 - 3) / s) + 1 = 7
  const answers = view.getByRole('group', { name: 'stride for an output of 7' }).getByRole('button');
  await expect.poll(() => answers.allTextContents()).toEqual(['1']);
  await view.getByRole('radio', { name: 'padding', exact: true }).check();
  // floor((7 + p - 3) / 2) + 1 = 7
  const paddings = view.getByRole('group', { name: 'padding for an output of 7' }).getByRole('button');
  await expect.poll(() => paddings.allTextContents()).toEqual(['8', '9']);
  await paddings.first().click();
  await view.getByText('floor((7 + 4 + 4 − 3) / 2) + 1 = 7').waitFor();
});

it('sets a padding by name and shows its output', async () => {
  const { page } = open;
  const view = await openMode(page, 'Sizes and coverage');
  await view.getByRole('radio', { name: 'full: 5 × 5' }).click();
  await openMode(page, 'Overview');
  await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(25);
});
