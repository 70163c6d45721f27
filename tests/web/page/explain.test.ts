import { expect, it } from 'vitest';
import { all, cellAt, numberIn, one, part, says, shown, texts } from '../support/page/find';
import { open, usePage } from '../support/page/open';
import { explained, headline, loss, textOf, total } from '../support/page/stage';
import { click, fill, hover, press, type } from '../support/page/user';

// The explanation of a cell: its formula, its values, and what it affects.

usePage();

const formula = () => part('.formula', explained()).textContent?.trim();

it('a squared error: y affects dy, and dy is computed from y by its formula', async () => {
  await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=countdown&dy=mse:0');
  const [, y] = shown('y');
  await click(cellAt('y', 0, 1));
  await click(one('tab', 'Used by', explained()));
  await click(one('button', 'dy[0,1]', explained()));
  await click(one('tab', 'Computed from', explained()));
  // Four cells: dy = (y - 0) / 4.
  expect(formula()).toBe('dy[0,1] = (y[0,1] − target[0,1]) / 4');
  expect(total('y[0,1] − target[0,1]')).toBe(String(y));
  expect(numberIn(total('divided by 4'))).toBe((y ?? Number.NaN) / 4);
  await click(one('button', 'y[0,1]', explained()));
  expect(headline()).toMatch(/^y\[0,1\] = /);
  // The overview shows this too: L is between y and dy.
  expect(loss()).toMatch(/^L = \d+$/);
  expect(part('.loss').title).toMatch(/^L = \d+(\.\d+)?: squared error to the target 0; dy = dL\/dy$/);
});

it('a given dy is described as given, and y affects nothing', async () => {
  await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=countdown');
  await click(cellAt('dy', 0, 1));
  expect(says('Input, not computed.', explained())).toBe(true);
  await click(cellAt('y', 0, 1));
  expect(headline()).toMatch(/^y\[0,1\]/);
  expect(all('tab', undefined, explained())).toEqual([]);
  expect(loss()).toBe('');
});

it('a sum over channels shows its subtotals, its formula, and its factors side by side', async () => {
  await open('#h=4&w=4&c=3&kernel=3&stride=1&padding=0&x=ramp&weights=ones');
  await click(cellAt('y', 0, 0));
  expect(formula()).toMatch(/^y\[0,0\] = Σc,p,q x\[p,q,c\] · w\[p,q,c\]$/);
  // x is 0, 1, 2, ... with the channel fastest; w is 1: channel c of the first window sums 9 cells.
  const x = (row: number, col: number, channel: number) => (row * 4 + col) * 3 + channel;
  const taps = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => [row, col] as const));
  const sums = [0, 1, 2].map((c) => taps.reduce((sum, [row, col]) => sum + x(row, col, c), 0));
  expect(texts('.plane__subtotal', explained())).toEqual(sums.map(String));
  expect(total('sum')).toBe(String(sums.reduce((a, b) => a + b, 0)));
  // The terms are folded, so that all subtotals are in view.
  expect(texts('.term', explained())).toEqual([]);
  await click(one('button', 'channel 0', explained()));
  // The window and w of the open channel; pointing at a cell highlights its partner and its term.
  const pairs = () => [...explained().querySelectorAll('.pair__cells')];
  const cells = () => texts('.pair__cell', pairs()[0]).map(Number);
  expect(cells()).toEqual(taps.map(([row, col]) => x(row, col, 0)));
  await hover(pairs()[1]?.querySelectorAll<HTMLElement>('.pair__cell')[5] ?? null);
  expect(texts('.pair__cell--pointed', explained())).toHaveLength(2);
  expect(texts('.term--pointed .term__names', explained())).toEqual(['x[1,2,0] · w[1,2,0]']);
  await click(one('button', 'channel 2', explained()));
  expect(cells()).toEqual(taps.map(([row, col]) => x(row, col, 2)));
});

it('the cells of the grid have the index names that the explanation uses', async () => {
  await open('#h=4&w=4&kernel=3&stride=1&padding=1&x=ramp&weights=ones');
  // After the ring of padding: x[0,0] is the first of its row.
  const cell = cellAt('x', 1, 1);
  expect(cell.getAttribute('aria-colindex')).toBe('1');
  expect(cell.parentElement?.getAttribute('aria-rowindex')).toBe('1');
});

it.each([
  ['abc', '“abc” is not a number'],
  ['', 'No value was entered'],
  ['NaN', 'Enter a finite number'],
  ['1e400', 'too large'],
])('an invalid value (%s) shows its reason until the next edit', async (typed, why) => {
  await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=ones');
  const before = shown('y');
  // In the grid: Enter keeps the invalid field open; leaving it clears the reason.
  await click(cellAt('x', 0, 1));
  await press('Enter');
  await press('Control+a');
  await press('Delete');
  await type(typed);
  await press('Enter');
  const note = () => texts('.edit-note').join('');
  expect(note()).toContain(why);
  await click(one('heading', 'Controls'));
  expect(note()).toContain(why);
  await click(cellAt('x', 0, 2));
  await press('Enter');
  expect(note()).toBe('');
  await press('Escape');
  // In the panel.
  const field = one('textbox', 'value of x[0,2]', explained());
  await fill(field, typed);
  await press('Enter', field);
  const alert = () => texts('[role=alert]', explained()).join('');
  expect(alert()).toContain(why);
  expect(textOf(field)).toBe('2');
  await fill(field, '5');
  expect(alert()).toBe('');
  expect(shown('y')).toEqual(before);
});
