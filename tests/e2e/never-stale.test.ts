import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { breakKernel } from './support/broken-kernel';
import { openPage, useStage } from './support/browser';
import { differencesIn } from './support/frames/check';
import {
  type Conv,
  type Layers,
  linkTo,
  network,
  oneLayer,
  type Problem,
  type Rule,
  truthFor,
} from './support/frames/problems';
import { type FrameContent, recordFrames, takeFrames } from './support/frames/record';
import { grid } from './support/grids';
import { MODES } from './support/modes';
import type { NetworkOracle } from './support/network-oracle';
import { type Random, randomOf, seedOf } from './support/random';
import { delayWorker } from './support/slow-worker';

// After any edits and with slow answers, all values of a frame belong to one problem.

/** A page has 60 frames a second at most. With --thorough every way comes several times in so many. */
const FRAMES = THOROUGH ? 400 : 60;
/** Links of a walk: with --thorough to every way. */
const FEWEST_LINKS = 6;
const SEED = seedOf(20261122);

// The result of one algorithm is wrong by x[0,0], so that its badge identifies the measured problem.
const gather = breakKernel({ pass: 'backward_data', algorithm: 'gather', slot: 'dx', error: 'x[0]' });
const late = delayWorker(SEED, 300);
const stage = useStage({
  patch: (file, body) => {
    const slow = late(file, body);
    return slow === body ? gather(file, body) : slow;
  },
});

/** Every choice of every view, as links name it. */
const WAYS = [
  'mode=board',
  'mode=board&board.t=3',
  ...['full_conv', 'scatter', 'gather', 'gather', 'phase_split'].map((way) => `mode=dx&dx.way=${way}&dx.t=3`),
  ...['im2col_gemm', 'dilated_dy', 'grouped', 'direct', 'sum'].map((way) => `mode=dw&dw.way=${way}`),
  ...['unroll', 'products', 'fold'].map((part) => `mode=lowering&lowering.part=${part}`),
  ...['plain', 'transposed'].map((form) => `mode=matrix&matrix.form=${form}`),
  'board.paint=true&board.target=true&board.overlay=true',
  ...['x', 'w'].map((parameter) => `mode=gradient-check&gradient-check.parameter=${parameter}`),
  'mode=geometry',
] as const;

/** Of them, in a plain run, those that show most kinds of values. */
const SOME_WAYS = [
  'board&board.t=3',
  'dx&dx.way=gather&dx.t=3',
  'gradient-check&gradient-check.parameter=x',
  'dw&dw.way=grouped',
  'lowering',
  'geometry',
].map((way) => `mode=${way}`);

interface Walk {
  readonly layers: Layers;
  readonly ways: readonly string[];
  readonly first: Problem;
}

class Session {
  readonly truths: { readonly truth: NetworkOracle; readonly problem: Problem }[] = [];
  #now: Problem;
  /** False after undo or redo, which the test does not track, until the next link. */
  #known = true;
  readonly #random: Random;
  readonly #page: Page;
  readonly #layers: Layers;
  readonly #ways: readonly string[];
  #count = 0;
  /** Layers that were opened, removed or added on the page. */
  changes = 0;

  constructor(page: Page, random: Random, { layers, ways, first }: Walk) {
    this.#page = page;
    this.#random = random;
    this.#layers = layers;
    this.#ways = ways;
    this.#now = first;
    this.#add(first);
  }

  /** Every way was opened, or some. */
  get round(): boolean {
    return this.#count >= (THOROUGH ? this.#ways.length : FEWEST_LINKS);
  }

  get now(): Problem {
    return this.#now;
  }

