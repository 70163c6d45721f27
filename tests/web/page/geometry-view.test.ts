import { expect, it } from 'vitest';
import { all, one, says, shown, texts } from '../support/page/find';
import { NOTEBOOK_4, open, usePage } from '../support/page/open';
import { choose, openMode, textOf } from '../support/page/stage';
import { click, enter } from '../support/page/user';

usePage();

const size = (name: string) => textOf(one('spinbutton', name));
const offers = (name: string) => texts('button', one('group', name));

it('counts how often each cell is read, names the artifact and fixes it', async () => {
  await open(NOTEBOOK_4);
  const view = await openMode('Sizes and coverage');
  // 7 cells, padding 1, kernel 3, stride 2: windows start at -1, 1, 3, 5 and overlap in the odd cells.
  const along = [1, 2, 1, 2, 1, 2, 1];
  expect(shown('coverage of x')).toEqual(along.flatMap((row) => along.map((col) => row * col)));
  expect(says('Checkerboard.', view)).toBe(true);
  await click(one('button', 'Fix: kh 3 → 4, kw 3 → 4', view));
  expect(says('Checkerboard.', view)).toBe(false);
  expect(size('kernel')).toBe('4');
});

it('lists the inputs with the same output and switches between them', async () => {
  await open(NOTEBOOK_4);
  const view = await openMode('Sizes and coverage');
  expect(offers('input sizes with the same output')).toEqual(['7', '8']);
  await click(one('button', '8', one('group', 'input sizes with the same output')));
  expect(size('height')).toBe('8');
  // The row is left over in the padding; without padding it is the last row of x.
  expect(says('The remainder is 1, all of it padding', view)).toBe(true);
  await openMode('Overview');
  expect(shown('y')).toHaveLength(16);
  await openMode('Sizes and coverage');
  await choose('valid: 3 × 3', view);
  expect(says('The remainder is 1. The last row and column of x is never read', view)).toBe(true);
  await openMode('Overview');
  expect(shown('dx').slice(-8)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

it('solves for each of the six sizes', async () => {
  await open(NOTEBOOK_4);
  const view = await openMode('Sizes and coverage');
  await enter(one('spinbutton', 'target output, rows and columns', view), '7');
  // floor((7 + 2 - 3) / s) + 1 = 7
  expect(offers('stride for an output of 7')).toEqual(['1']);
  await choose('padding', view);
  // floor((7 + p - 3) / 2) + 1 = 7
  expect(offers('padding for an output of 7')).toEqual(['8', '9']);
  const [first] = all('button', undefined, one('group', 'padding for an output of 7'));
  await click(first as HTMLElement);
  expect(says('floor((7 + 4 + 4 − 3) / 2) + 1 = 7', view)).toBe(true);
});

it('sets a padding by name and shows its output', async () => {
  await open(NOTEBOOK_4);
  const view = await openMode('Sizes and coverage');
  await choose('full: 5 × 5', view);
  await openMode('Overview');
  expect(shown('y')).toHaveLength(25);
});
