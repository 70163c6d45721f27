import { expect, it } from 'vitest';
import { PATHS } from '../../../web/src/lessons/lessons';
import { one, says } from '../support/page/find';
import { open, usePage, wait } from '../support/page/open';
import { click } from '../support/page/user';

// "Finish" after the last step of a path: what is done of it, the next lesson, and the end of the path.

usePage();

/** In another tab. */
async function haveDone(lessons: readonly { readonly id: string }[]): Promise<void> {
  localStorage.setItem('conv2d playground lessons', JSON.stringify({ done: lessons.map(({ id }) => id) }));
  dispatchEvent(new Event('storage'));
  await wait(100);
}

it.each([
  ['Core path', 8, 'The end of the core path', /whether both are right\./],
  ['Further lessons', 24, 'The end of the lessons', /gradients go back through a network\./],
] as const)('“Finish” of %s', async (title, count, end, words) => {
  const at = PATHS.findIndex((path) => path.title === title);
  const lessons = PATHS[at]?.lessons ?? [];
  const upToHere = PATHS.slice(0, at + 1).flatMap((path) => path.lessons);
  expect(upToHere).toHaveLength(count);
  const last = lessons.at(-1);
  await open(`#lesson=${last?.id}.${last?.steps.length}`);
  await click(one('button', 'Show me'));
  await click(one('button', 'Finish'));
  // No step of the last lesson was skipped.
  const region = () => one('region', title);
  expect(says(`${title}: 1 of ${lessons.length} lessons done`, region())).toBe(true);
  expect(says('Next: One window, one number. A lesson counts if you do all of its steps.', region())).toBe(true);
  await haveDone(upToHere.slice(0, -1));
  expect(says(`${title}: ${lessons.length - 1} of ${lessons.length} lessons done`, region())).toBe(true);
  expect(says(`Next: ${last?.title}. A lesson`, region())).toBe(true);
  await haveDone(upToHere);
  expect(says(words, one('region', end))).toBe(true);
});
