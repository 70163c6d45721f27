import { expect, test } from 'vitest';
import { one } from '../support/page/find';
import { open, usePage } from '../support/page/open';
import { click } from '../support/page/user';

usePage();

const NETWORK = '#h=4&kh=1&x=ramp&weights=ones&mode=network';

// The focus scrolls its element into view: the card is shown from its head where that element is near it.
test.each([
  ['conv_transpose;kernel:3;stride:2;weights:ones', 'combobox', 'channels of y of layer 2'],
  ['max_pool;kernel:2', 'combobox', 'window of layer 2'],
  ['relu', 'button', 'Remove layer 2: ReLU'],
  ['conv;kh:2;kw:2;weights:ones', 'button', 'Open layer 2: conv 2 × 2'],
] as const)('the card of a layer %s has the focus in its first control', async (layer, role, name) => {
  await open(`${NETWORK}&layer.2=${layer}&dy=ones`);
  await click(document.querySelectorAll<HTMLElement>('.dy-menu__button')[1] ?? expect.fail('no card'));
  expect(document.activeElement).toBe(one(role, name));
});
