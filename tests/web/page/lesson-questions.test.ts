import { expect, it } from 'vitest';
import { all, one, part, says, texts } from '../support/page/find';
import { address, goTo, open, PHONE, usePage } from '../support/page/open';
import { click, enter, fill, press, tap, typeInto } from '../support/page/user';

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
  // The box of the next question has the focus, and one Esc leaves, with a pinned cell, too.
  expect(document.activeElement).toBe(box());
  await press('Escape', cellOf('x', 0, 0));
  expect(texts('.lesson')).toEqual([]);
});

it('names the mistake in a cell of a network, and reveals it there', async () => {
  await open('#lesson=relu.3');
  const cell = () => part('[data-row="0"][data-col="2"]', one('grid', 'dy1')).textContent;
  expect(cell()).toBe('?');
  // dy2[0,2], as if the gate were open; then a number that no mistake gives.
  await answer('-30');
  expect(says('Gate forgotten')).toBe(true);
  await answer('7');
  expect(says('dy1[0,2] is not 7. Check the numbers that you used, or take a hint.')).toBe(true);
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

it('accepts a fraction, and asks for three digits of a number that is right but short', async () => {
  await open('#lesson=loss.2');
  expect(says('Three significant digits are enough, or a fraction.')).toBe(true);
  await answer('0.4');
  expect(says('0.4 is close. Give three digits, please, or a fraction.')).toBe(true);
  expect(isDone()).toBe(false);
  await answer('4/0');
  expect(says('“4/0” is not a number. Write it as 12, 0.5 or 1/2.')).toBe(true);
  await answer('4/9');
  expect(says('4/9 is correct.')).toBe(true);
  expect(isDone()).toBe(true);
  // Of a number that is no value of a tensor.
  await goTo('#lesson=padding.3');
  await answer('14/2');
  expect(isDone()).toBe(true);
  // Sums of whole numbers are whole.
  await goTo('#lesson=gather.1');
  expect(says('significant digits')).toBe(false);
});

it('has two hints, the products as the last one, beside the answer box', async () => {
  const formula = () => texts('.lesson .predict .formula').join('');
  await open('#lesson=gather.1');
  expect(says('outlined cells')).toBe(false);
  await click(one('button', 'Hint: the cells'));
  expect(says('Multiply the outlined cells of w by those of dy, and add.')).toBe(true);
  expect(formula()).toBe('');
  await click(one('button', 'Hint: the products'));
  expect(formula()).toBe('dx[2,2] = 1·1 + 2·2 + 3·4 + 4·5 = ?');
  expect(isDone()).toBe(false);
  // In a network the last hint is the formula.
  await goTo('#lesson=chain-rule.2');
  await click(one('button', 'Hint: the cells'));
  await click(one('button', 'Hint: the formula'));
  expect(says('dy1[1,1] = dy2[0,0]·w2[1,1] + dy2[0,1]·w2[1,0] + dy2[1,0]·w2[0,1] + dy2[1,1]·w2[0,0]')).toBe(true);
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

it('answers a choice of the pinned cell, and of another cell of x', async () => {
  await open('#lesson=dw.1');
  await click(cellOf('w', 0, 0));
  expect(wrong()).toMatch(/^w\[0,0\] multiplies x\[0,0\] at the first position/);
  await goTo('#lesson=one-window.3');
  await typeInto('x', 0, 2, '1');
  expect(wrong()).toBe('You changed x[0,2]. Row 1, column 2 of x becomes 1: press Undo, or set the other cell back.');
  await press('Control+z');
  expect(wrong()).toBe('');
});

it('asks for three digits only where a number may be no whole one', async () => {
  await open('#lesson=relu.2');
  expect(says(/Three significant digits/)).toBe(false);
  await goTo('#lesson=vanishing.1');
  expect(says(/Three significant digits/)).toBe(true);
});

it('keeps the answer of a question about a number or a choice', async () => {
  await open('#lesson=sliding.4');
  await answer('3');
  expect(texts('.lesson .predict__verdict--right')).toEqual(['✓ rows of y = 3']);
  await goTo('#lesson=loss.4');
  await click(one('button', 'dx'));
  expect(texts('.lesson .predict__verdict--right')).toEqual(['✓ dx']);
});

it('outlines the phase that the step on four phases asks about', async () => {
  await open('#lesson=stride.3');
  expect(says(/The outlined 2 × 2 cells of dx use only the outlined weight/)).toBe(true);
});
