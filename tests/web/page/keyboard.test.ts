import { describe, expect, it } from 'vitest';
import { all, cellAt, grid, nameOf, one, part, shown, texts } from '../support/page/find';
import { DESKTOP, NOTEBOOK_4, open, PHONE, usePage } from '../support/page/open';
import { explained, headline, openMode } from '../support/page/stage';
import { click, focus, press, type } from '../support/page/user';

// The page by keyboard and screen reader: focus and accessible text.

usePage();

/** A short description of the focused element. */
function focused(): string {
  const { activeElement: active } = document;
  if (!active || active === document.body) return 'nothing';
  const cell = active.closest<HTMLElement>('[role=gridcell]');
  if (!cell) return `${active.localName} ${active.localName === 'main' ? active.id : nameOf(active)}`;
  return `${cell.closest('[role=grid]')?.getAttribute('aria-label')} ${cell.dataset['row']},${cell.dataset['col']}`;
}
const isPinned = () => all('button', 'Unpin this cell').length > 0;

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('on %s', (_, device) => {
  it('E moves the focus from a cell to its explanation and back, L to the list of lessons', async () => {
    await open(NOTEBOOK_4, device);
    await focus(cellAt('y', 0, 0));
    await press('ArrowRight');
    await press('e');
    expect(focused()).toBe('section Explain');
    expect(headline()).toMatch(/^y\[0,1\] = /);
    expect(texts('.term', explained()).length).toBeGreaterThan(0);
    await press('e');
    expect(focused()).toBe('y 0,1');
    await press('e');
    expect(isPinned()).toBe(true);
    await press('Escape');
    expect(focused()).toBe('y 0,1');
    expect(isPinned()).toBe(false);
    await press('l');
    expect(document.activeElement?.classList.contains('catalogue__title')).toBe(true);
  });
});

describe('Esc keeps the focus somewhere', () => {
  it('in the grid, in the explanation of a clicked cell, and in the field of its value', async () => {
    await open(NOTEBOOK_4);
    await press(' ', cellAt('y', 1, 2));
    await press('Escape');
    expect(focused()).toBe('y 1,2');
    // Not entered by the key, but back to the cell, too.
    await click(cellAt('y', 2, 1));
    await focus(one('button', 'Unpin this cell', explained()));
    await press('Escape');
    expect(focused()).toBe('y 2,1');
    await click(cellAt('w', 1, 1));
    await focus(one('textbox', 'value of w[1,1]', explained()));
    await press('Escape');
    expect(focused()).toBe('w 1,1');
    expect(isPinned()).toBe(false);
  });

  it('in the editor of a cell, also after a refused value', async () => {
    await open(NOTEBOOK_4);
    await focus(cellAt('w', 0, 1));
    for (const text of ['5', '-']) {
      await press('Enter');
      await press('Control+a');
      await type(text);
      if (text === '-') await press('Enter');
      await press('Escape');
      expect(focused(), text).toBe('w 0,1');
    }
    // Esc discards what was typed.
    expect(shown('w')[1]).toBe(11);
  });

  it('in the sheets of a narrow page, which it closes', async () => {
    await open(NOTEBOOK_4, PHONE);
    const isOpen = (name: string) => one('button', name).getAttribute('aria-expanded');
    await click(one('button', 'Controls'));
    await focus(one('spinbutton', 'stride'));
    expect(isOpen('Controls')).toBe('true');
    await press('Escape');
    expect(isOpen('Controls')).toBe('false');
    expect(focused()).toBe('button Controls');
    await click(one('button', 'Explain'));
    await focus(one('tab', 'Explain'));
    expect(isOpen('Explain')).toBe('true');
    await press('Escape');
    expect(isOpen('Explain')).toBe('false');
    expect(focused()).toBe('button Explain');
  });
});

it('the focus is not lost by the next view or by hiding the focused controls', async () => {
  await open(NOTEBOOK_4);
  await focus(cellAt('y', 1, 1));
  await press('Alt+PageDown');
  expect(one('tab', 'Network').getAttribute('aria-selected')).toBe('true');
  expect(focused()).toBe('button Network');
  await press('Enter', one('button', 'Hide controls'));
  expect(focused()).toBe('button Show controls');
});

describe('a focused cell has the same name as in Explain', () => {
  const said = () => document.activeElement?.getAttribute('aria-label') ?? '';

  it('in grids, in the padding too, before and after an edit and its undo', async () => {
    await open(NOTEBOOK_4);
    await focus(cellAt('x', 1, 1));
    await press('Control+Home');
    expect(said()).toBe('x[−1,−1] = 0, padding');
    await press('ArrowDown');
    await press('ArrowRight');
    await press('ArrowRight');
    expect(said()).toBe('x[0,1] = 1');
    expect(headline()).toBe('x[0,1] = 1');
    // The first key opens the editor.
    await type('100');
    await press('Enter');
    expect(said()).toBe('x[0,1] = 100');
    await press('Control+z');
    expect(said()).toBe('x[0,1] = 1');
    await press('ArrowLeft');
    expect(said()).toBe('x[0,0] = 0');
    // No stale name is left in any grid: one cell of each has its name.
    const named = [...document.querySelectorAll<HTMLElement>('[role=gridcell][aria-label*=" = "]')];
    expect(named.length).toBeGreaterThan(5);
    const old = named.filter(
      (cell) => cell.tabIndex !== 0 || !cell.getAttribute('aria-label')?.includes(` = ${cell.textContent || '0'}`),
    );
    expect(old.map(({ outerHTML }) => outerHTML)).toEqual([]);
  });

  it('in several images and channels, in maps, and in the matrices of other modes', async () => {
    await open('#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1');
    const agree = (name: RegExp) => {
      expect(said()).toMatch(name);
      // A shortened value has all its digits in the accessible name.
      const [called, figure] = said()
        .replace(/, \w+$/, '')
        .split(' = ');
      const exactly = document.activeElement?.getAttribute('aria-description') ?? figure;
      expect(headline()).toBe(`${called} = ${exactly}`);
    };
    await focus(cellAt('y[n=0, k=0]', 1, 2));
    agree(/y\[0,1,2,0\] = /);
    await focus(cellAt('w[c=0, k=0]', 2, 1));
    agree(/w\[2,1,0,0\] = /);
    await openMode('im2col');
    await focus(part('[role=gridcell]', grid('x_col')));
    agree(/x_col\[/);
    await open('#h=40&w=40&padding=2&kernel=5&x=random:1');
    await focus(part('[role=gridcell]', grid('x')));
    await press('ArrowDown');
    expect(said()).toMatch(/^x\[1,0\] = /);
    expect(document.activeElement?.getAttribute('aria-colindex')).toBe('1');
    expect(document.activeElement?.parentElement?.getAttribute('aria-rowindex')).toBe('2');
  });
});
