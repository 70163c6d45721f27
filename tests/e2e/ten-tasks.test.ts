import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt } from './support/grids';
import { PHONE } from './support/survey/walks';

// Ten tasks by keyboard, and some of them by touch: after each step, what has the focus in the accessibility tree, and what a screen reader
// is told.

const stage = useStage();

/**
 * An act, the role and the first words of what then has the focus, and the line that is said, if more is needed. Acts are keys; "to" and
 * "back to", Tab and Shift+Tab until that has the focus; and "tap" with a role and a name, or with a cell.
 */
type Step = readonly [act: string, focus: string, said?: RegExp];
type Tasks = Readonly<Record<string, readonly Step[]>>;

const SUM = /^dx\[1,1\] is −1: the sum of 4 products\.$/;
const WRONG = /^y\[2,2\] is not 1\. One common mistake gives exactly that:/;
const BACK = /^Your own work is back\.$/;

const BY_KEYS: Tasks = {
  'change the stride': [
    ['to', 'spinbutton stride'],
    ['ArrowUp', 'spinbutton stride', /^stride 2: y is 2 × 2\.$/],
  ],
  'edit a cell of x': [
    ['to', 'gridcell x[0,0] = 0'],
    ['ArrowRight 7 Enter', 'gridcell x[0,1] = 7', /^x\[0,1\] = 7\. y: 1 cell changed, y\[0,1\] from 1 to −6\.$/],
  ],
  'read the sum of dx[1,1]': [
    ['to', 'gridcell dx[0,0] = 0'],
    ['ArrowRight ArrowDown Space', 'gridcell dx[1,1] = −1', SUM],
    ['e', 'region Explain'],
    ['e', 'gridcell dx[1,1] = −1'],
    ['Escape', 'gridcell dx[1,1] = −1', /^No cell is pinned\.$/],
  ],
  'step through dx': [
    ['to', 'tab Overview'],
    ['ArrowRight ArrowRight ArrowRight', 'tab Backward'],
    ['to', 'button One step forward'],
    ['Enter', 'button One step forward', /^Step 13 of 25: the flipped w gives dx\[2,2\]: 9 of 9 weights are on dy\.$/],
    ['Enter Enter', 'button One step forward', /^Step 15 of 25/],
  ],
  'hide a value and find it': [
    ['to', 'gridcell dx[0,0] = 0'],
    ['h', 'gridcell dx[0,0] = ?, hidden', /^dx\[0,0\] is hidden\.$/],
    ['e', 'region Explain'],
    ['to', 'textbox dx[0,0] ='],
    ['9 Enter', 'textbox dx[0,0] =', /^dx\[0,0\] is not 9/],
    ['ControlOrMeta+a 0 Enter', 'region Explain', /^0 is correct\. dx\[0,0\] is 0: the sum of 1 product\.$/],
  ],
  'answer a question of an exercise': [
    ['l', 'heading Start here'],
    ['to', 'button Exercises'],
    ['Enter Tab', 'button Forward sums'],
    ['Enter', 'heading What is y[0,3]?'],
    ['to', 'textbox y[0,3] ='],
    ['1 Enter', 'textbox y[0,3] =', /^y\[0,3\] is not 1\. It could be one of these mistakes:/],
    ['to', 'button Next question'],
    ['Enter', 'textbox y[0,2] ='],
    ['back to', 'button Leave exercises'],
    ['Enter', 'heading Start here', BACK],
  ],
  'answer a question of a lesson': [
    ['l', 'heading Start here'],
    ['to', 'button Start: One window, one number'],
    ['Enter', 'heading Three grids of numbers', /^Step 1 of 4: Three grids of numbers\. /],
    ['n', 'heading Multiply cell by cell, then add', /^Step 2 of 4: Multiply cell by cell/],
    ['to', 'textbox y[2,2] ='],
    ['1 Enter', 'textbox y[2,2] =', WRONG],
    ['ControlOrMeta+a 0 Enter', 'button Next', /^Done\. All weights are added/],
    ['Enter', 'button Skip', /^Step 3 of 4: A kernel detects a pattern\./],
    ['Escape', 'heading Start here', BACK],
  ],
  'add a ReLU and open it, then the convolution before it': [
    ['to', 'tab Overview'],
    ['ArrowRight', 'tab Network'],
    ['to', 'button Add ReLU'],
    ['Enter', 'button y2 ReLU', /^Layer 2, ReLU, added\.$/],
    ['Enter', 'button Remove layer 2: ReLU'],
    ['Escape', 'button y2 ReLU'],
    ['back to', 'button y1 conv 3 × 3'],
    ['Enter', 'button Open layer 1: conv 3 × 3'],
    ['Enter', 'button ‹ Network', /^Layer 1, conv 3 × 3\.$/],
    ['Enter', 'button y1 conv 3 × 3'],
  ],
  'import an array': [
    ['to', 'button Import arrays'],
    ['Enter', 'button Close'],
    ['to', 'button Import x'],
    ['Enter', 'button Import arrays', /^x: 25 cells changed\. y: 9 cells changed, y\[1,1\] from 3 to 8\.$/],
  ],
  'copy the link': [
    ['to', 'button Share'],
    ['Enter', 'menuitem Copy link'],
    ['Enter', 'button Share', /^Link copied\.$/],
  ],
  'save a figure': [
    ['to', 'gridcell y[0,0] = 1'],
    ['p', 'button Close'],
    ['to', 'button Save PNG'],
    ['Enter', 'button Save PNG', /^conv2d-y\.png was saved\.$/],
    ['Escape', 'gridcell y[0,0] = 1'],
  ],
};