  #add(problem: Problem): void {
    this.#now = problem;
    if (!this.truths.some((each) => JSON.stringify(each.problem) === JSON.stringify(problem))) {
      this.truths.unshift({ truth: truthFor(problem), problem });
    }
  }

  async act(): Promise<void> {
    const { below, one } = this.#random;
    const { layers, open } = this.#now;
    const own = open === 0 ? (['height', 'height', 'values'] as const) : [];
    const whole = layers.length > 1 ? (['values', 'layer', 'layer', 'layer', 'layer'] as const) : [];
    const kind = this.#known
      ? one([...own, ...whole, ...(['link', 'link', 'link', 'undo', 'tab', 'pin', 'hover', 'steps'] as const)])
      : 'link';
    if (kind === 'link') await this.link();
    else if (kind === 'layer') await this.#layer(below(12));
    else if (kind === 'height') await this.#height((layers.length > 1 ? 9 : 5) + below(4));
    else if (kind === 'values') await this.#values(one(['ramp', 'countdown']));
    else if (kind === 'undo') await this.#undo();
    else if (kind === 'tab')
      await this.#in(
        (name) => document.querySelectorAll<HTMLElement>('main [role=tab]')[name]?.click(),
        below(MODES.length),
      );
    else if (kind === 'steps') await this.#in(stepTo, below(100));
    else await this.#in(touchCell, { how: kind, number: below(1000) });
  }

  /** Opens a new problem with different values, and the next way. */
  async link(): Promise<void> {
    const { one } = this.#random;
    this.#count += 1;
    const problem: Problem = {
      ...this.#layers(this.#random, this.#count),
      x: [one(['ramp', 'countdown']), 3 * this.#count + 1],
    };
    const cell = one(['', '&cell=y.0', '&cell=dx.7', '&cell=dw.4', '&cell=dy.1', '&cell=x.6', '&cell=y.3']);
    this.#add(problem);
    this.#known = true;
    await this.#in(
      (hash) => {
        location.hash = hash;
      },
      linkTo(problem, this.#ways[this.#count % this.#ways.length] ?? '', cell),
    );
  }

  /** The link is read with a delay, and an edit before would replace it. Then the page writes its address anew. */
  async #opened(): Promise<void> {
    await this.#page.waitForFunction(() => location.hash.includes('v=2'));
  }

  async #height(height: number): Promise<void> {
    await this.#opened();
    const isDone = await this.#page.evaluate((to) => {
      const field = [...document.querySelectorAll('.number-field')].find(({ textContent }) => textContent === 'height');
      const slider = field?.querySelector<HTMLInputElement>('input[type=range]');
      if (!slider) return false;
      slider.value = String(to);
      return slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, height);
    // The controls of a layer that was just opened may not be drawn yet.
    if (isDone) this.#add({ ...this.#now, h: height });
  }

  /** Of x; behind another layer, of the open layer's weights. */
  async #values(kind: 'ramp' | 'countdown'): Promise<void> {
    await this.#opened();
    const { h, w, layers, open } = this.#now;
    const own = layers[open] as Conv;
    const rule = (count: number): Rule => (kind === 'ramp' ? ['ramp', 0] : ['countdown', count]);
    this.#add(
      open === 0
        ? { ...this.#now, x: rule(h * w) }
        : { ...this.#now, layers: layers.with(open, { ...own, weights: rule(own.kernel ** 2) }) },
    );
    await this.#in(
      (label) => {
        for (const select of document.querySelectorAll('select')) {
          const option = [...select.options].find(({ text }) => text === label);
          if (!option) continue;
          select.value = option.value;
          select.dispatchEvent(new Event('change', { bubbles: true }));
          return;
        }
      },
      kind === 'ramp' ? '0, 1, 2, …' : '…, 3, 2, 1',
    );
  }

  /** Opens or removes a layer by its menu, or adds one, if the view Network is open. */
  async #layer(number: number): Promise<void> {
    await this.#opened();
    const { layers, open } = this.#now;
    const at = number % (layers.length + 1);
    const layer = layers[at];
    const name = !layer ? 'Add ReLU' : layer.kind === 'conv' ? `Open layer ${at + 1}` : `Remove layer ${at + 1}`;
    if (layers.length === 4 && !layer) return;
    if (layer) await this.#in((i) => document.querySelectorAll<HTMLElement>('.net .dy-menu__button')[i]?.click(), at);
    await framesOf(this.#page, 2);
    const isDone = await this.#page.evaluate((label) => {
      const button = document.querySelector<HTMLButtonElement>(`main button[aria-label^="${label}"]:enabled`);
      button?.click();
      return button !== null;
    }, name);
    if (!isDone) return;
    this.changes += 1;
    if (!layer) this.#add({ ...this.#now, layers: [...layers, { kind: 'relu' }] });
    else if (layer.kind === 'conv') this.#add({ ...this.#now, open: at });
    else this.#add({ ...this.#now, layers: layers.toSpliced(at, 1), open: at < open ? open - 1 : open });
  }

  async #undo(): Promise<void> {
    await this.#opened();
    this.#known = false;
    await this.#in(
      (name) => document.querySelector<HTMLElement>(`button[aria-label^="${name}"]`)?.click(),
      this.#random.one(['Undo', 'Redo']),
    );
  }

  async #in<T>(act: (argument: T) => unknown, argument: T): Promise<void> {
    await this.#page.evaluate(act as never, argument);
  }
}

/** Resolves after so many frames. */
const framesOf = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (frames) => {
    for (let i = 0; i < frames; i += 1) await new Promise(requestAnimationFrame);
  }, count);

function stepTo(part: number): void {
  const slider = document.querySelector<HTMLInputElement>('.dock input[type=range]');
  if (!slider) return;
  slider.value = String(Math.round((Number(slider.max) * part) / 100));
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}

function touchCell({ how, number }: { readonly how: 'pin' | 'hover'; readonly number: number }): void {
  const cells = [...document.querySelectorAll<HTMLElement>('main [role=gridcell]')].filter((cell) =>
    /^(x|w|y|dy|dx|dw)$/.test(cell.closest('[role=grid]')?.getAttribute('aria-label') ?? ''),
  );
  const cell = cells[number % Math.max(1, cells.length)];
  if (how === 'pin') cell?.click();
  else cell?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
}

