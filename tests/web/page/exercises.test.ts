import { expect, test, vi } from 'vitest';
import { openOf } from '../../../web/src/state/problem';
import { part, texts } from '../support/page/find';
import { open, settle, usePage, wait } from '../support/page/open';
import { enter } from '../support/page/user';
import { InProcessWorker } from '../support/page/worker';

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
  expect(openOf(page.store.problem.value).desc.h).toBe(9);
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
  expect(openOf(page.store.problem.value).desc.h).not.toBe(9);
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