const BY_TOUCH: Tasks = {
  'pin a cell and edit it in Explain': [
    ['tap cell x 1 1', 'gridcell x[1,1] = 0', /^x\[1,1\] is 0\.$/],
    ['tap button Explain', 'button Explain'],
    ['tap textbox value of x[1,1]', 'textbox value of x[1,1]'],
    [
      'ControlOrMeta+a 7 Enter',
      'textbox value of x[1,1]',
      /^x\[1,1\] = 7\. y: 2 cells changed, y\[1,1\] from 3 to −4\.$/,
    ],
  ],
  'hide a value': [
    ['tap cell dx 1 1', 'gridcell dx[1,1] = −1', SUM],
    ['tap button Explain', 'button Explain'],
    ['tap button Hide dx[1,1]', 'region Explain', /^dx\[1,1\] is hidden\.$/],
  ],
  'answer a question of a lesson, and leave it': [
    ['tap button Start here', 'heading Start here'],
    ['tap button Start: One window, one number', 'heading Three grids of numbers', /^Step 1 of 4: /],
    ['tap button Skip', 'button Skip', /^Step 2 of 4: /],
    ['tap textbox y[2,2] =', 'textbox y[2,2] ='],
    ['1 Enter', 'textbox y[2,2] =', WRONG],
    ['tap button Leave lesson', 'heading Start here', BACK],
  ],
};

const FILE = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('1,2,3,4,5\n'.repeat(5)) };
/** Stops of Tab on the page, at most. */
const STOPS = 120;

interface Tree {
  readonly nodes: readonly {
    readonly role?: { readonly value?: string };
    readonly name?: { readonly value?: string };
    readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  }[];
}

/** "button Next": role and name of what has the focus, from the accessibility tree. */
async function focused(session: CDPSession): Promise<string> {
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as Tree;
  const node = nodes.findLast(({ properties = [] }) =>
    properties.some(({ name, value }) => name === 'focused' && value.value === true),
  );
  return `${node?.role?.value} ${node?.name?.value}`.replaceAll('\u00a0', ' ');
}

/** Collects what live regions say. One that comes together with its text is silent, unless it is an alert. */
function listen(): void {
  const heard: string[] = [];
  Object.assign(window, { heard });
  const known = new Map<Element, string>();
  const look = () => {
    for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) {
      const text = (region.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
      const isSaid = known.has(region) ? known.get(region) !== text : region.role === 'alert';
      if (isSaid && text !== '' && region.checkVisibility()) heard.push(text);
      known.set(region, text);
    }
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}

async function act(page: Page, session: CDPSession, [what, focus]: Step): Promise<void> {
  const [, tensor = '', row, col] = /^tap cell (\w+) (\d) (\d)$/.exec(what) ?? [];
  const [, role = '', name = ''] = /^tap (\w+) (.*)$/.exec(what) ?? [];
  const to = { to: 'Tab', 'back to': 'Shift+Tab' }[what];
  if (tensor) await cellAt(page, tensor, Number(row), Number(col)).tap();
  else if (role) await page.getByRole(role as 'button', { name, exact: true }).tap();
  else if (!to) for (const key of what.split(' ')) await page.keyboard.press(key);
  for (let i = 0; to && i < STOPS && !(await focused(session)).startsWith(focus); i += 1) await page.keyboard.press(to);
}

describe.each([
  ['by keyboard', BY_KEYS, { viewport: { width: 1280, height: 720 } }],
  ['by touch', BY_TOUCH, PHONE],
  ['by touch, sideways', BY_TOUCH, { ...PHONE, viewport: { width: 844, height: 390 } }],
] as const)('%s', (_, tasks, device) => {
  it.each(Object.entries(tasks))('%s: the focus is on what is next, and what changed is said', async (_name, steps) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, troubles } = await openPage(stage, { ...device, permissions, reducedMotion: 'reduce' }, '');
    page.on('filechooser', (chooser) => void chooser.setFiles(FILE));
    const session = await page.context().newCDPSession(page);
    await page.locator('.spoken').waitFor({ state: 'attached' });
    for (const step of steps) {
      const [message, focus, said] = step;
      await page.evaluate(listen);
      await act(page, session, step);
      const where = async () => (await focused(session)).slice(0, focus.length);
      await expect.poll(where, { message }).toBe(focus);
      const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
      if (said) await expect.poll(heard, { message }).toMatch(new RegExp(said, 'm'));
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