/** The faults of the best matching problem; empty if one matches. */
function judge(seen: FrameContent, session: Session): readonly string[] {
  let best: readonly string[] | null = null;
  for (const { truth, problem } of session.truths) {
    const faults = differencesIn(seen, truth);
    if (faults.length === 0) return [];
    if (!best || faults.length < best.length) best = [...faults, JSON.stringify(problem)];
  }
  return best ?? [];
}

describe('every frame', () => {
  it.each([
    ['one problem', oneLayer, THOROUGH ? WAYS : SOME_WAYS],
    ['one network', network, (THOROUGH ? WAYS : SOME_WAYS).flatMap((way) => [way, 'mode=network&network.cell=dy1.3'])],
  ] as const)(`of ${FRAMES} shows %s in panels, Explain, loss, gradient check and badges`, async (_, layers, ways) => {
    const random = randomOf(SEED);
    const first: Problem = { ...layers(random, 0), x: ['ramp', 1] };
    const { page, troubles } = await openPage(stage, {}, `#${linkTo(first, 'mode=board', '&cell=y.1')}`);
    await grid(page, 'y').waitFor();
    const session = new Session(page, random, { layers, ways, first });
    const isNetwork = first.layers.length > 1;
    await recordFrames(page);
    let [frames, pictures, explained, badges, checks, whole] = [0, 0, 0, 0, 0, 0];
    const wrong: string[] = [];
    const enough = () =>
      Math.min(explained, badges, checks) > 0 && (!isNetwork || Math.min(whole, session.changes) > 0);
    while (frames < FRAMES || !session.round || !enough()) {
      for (let i = 0; i < 5; i += 1) {
        await session.act();
        await framesOf(page, random.below(4) === 0 ? 15 : random.below(4));
      }
      const taken = await takeFrames(page);
      frames += taken.frames;
      for (const each of taken.seen) {
        pictures += 1;
        if (each.seen.title) explained += each.frames;
        if (each.seen.badge[0] === 'gather') badges += each.frames;
        if (each.seen.check.length > 0) checks += each.frames;
        if (each.seen.network.about) whole += each.frames;
        const faults = judge(each.seen, session);
        if (faults.length > 0) wrong.push(`${each.frames} frames: ${faults.join('; ')}`);
      }
    }
    console.log(
      `seed ${SEED}: ${frames} frames, ${pictures} different from the previous one, of ${session.truths.length} problems; ` +
        `${explained} with Explain, ${badges} with the badge of the broken algorithm, ${checks} with the gradient check, ` +
        `${whole} with all layers; ${session.changes} changes of layers; ${wrong.length} wrong`,
    );
    // Also logged: the report truncates it.
    if (wrong.length > 0) console.log(wrong.slice(0, 12).join('\n'));
    expect(wrong.slice(0, 12)).toEqual([]);
    // The final frame shows the last problem.
    await session.link();
    await expect
      .poll(async () => differencesIn((await takeFrames(page)).seen.at(-1)?.seen ?? EMPTY, truthFor(session.now)))
      .toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('of color maps has the same sign in colors and values', async () => {
    const link = (value: number) => `#h=256&w=256&kh=3&padding=same&x=constant:${value}&weights=ones&dy=mse:0&cell=y.9`;
    const { page, troubles } = await openPage(stage, {}, link(1));
    await page.locator('.heat').nth(3).waitFor();
    const random = randomOf(SEED);
    await recordFrames(page);
    let frames = 0;
    const wrong = new Map<string, number>();
    // On a slow machine many frames pass before the second problem is drawn.
    const seen = new Set<number>();
    for (
      let value = 1;
      frames < FRAMES / 4 || (seen.size < 2 && frames < 5 * FRAMES);
      value = value > 0 ? -value - 1 : -value + 1
    ) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link(value));
      await framesOf(page, random.below(8));
      const taken = await takeFrames(page);
      frames += taken.frames;
      for (const each of taken.seen) {
        const explained = each.seen.title?.split(' = ')[1];
        const signs = each.seen.maps.flatMap(([, cursor, color]) => [Math.sign(cursor), Math.sign(color)]);
        if (explained) signs.push(explained.startsWith('\u2212') ? -1 : 1);
        for (const sign of signs) seen.add(sign);
        if (new Set(signs).size > 1) wrong.set(JSON.stringify([each.seen.maps, each.seen.title]), each.frames);
      }
    }
    console.log(`${frames} frames of maps, ${wrong.size} pictures wrong`);
    expect([...wrong].slice(0, 5)).toEqual([]);
    expect([...seen].sort()).toEqual([-1, 1]);
    expect(troubles).toEqual([]);
  });
});

const EMPTY: FrameContent = {
  grids: [],
  title: '? = 0',
  totals: [],
  terms: [],
  loss: '',
  check: [],
  badge: [],
  maps: [],
  network: { about: '', loss: '', covered: false },
};
