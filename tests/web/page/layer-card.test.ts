import { expect, test } from 'vitest';
import { part, says } from '../support/page/find';
import { open, usePage } from '../support/page/open';
import { explained } from '../support/page/stage';
import { click } from '../support/page/user';

usePage();

const NETWORK = '#h=4&kh=1&x=ramp&weights=ones&mode=network';

// The focus scrolls its element into view: behind fields, a button would scroll the head out of a low window.
test.each([
  ['conv_transpose;kernel:3;stride:2;weights:ones', 'STRONG', 'Layer 2: transposed conv 3 × 3 (stride 2)'],
  ['max_pool;kernel:2', 'STRONG', 'Layer 2: max pooling 2 × 2'],
  ['relu', 'BUTTON', 'Remove'],
  ['conv;kh:2;kw:2;weights:ones', 'BUTTON', 'Open'],
] as const)('the card of a layer %s has the focus at its head', async (layer, element, text) => {
  await open(`${NETWORK}&layer.2=${layer}&dy=ones`);
  await click(document.querySelectorAll<HTMLElement>('.dy-menu__button')[1] ?? expect.fail('no card'));
  const focused = document.activeElement;
  expect([focused?.tagName, focused?.textContent?.replaceAll('\u00a0', ' ')]).toEqual([element, text]);
});

test.each([
  ['', 'No window covers this cell, so it is exactly 0.'],
  [';bias:ones', 'No window covers this cell, so it is the bias alone.'],
])('a cell of a transposed layer%s that no window reaches says what it is', async (bias, text) => {
  // Kernel 1 and stride 2: every second row and column of y2 is a gap.
  await open(`${NETWORK}&layer.2=conv_transpose;kernel:1;stride:2;weights:ones${bias}&dy=ones`);
  await click(part('[role=grid][aria-label^="y2"] [role=gridcell][data-row="1"][data-col="1"]'));
  await expect.poll(() => says(text, explained())).toBe(true);
});
