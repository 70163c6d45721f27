import { describe, expect, test, vi } from 'vitest';
import { one, part, texts } from '../support/page/find';
import { open, settle, usePage, wait } from '../support/page/open';
import { click, enter, press } from '../support/page/user';
import { InProcessWorker } from '../support/page/worker';
import { layerOf } from '../support/problems';

// A question about a value is shown once the library has decided which draw is asked.

usePage();

/** The workers after the first one, which shows the problem, answer nothing while `isSilent`. */
class LateWorker extends InProcessWorker {
  static isSilent = true;
  readonly #isLate = InProcessWorker.running.size > 1;

  override postMessage(...message: Parameters<InProcessWorker['postMessage']>): void {
    if (!this.#isLate || !LateWorker.isSilent) super.postMessage(...message);
  }
}

const heading = () => document.querySelector('.exercise h2')?.textContent;
const text = () => document.querySelector('.exercise')?.textContent ?? '';

test('while the draw is not settled, the panel says that the question is loading, and the page keeps its numbers', async () => {
  vi.stubGlobal('Worker', LateWorker);
  const page = await open('#h=9&kh=3&side=lesson&lesson=gradients.3');
  await wait(500);
  expect(text()).toContain('The question: loading…');
  expect(heading()).toBe('What is the hidden value?');
  expect(document.querySelectorAll('.exercise input[type=text]:not([autocomplete=name])')).toHaveLength(0);
  expect(layerOf(page.store.problem.value).desc.h).toBe(9);
});

test('a draw that fails says so, and is tried again', async () => {
  const page = await open('#h=9&kh=3');
  vi.stubGlobal('Worker', undefined);
  page.look.side.value = 'lesson';
  page.look.lesson.value = 'gradients.3';
  await settle();
  expect(text()).toContain('The question failed to load.');
  vi.stubGlobal('Worker', InProcessWorker);
  const again = [...document.querySelectorAll<HTMLElement>('.exercise button')].find((button) =>
    button.textContent?.includes('Try again'),
  );
  again?.click();
  await settle();
  await settle();
  expect(heading()).toMatch(/^What is d[wx]\[/);
  expect(layerOf(page.store.problem.value).desc.h).not.toBe(9);
});

const ideas = () => texts('.exercise .predict__ideas strong');
const answer = async (value: string) =>
  enter(part('.exercise .predict__guess input[type=text]:not([autocomplete=name])'), value);

test('of two mistakes that give a number, the one that the set is about is explained first', async () => {
  await open('#side=lesson&lesson=forward-sums.5');
  await settle();
  await answer('2');
  expect(text()).toContain('It could be one of these mistakes:');
  // Without the bias of 3; by chance the transposed kernel gives it, too.
  expect(ideas()).toEqual(['Bias forgotten.', 'Row and column exchanged.']);
  await answer('5');
  expect(text()).toContain('5 is correct.');
});

test.each([
  ['shapes.1', '9'],
  // Three mistakes give it.
  ['shapes.1&seed=8', '16'],
])('a wrong size in %s that is no proof of one mistake has two explanations', async (exercise, size) => {
  await open(`#side=lesson&lesson=${exercise}`);
  await answer(size);
  expect(text()).toContain(`It is not ${size}. It could be one of these mistakes:`);
  expect(ideas()).toHaveLength(2);
});

describe('the questions of a teacher', () => {
  const OWN = 'h=4&w=5&kh=2&x=ramp&weights=ones&dy=ones&side=lesson';
  const ASKED = 'questions=!columns%20of%20y~,!4~How%20many%20windows?,!~Which%20tensor%20is%20flipped?~x~*w~dy';
  const push = (name: string) => click(one('button', name, part('.exercise')));

  test('ask for a size, with its mistakes, and cover the tensors that would show it', async () => {
    await open(`#${OWN}&lesson=questions.1&${ASKED}`);
    expect(heading()).toBe('How many columns does y have?');
    expect(texts('.exercise__layer li')[0]).toBe('x has 4 × 5 cells.');
    expect(document.querySelector('[data-covers="true"]')).not.toBeNull();
    // (5 − 2) / 1, and one more.
    await answer('3');
    expect(ideas()).toEqual(['The +1 forgotten.']);
    await answer('4');
    expect(text()).toContain('4 is correct.');
  });

  test('ask for a number and for one of some texts, and are marked', async () => {
    const page = await open(`#${OWN}&lesson=questions.2&${ASKED}`);
    expect([heading(), document.querySelector('[data-covers="true"]')]).toEqual(['How many windows?', null]);
    await answer('5');
    expect(text()).toContain('It is not 5. Look again.');
    await answer('4.0');
    expect(text()).toContain('4.0 is correct.');
    await push('Next question');
    expect(heading()).toBe('Which tensor is flipped?');
    await push('dy');
    expect(text()).toContain('It is not “dy”. Look again.');
    await push('w');
    expect(text()).toContain('“w” is correct.');
    expect(page.look.answers.value).toBe('_4.0m1_1m1');
    await push('Show result');
    await settle();
    expect(texts('.exercise__marks tbody td')).toEqual([
      ...['1', '–', 'not answered'],
      ...['2', '4.0', '✓ right, after 1 wrong'],
      ...['3', '“w”', '✓ right, after 1 wrong'],
    ]);
  });
});

describe('a set on paper', () => {
  const paper = () => document.querySelector('body > .paper');
  const printAs = (name: string) => click(one('button', name, part('dialog')));
  const cells = () => texts('body > .paper section:nth-of-type(1) td').filter((one) => one !== '');
  const openDialog = async () => {
    vi.stubGlobal('print', vi.fn());
    await press('Control+p');
    for (let waits = 0; waits < 20 && document.querySelector('dialog progress'); waits += 1) await settle();
    await printAs('Print worksheet');
    expect(print).toHaveBeenCalledOnce();
  };

  test('has each question with its grids, the asked value as “?”, and the value among the solutions', async () => {
    // x is 0 to 8, w is 1: y[0,0] is 0 + 1 + 3 + 4, and all four windows read x[1,1].
    await open(
      '#h=3&w=3&kh=2&kw=2&x=ramp&weights=ones&dy=ones&side=lesson&lesson=questions.1&questions=dx.4~,y.0~,!~Which?~*w~x',
    );
    await openDialog();
    expect(texts('body > .paper h2')).toEqual(['1. What is dx[1,1]?', '2. What is y[0,0]?', '3. Which?']);
    const sheet = paper()?.textContent ?? '';
    expect(sheet).toContain('Name:');
    const grids = texts('body > .paper .paper__grids td').filter((one) => one !== '');
    // dy and w, then dx: a cell is read by one, two or four windows.
    expect(grids.slice(8, 17)).toEqual(['1', '2', '1', '2', '?', '2', '1', '2', '1']);
    expect(grids.slice(17, 26)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
    expect(grids.slice(30, 34)).toEqual(['?', '12', '20', '24']);
    // The choice has all tensors, without the values that other questions ask for.
    expect(grids.filter((one) => one === '?')).toHaveLength(4);
    await printAs('Print with solutions');
    expect(texts('body > .paper section strong')).toEqual(['4', '8', '“w”']);
    expect(texts('body > .paper .paper__grids td')).not.toContain('?');
    part('dialog button[aria-label=Close]').click();
    await settle();
    expect(paper()).toBeNull();
  });

  test.each(['gradients', 'two-layers', 'readers', 'shapes'])('%s has a page of its own', async (set) => {
    await open(`#side=lesson&lesson=${set}.1`);
    await settle();
    await openDialog();
    expect(document.querySelectorAll('body > .paper section').length).toBeGreaterThanOrEqual(6);
    // Questions about sizes have no tensors.
    expect(cells().includes('?')).toBe(set !== 'shapes');
  });
});
