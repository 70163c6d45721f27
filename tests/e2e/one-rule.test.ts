import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { StepData } from '../../web/src/lessons/lesson';
import { LESSONS, linkOf, stepRefText } from '../../web/src/lessons/lessons';
import { layerOf } from '../web/support/problems';
import '../../web/src/link/network-fields';
import { parseLink } from '../../web/src/link/parse-link';
import { THOROUGH } from '../thorough';
import { passesOf } from '../web/lessons/loops';
import { openPage, useStage } from './support/browser';
import { contradictionsIn, type Panel, prepareReadings, type Reading } from './support/readings';

// The rule of docs/decisions.md, "One cell at a time": at each step of each player, the caption, the outlines of every tensor and Explain
// are about the same cell and the same window.

const stage = useStage();

interface Problem {
  readonly name: string;
  readonly link: string;
  readonly isBatch: boolean;
  /** The first row and column of the kernel on the padded dy for dx[0,0], from the first cell of dy, and its step. */
  readonly flipped: { readonly row: number; readonly col: number; readonly step: number; readonly size: number };
}

const PROBLEMS: readonly Problem[] = [
  {
    name: 'the opening problem',
    link: 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=pointed:4',
    isBatch: false,
    flipped: { row: -2, col: -2, step: 1, size: 3 },
  },
  {
    name: 'stride, padding and dilation',
    link: 'h=8&w=7&kh=3&stride=2&padding=1,2,2,1&dilation=2&x=ramp&weights=countdown:9&dy=random:3',
    isBatch: false,
    // Padding (1 at the top, 2 at the left) − 2 · 2.
    flipped: { row: -3, col: -2, step: 2, size: 3 },
  },
  {
    name: 'a batch, channels and groups',
    link: 'n=2&h=4&kh=2&c=4&k=4&groups=2&padding=1,0,0,1&x=random:1&weights=random:2&dy=random:3&slice=c1.k1',
    isBatch: true,
    flipped: { row: 0, col: -1, step: 1, size: 2 },
  },
];

/** Every player and choice as a link to a step, which ends with its number; `after`: the player is used before the first reading. */
const PLAYERS: readonly { readonly link: string; readonly after?: boolean }[] = [
  { link: 'board.t=' },
  { link: 'board.paint=true&board.t=' },
  { link: 'mode=dx&dx.way=scatter&dx.t=' },
  { link: 'mode=dx&dx.way=gather&dx.t=' },
  { link: 'mode=dx&dx.t=' },
  { link: 'mode=dx&dx.unturned=true&dx.t=' },
  { link: 'mode=dw&dw.way=dilated_dy&dw.t=' },
  { link: 'mode=dw&dw.way=direct&dw.accumulated=' },
  { link: 'mode=dw&dw.way=sum&dw.bias-t=' },
  { link: 'mode=lowering&lowering.rows=' },
  { link: 'mode=lowering&lowering.order=c_kh_kw&lowering.transposed=true&lowering.rows=' },
  { link: 'mode=lowering&lowering.follow=column&lowering.rows=', after: true },
  { link: 'mode=lowering&lowering.follow=copies&lowering.rows=', after: true },
  { link: 'mode=lowering&lowering.part=fold&lowering.folded=' },
  { link: 'mode=lowering&lowering.part=fold&lowering.mode=average&lowering.folded=' },
  { link: 'mode=lowering&lowering.part=fold&lowering.mode=overwrite&lowering.folded=' },
];

/** At most this many steps of a player are read, evenly spaced. */
const MOST = THOROUGH ? 12 : 2;

/** Goes to each of the steps and reads it when nothing has changed for two frames. */
const readSteps = (page: Page, steps: readonly number[]): Promise<readonly Reading[]> =>
  page.evaluate(async (wanted) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const read = () => window.readReading?.();
    const slider = document.querySelector<HTMLInputElement>('main .scrubber__slider');
    const found = [];
    for (const step of wanted) {
      if (slider && slider.valueAsNumber !== step) {
        slider.value = String(step);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
      let last = '';
      for (let same = 0, frames = 0; same < 2 && frames < 3600; frames += 1) {
        await frame();
        const now = read();
        const isThere = now?.count.startsWith(`${step} /`) && document.querySelector('.canvas[data-waits="false"]');
        if (!document.querySelector('.terms')) document.querySelector<HTMLElement>('.plane__head button')?.click();
        for (const button of document.querySelectorAll<HTMLElement>('.terms button'))
          if (/^(Show all|\d+ products are 0)/.test(button.textContent ?? '')) button.click();
        same = isThere && JSON.stringify(now) === last ? same + 1 : 0;
        last = JSON.stringify(now);
      }
      found.push(read());
    }
    return found as Reading[];
  }, steps);

