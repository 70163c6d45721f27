import { expect, it } from 'vitest';
import { EXAMPLES } from '../../../web/src/lessons/examples';
import { all, hasGrid, one, shown } from '../support/page/find';
import { open, usePage } from '../support/page/open';
import { openMode } from '../support/page/stage';
import { press, select } from '../support/page/user';

// Networks to begin with, in the view Network.

usePage();

/** Layers, and the last output: by plain loops outside the project. */
const PRESETS = [
  { title: 'conv, ReLU, conv', layers: 3, last: [10, 13, -8, -6] },
  { title: 'A small LeNet', layers: 6, last: [15] },
  { title: 'Gradients that vanish', layers: 4, last: Array.from({ length: 9 }, () => 1 / 16) },
] as const;

it.each(PRESETS)('builds “$title” in one choice, and undo takes it back', async ({ title, layers, last }) => {
  await open('#h=4&kh=2&x=ones&weights=ones&mode=network');
  await select(one('combobox', 'network to begin with'), title);
  expect(hasGrid(`y${layers}`)).toBe(true);
  expect(hasGrid(`y${layers + 1}`)).toBe(false);
  // Cells have three digits.
  expect(shown(`y${layers}`)).toEqual(last.map((value) => Number(value.toPrecision(3))));
  expect((one('combobox', 'network to begin with') as HTMLSelectElement).value).toBe('');
  await press('Control+z');
  expect(hasGrid('y2')).toBe(false);
  expect(shown('y')).toEqual(Array.from({ length: 9 }, () => 4));
});

it('halves the gradient in each of the four convolutions that vanish', async () => {
  await open('#h=4&kh=2&x=ones&weights=ones&mode=network');
  await select(one('combobox', 'network to begin with'), 'Gradients that vanish');
  for (const [name, value] of [
    ['dy4', 1],
    ['dy2', 0.25],
    ['dx', 0.0625],
  ] as const)
    expect(shown(name)[0], name).toBe(value);
});

it('offers the networks of the examples, and none while values are asked for', async () => {
  await open('#h=4&kh=2&x=ones&weights=ones&mode=network');
  const titles = [...one('combobox', 'network to begin with').querySelectorAll('option')].map(
    (each) => each.textContent,
  );
  const networks = EXAMPLES.find(({ title }) => title === 'Networks')?.examples.map(({ title }) => title) ?? [];
  expect(networks.length).toBeGreaterThanOrEqual(4);
  expect(titles).toEqual(['Presets', ...networks]);
  // An exercise shows the other settings of the view.
  await open('#lesson=two-layers.1');
  await openMode('Network');
  expect(all('combobox', 'place of the new layer')).toHaveLength(1);
  expect(all('combobox', 'network to begin with')).toEqual([]);
});
