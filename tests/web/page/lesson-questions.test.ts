import { expect, it } from 'vitest';
import { all, one, part, says, texts } from '../support/page/find';
import { address, goTo, open, PHONE, usePage } from '../support/page/open';
import { click, enter, fill, press, tap } from '../support/page/user';

// What a step of a lesson says to an answer or a choice.

usePage();

const wrong = () => texts('.lesson__wrong').join('');
const isDone = () => texts('.lesson__task--done').length > 0;
const title = () => texts('.lesson__title').join('');
const box = () => part('.lesson .predict__guess input');
const answer = async (value: string) => enter(box(), value);
/** A cell as drawn by its row and column, without the ring of padding. */
const cellOf = (tensor: string, row: number, col: number) =>
  part(`main .panel--${tensor} [role="gridcell"][data-row="${row}"][data-col="${col}"]`);

it('names a mistake and reveals the cell at the right number', async () => {
  await open('#lesson=gather.1');
  const cell = () => cellOf('dx', 2, 2).textContent;
  expect(cell()).toBe('?');
  // 1·9 + 2·8 + 3·6 + 4·5: the weights of the opposite corner.
  await answer('63');
  expect(says('Weight of the opposite corner')).toBe(true);
  expect(isDone()).toBe(false);
  // Values stay as they are while the page asks for one.
  await answer('37');
  expect(isDone()).toBe(true);
  expect(cell()).toBe('37');
  expect(says('37 is correct.')).toBe(true);
  // What the next step asks for stays hidden.
  expect(await address()).toMatch(/hidden=dx\.4$/);
  // The focus is on Next.
  await press('Enter');
  expect(title()).toBe('One cell in one step');
});

it('names the mistake in a cell of a network, and reveals it there', async () => {
  await open('#lesson=relu.3');
  const cell = () => part('[data-row="0"][data-col="2"]', one('grid', 'dy1')).textContent;
  expect(cell()).toBe('?');
  // dy2[0,2], as if the gate were open; then a number that no mistake gives.
  await answer('-30');
  expect(says('Gate forgotten')).toBe(true);
  await answer('7');
  expect(says('dy1[0,2] is not 7. Check the numbers that you used.')).toBe(true);
  expect(isDone()).toBe(false);
  expect(cell()).toBe('?');
  await answer('0');
  expect(isDone()).toBe(true);
  expect(cell()).toBe('0');
});

const ideas = () => texts('.predict__ideas strong');

it('names the mistakes that everyone makes at first', async () => {
  await open('#lesson=one-window.2');
  // The nine cells of the window without their weights; then 1 + 2 + 1 + 1 + 2 + 1 without their signs.
  await answer('9');
  expect(ideas()).toEqual(['Weights left out.']);
  await answer('8');
  expect(ideas()).toEqual(['Signs left out.']);
  await goTo('#lesson=dw.2');
  // 1·4 + 2·3 + 5·2 + 6·1: dy from its end.
  await answer('26');
  expect(ideas()).toEqual(['Reversed dy.']);
  expect(says('One common mistake gives exactly that:')).toBe(true);
});

it('explains at most two mistakes, those of the step first, and does not claim to know which one was made', async () => {
  await open('#lesson=pooling.3');
  // All of dy2[0,0] for the second of two equal cells: it won, both won, or each cell of the window gets dy.
  await answer('12');
  expect(says('It could be one of these mistakes:')).toBe(true);
  expect(ideas()).toEqual(['The last of equal cells.', 'dy to all equal cells.']);
});

it('answers a question by touch, and one that is no value of a tensor', async () => {
  await open('#lesson=dw.2', PHONE);
  const check = () => one('button', 'Check', part('.lesson'));
  await tap(box());
  await fill(box(), '44');
  await tap(check());
  expect(isDone()).toBe(true);
  expect(texts('.lesson .predict__verdict--right')).toHaveLength(1);
  await goTo('#lesson=padding.3');
  expect(title()).toBe('valid, same, full');
  await fill(box(), '5');
  await tap(check());
  expect(says('5 is not right.')).toBe(true);
  expect(isDone()).toBe(false);
  await fill(box(), '7');
  await tap(check());
  expect(isDone()).toBe(true);
  expect(await address()).toContain('padding=full');
  await goTo('#lesson=gather.3');
  const options = () => all('button', undefined, part('.lesson__options'));
  await tap(options()[0] as HTMLElement);
  expect(says('“1, 2, 4, 5” is not right.')).toBe(true);
  await tap(options()[1] as HTMLElement);
  expect(isDone()).toBe(true);
});

it('answers a wrong cell and a wrong size, and stops when the task is done', async () => {
  await open('#lesson=one-window.1');
  await click(cellOf('y', 2, 2));
  expect(wrong()).toBe('The window of y[2,2] begins at x[2,2]. Look for row 0 and column 0 of y.');
  expect(part('.lesson__wrong').getAttribute('role')).toBe('status');
  await click(cellOf('x', 0, 0));
  expect(wrong()).toMatch(/^x\[0,0\] is read by 1 window\./);
  await click(cellOf('y', 0, 0));
  expect(isDone()).toBe(true);
  expect(wrong()).toBe('');

  await goTo('#lesson=sliding.2');
  expect(title()).toBe('How many positions there are');
  await enter(one('spinbutton', 'kernel'), '4');
  expect(wrong()).toBe('y is now 2 × 2. The task asks for 4 × 4.');
  await enter(one('spinbutton', 'kernel'), '2');
  expect(isDone()).toBe(true);
  expect(wrong()).toBe('');
});