/** The outlines of the padded dy: Explain has no name for its zeros. */
function windowOnDy({ explained, panels }: Reading, { isBatch, flipped: { row, col, step, size } }: Problem): string[] {
  const dy = panels.find(({ tensor }) => tensor === 'dy_inserted');
  const dx = /^dx\[(.*)\]$/
    .exec(explained ?? '')?.[1]
    ?.split(',')
    .map(Number);
  if (!dy || !dx) return [];
  const [r = 0, c = 0] = isBatch ? dx.slice(1) : dx;
  const span = (first: number) => Array.from({ length: size }, (_, i) => first + i * step);
  const wanted = { rows: span(r + row), cols: span(c + col) };
  const isRight = JSON.stringify(dy.outlined) === JSON.stringify(wanted);
  return isRight ? [] : [`${dy.label}: ${JSON.stringify(dy.outlined)} in place of ${JSON.stringify(wanted)}`];
}

async function open(page: Page, link: string): Promise<number> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link);
  const view = /mode=([^&]*)/.exec(link)?.[1] ?? 'board';
  await page.locator(`#view-${view}[aria-selected="true"]`).waitFor();
  const step = /(\d+)$/.exec(link)?.[1];
  const count = page.locator('main .scrubber__count');
  await expect.poll(() => count.textContent()).toMatch(new RegExp(`^${step} / `));
  return Number((await count.textContent())?.split('/')[1]);
}

const spaced = (total: number): readonly number[] => {
  const count = Math.min(total, MOST);
  return [
    ...new Set(Array.from({ length: count }, (_, i) => 1 + Math.round((i * (total - 1)) / Math.max(count - 1, 1)))),
  ];
};

test.each(PROBLEMS)(
  'at each step of each player, caption, outlines and Explain are about the same cell: $name',
  async (problem) => {
    const { link, isBatch } = problem;
    const { page, troubles } = await openPage(stage, {}, `#${link}`);
    await page.locator('main .panel--y').waitFor();
    await prepareReadings(page);
    const wrong: string[] = [];
    let read = 0;
    for (const { link: player, after } of PLAYERS) {
      const total = await open(page, `${link}&${player}1`);
      // The first step is the link's, or the player's after it was used.
      const steps = after ? [2, ...spaced(total)] : spaced(total);
      for (const [i, reading] of (await readSteps(page, steps)).entries()) {
        const found = [...contradictionsIn(reading, isBatch), ...windowOnDy(reading, problem)];
        wrong.push(...found.map((text) => `${player}${steps[i]}: ${text}`));
        read += 1;
      }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThanOrEqual(2 * PLAYERS.length);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  },
);

const NOTEBOOK = '#h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

test.each([
  ['dx', 'mode=dx&dx.t=6', 'dx[1,1]', 'dx', 2, 2],
  ['gather', 'mode=dx&dx.way=gather&dx.t=6', 'dx[1,1]', 'dx', 0, 3],
  ['dw', 'mode=dw&dw.way=dilated_dy&dw.t=2', 'dw[0,1]', 'dw_uncropped', 2, 0],
  ['Overview', 'board.t=2', 'y[0,1]', 'y', 0, 0],
  ['col2im', 'mode=lowering&lowering.part=fold&lowering.folded=2', 'dy[0,1]', 'dx', 0, 0],
  ['im2col', 'mode=lowering&lowering.rows=2', 'y[0,1]', 'x', 3, 3],
])(
  'outlines and Explain follow the pointer and a pin in %s, and the caption says so',
  async (_name, link, stepCell, tensor, row, col) => {
    const { page, troubles } = await openPage(stage, {}, `${NOTEBOOK}&${link}`);
    const read = async () => {
      await prepareReadings(page);
      return (await page.evaluate(() => window.readReading?.())) as Reading;
    };
    const agrees = async (name: string) => {
      await expect.poll(async () => (await read()).explained).toBe(name);
      await expect.poll(async () => contradictionsIn(await read(), false)).toEqual([]);
    };
    await agrees(stepCell);
    const cell = page.locator(`main .panel--${tensor} [data-row="${row}"][data-col="${col}"]`);
    const pointed = `${tensor.replace('_uncropped', '')}[${row},${col}]`;
    await cell.hover();
    await agrees(pointed);
    await cell.click();
    await page.mouse.move(2, 2);
    await agrees(pointed);
    // The player takes over again, as soon as it is used.
    await page.getByRole('main').getByRole('button', { name: 'One step forward' }).click();
    await expect.poll(async () => (await read()).note).toBeNull();
    await expect.poll(async () => contradictionsIn(await read(), false)).toEqual([]);
    await expect.poll(async () => (await read()).explained).not.toBe(pointed);
    expect(troubles).toEqual([]);
    await page.context().close();
  },
);

/** The hidden cells with a frame of their own, "dx 2,2": only the one that a step asks for. */
const askedCells = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main .cell--hidden')].flatMap((cell) => {
      const { outlineStyle, zIndex } = getComputedStyle(cell);
      const label = cell.closest('[role="grid"]')?.getAttribute('aria-label')?.split(/[[_]/)[0];
      // Above the cover of what is not computed yet.
      return outlineStyle === 'solid' && zIndex === '1'
        ? [`${label} ${cell.dataset['row']},${cell.dataset['col']}`]
        : [];
    }),
  );

