import { expect, it } from 'vitest';
import { openBug } from '../../../web/src/app/lesson/spot/SpotTheBug';
import { part } from '../support/page/find';
import { NO_LINK, open, settle, usePage } from '../support/page/open';
import { layerOf } from '../support/problems';

// The walk is tests/e2e/spot-the-bug.test.ts.

usePage();

/** A bug that the default problem does not show: the page looks for another one. */
const HIDDEN = { seed: 7, pass: 'backward_data', letter: 2 } as const;

async function openHidden(meanwhile: (page: Awaited<ReturnType<typeof open>>) => void) {
  const page = await open(NO_LINK);
  openBug(page, HIDDEN);
  page.look.side.value = 'lesson';
  meanwhile(page);
  await settle();
  expect(part('.spot__name').textContent).toContain('Which bug is C?');
  return layerOf(page.store.problem.peek()).desc.h;
}

it('looks for a problem that shows the bug', async () => {
  expect(await openHidden(() => undefined)).toBe(7);
});

it('keeps an edit that the user makes meanwhile', async () => {
  expect(await openHidden(({ store }) => store.setDesc({ h: 6 }))).toBe(6);
});

it('does not overtake an image that the user opens meanwhile', async () => {
  let later: () => unknown = () => 'not opened';
  await openHidden(({ store }) => {
    later = store.begin();
  });
  expect(later()).toBeNull();
});
