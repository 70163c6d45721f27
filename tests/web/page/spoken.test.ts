import { afterEach, describe, expect, it } from 'vitest';
import { speakChanges } from '../../../web/src/app/deferred/speak-changes';
import { cellAt, grid, one, part } from '../support/page/find';
import { goTo, NO_LINK, NOTEBOOK_4, open, usePage, wait } from '../support/page/open';
import { click, enter, hover, press, typeInto } from '../support/page/user';

// What a screen reader says after an edit.

usePage();
afterEach(() => document.querySelector('.spoken')?.remove());

const openSpeaking = async (hash: string) => speakChanges(await open(hash), document.body);
async function heard(): Promise<string> {
  await wait(300);
  return part('.spoken').textContent ?? '';
}

describe('the live region', () => {
  it('is there before the first change, and empty', async () => {
    await openSpeaking(NO_LINK);
    expect(await heard()).toBe('');
    expect(part('.spoken').getAttribute('role')).toBe('status');
  });

  // In x, four cells in the top left corner are 1: y[1,1] reads two of them, and the middle column of w is 0.
  it('says an edited cell, the number of cells of y that changed, and the cell that the page is about', async () => {
    await openSpeaking(NO_LINK);
    await typeInto('x', 1, 1, '5');
    expect(await heard()).toBe('x[1,1] = 5. y: 2 cells changed, y[1,1] from 3 to \u22122.');
    await press('Control+z');
    expect(await heard()).toBe('x[1,1] = 0. y: 2 cells changed, y[1,1] from \u22122 to 3.');
  });

  it('says sizes, and another problem', async () => {
    await openSpeaking(NO_LINK);
    await enter(one('spinbutton', 'stride'), '2');
    expect(await heard()).toBe('stride 2: y is 2 \u00d7 2.');
    await goTo('#h=9&w=8&kh=2&c=2&k=3&stride=1');
    expect(await heard()).toBe('Another problem: y is 8 \u00d7 7.');
    await goTo('#h=9&w=9&kh=2&layer.2=relu&layer.3=relu');
    expect(await heard()).toBe('Another problem: 3 layers, y is 8 \u00d7 8.');
  });

  it('is silent while the 1 of dy follows the pointer, and says a painted dy with its gradient', async () => {
    await openSpeaking('#h=4&kh=2&x=ones&weights=ones&dy=pointed:0');
    await hover(cellAt('y', 2, 2));
    expect(await heard()).toBe('');
    await typeInto('dy', 0, 0, '2');
    // The window of dy[0,0] has four cells, and w is 1. The 1 of dy was already there: the cell was pointed at.
    expect(await heard()).toBe('dy[0,0] = 2. dx: 4 cells changed, dx[0,0] from 1 to 2.');
  });

  it('counts only what is not hidden, and says no hidden number', async () => {
    await openSpeaking('#h=4&kh=2&x=ones&weights=ones&hidden=y.0&cell=y.0');
    await typeInto('x', 1, 1, '3');
    expect(await heard()).toBe('x[1,1] = 3. y: 3 cells changed, y[0,1] from 4 to 6.');
  });

  it('says a layer that was added, and moves the focus to it; cells have the names of the network', async () => {
    await openSpeaking('#h=4&kh=2&x=ones&weights=ones&mode=network');
    await click(one('button', /^Add ReLU/));
    expect(await heard()).toBe('Layer 2, ReLU, added.');
    expect(document.activeElement?.textContent).toBe('y2ReLU');
    await typeInto('x', 0, 0, '3');
    expect(await heard()).toBe('x[0,0] = 3. y2: 1 cell changed, y2[0,0] from 4 to 6.');
    await press('Control+z');
    await heard();
    await press('Control+z');
    expect(await heard()).toBe('Layer 2, ReLU, removed.');
  });

  it('says the sum of a cell once it is pinned, not again after an edit, and that none is', async () => {
    await openSpeaking(NOTEBOOK_4);
    await click(cellAt('y', 0, 0));
    // Four of nine terms: the others are in the padding, and count too.
    expect(await heard()).toBe('y[0,0] is 74: the sum of 9 products.');
    // y[0,0] reads x[0,0] = 0 with w[1,1]. The pin follows the keyboard to w, and returns by a click.
    await typeInto('w', 1, 1, '9');
    await click(cellAt('y', 0, 0));
    await heard();
    await press('Control+z');
    expect(await heard()).toMatch(/^w\[1,1\] = 8\. y: \d+ cells changed, /);
    await press('Escape');
    expect(await heard()).toBe('No cell is pinned.');
    await click(cellAt('x', 3, 3));
    expect(await heard()).toMatch(/^x\[2,2\] is \d+\.$/);
  });

  it('says what is hidden, and a right answer with the cell', async () => {
    await openSpeaking('#h=4&kh=2&x=ones&weights=ones&cell=y.0');
    await press('h');
    expect(await heard()).toBe('y[0,0] is hidden.');
    await enter(one('textbox', 'y[0,0] ='), '4');
    expect(await heard()).toBe('4 is correct. y[0,0] is 4: the sum of 4 products.');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Explain');
  });

  it('says after a lesson that the own work is back', async () => {
    await openSpeaking('#h=4&kh=2&x=ones&weights=ones');
    await press('l');
    await click(one('button', /^(?:Start|Continue): /));
    await heard();
    await press('Escape');
    expect(await heard()).toBe('Your own work is back.');
  });

  it('leaves the first step of a lesson to the lesson, which has the focus', async () => {
    await openSpeaking(NO_LINK);
    await press('l');
    await click(one('button', /^(?:Start|Continue): /));
    expect(await heard()).toBe('');
    expect(part('.lesson__spoken').textContent).toMatch(/^Step 1 of 4: Three grids of numbers/);
  });
});

it('a grid says what its tensor is', async () => {
  await open(NO_LINK);
  const about = (name: string) => grid(name).getAttribute('aria-description');
  expect([about('x'), about('y'), about('dy')]).toEqual([
    'input 5 \u00d7 5',
    'output 3 \u00d7 3',
    'gradient of y 3 \u00d7 3',
  ]);
});