/** Row and column of the asked cell on its plane, from the sizes of the link. */
function placeAsked(asks: string, link: string): string {
  const [tensor = '', at] = asks.split('.');
  const { problem } = parseLink(link);
  const { desc } = layerOf(problem);
  const passes = passesOf(problem);
  const [, cols = 1] = tensor === 'db' ? [1, 1] : passes.size(tensor);
  const inner =
    problem.layers.length > 1
      ? 1
      : ({ x: desc.c, y: desc.k, w: desc.k * (desc.c / desc.groups) }[tensor.slice(-1)] ?? 1);
  const spot = Math.floor(Number(at) / inner);
  return `${tensor} ${Math.floor(spot / cols)},${spot % cols}`;
}

/** The tensor of the cell that a step asks for or wants chosen. */
const wantedTensor = ({ asks, solution = '' }: StepData): string | undefined =>
  (typeof asks === 'string' ? asks : asks ? '' : /^cell=(.*)/.exec(solution)?.[1])?.split('.')[0];

test('in each step of a lesson the player computes the asked tensor, or there is none, and the asked cell stays framed', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=one-window.1');
  await page.locator('.lesson__title').waitFor();
  await prepareReadings(page);
  const wrong: string[] = [];
  let [players, asking] = [0, 0];
  for (const { lesson, index, step } of LESSONS.flatMap((each) =>
    each.steps.map((of, at) => ({ lesson: each, index: at, step: of })),
  )) {
    const name = stepRefText(lesson, index);
    const link = linkOf({ lesson, index, step });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `lesson=${name}`);
    await expect.poll(() => page.locator('.lesson__title').textContent(), { message: name }).toBe(step.title);
    // The three products have the matrix dw_col in place of dw, and no player.
    const asked = typeof step.asks === 'string' && name !== 'im2col.4' ? [placeAsked(step.asks, link)] : [];
    asking += asked.length;
    const isFramed = (when: string) =>
      expect.poll(() => askedCells(page), { message: `${name} ${when}` }).toEqual(asked);
    await isFramed('at first');
    const slider = page.locator('main .scrubber__slider');
    if ((await slider.count()) === 0) continue;
    players += 1;
    const tensor = wantedTensor(step);
    // The player does the task.
    if (!tensor && (/\.(t|rows)=\d/.test(step.solution ?? '') || link.includes('&mode=learn'))) continue;
    const total = Number(await slider.getAttribute('max'));
    for (const steps of [null, 1, Math.ceil(total / 2), total]) {
      if (steps !== null) await readSteps(page, [steps]);
      const reading = (await page.evaluate(() => window.readReading?.())) as Reading;
      if (!/^(y|d[xwb])$/.test(tensor ?? '') || !new RegExp(`\\b${tensor}\\b`).test(reading.caption))
        wrong.push(`${name} asks about ${tensor}, and the player says: ${reading.caption}`);
      if (reading.explained !== null && steps !== null)
        wrong.push(...contradictionsIn(reading, false).map((text) => `${name}, step ${steps}: ${text}`));
      await isFramed(`at step ${steps}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(players).toBeGreaterThan(15);
  expect(asking).toBeGreaterThan(30);
  expect(troubles).toEqual([]);
  await page.context().close();
});

test('the comparison finds each kind of contradiction', () => {
  const panel = (tensor: string, focus: string | null, rows: readonly number[], cols: readonly number[]): Panel => ({
    ...{ tensor, label: tensor, size: { rows: 4, cols: 4 }, focus },
    outlined: rows.length > 0 ? { rows, cols } : null,
  });
  const [x, w, y] = [panel('x', null, [0, 1], [1, 2]), panel('w', null, [0, 1], [0, 1]), panel('y', '0,1', [], [])];
  const right: Reading = {
    ...{ count: '2 / 9', note: null, explained: 'y[0,1]', isCut: false, panels: [x, w, y] },
    caption: 'Step 2 of 9: y[0,1] reads rows 0 to 1, columns 1 to 2 of x.',
    listed: ['x[0,1]', 'w[0,0]', 'x[0,2]', 'w[0,1]', 'x[1,1]', 'w[1,0]', 'x[1,2]', 'w[1,1]'],
  };
  expect(contradictionsIn(right, false)).toEqual([]);
  const wrong: readonly Partial<Reading>[] = [
    { explained: 'y[0,2]' },
    { explained: null },
    { caption: 'Step 2 of 9: y[0,0] reads rows 0 to 1, columns 1 to 2 of x.' },
    { caption: 'Step 2 of 9: y[0,1] reads rows 1 to 2, columns 1 to 2 of x.' },
    { note: 'Selected: y[2,2].' },
    { panels: [x, w, panel('y', '0,2', [], [])] },
    { panels: [x, w, panel('y', null, [], [])] },
    { panels: [panel('x', '1,1', [0, 1], [1, 2]), w, y] },
    { panels: [panel('x', null, [1, 2], [1, 2]), w, y] },
    { panels: [x, panel('w', null, [], []), y] },
  ];
  for (const change of wrong)
    expect(contradictionsIn({ ...right, ...change }, false), JSON.stringify(change)).not.toEqual([]);
});
