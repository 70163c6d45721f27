import type { Locator, Page } from 'playwright-core';
import type { StepData } from '../../../web/src/lessons/lesson';
import { withLinkFields } from '../../../web/src/lessons/lessons';
import { layerOf } from '../../web/support/problems';
import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import { wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { passesOf, valueAt } from '../../web/lessons/loops';
import { settledPanels } from './survey/layout';

/** The input devices of a user. */
export type InputDevice = 'mouse' | 'keyboard' | 'touch';

interface DeviceActions {
  readonly press: (target: Locator) => Promise<void>;
  /** Pins a cell, or does what choosing a cell means in the view. */
  readonly choose: (page: Page, tensor: string, row: number, col: number) => Promise<void>;
  readonly tick: (box: Locator) => Promise<void>;
  readonly setNumber: (page: Page, box: Locator, value: string) => Promise<void>;
  readonly next: (page: Page) => Promise<void>;
}

/** Browser options of each device: a phone for touch. */
export const DEVICES: Readonly<Record<InputDevice, object>> = {
  mouse: {},
  keyboard: {},
  touch: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

export const heading = (page: Page) => page.locator('.lesson__title');

/** The task of the step is done. */
export const done = (page: Page) => page.locator('.lesson__task--done');

/** Opens the first step of a lesson from the opening page. */
export async function begin(page: Page, hand: InputDevice, title: string): Promise<void> {
  const { press } = INPUT_DEVICES[hand];
  await page.locator('main .panel--dx').waitFor();
  await press(page.getByRole('button', { name: 'Start here' }));
  await press(page.locator('.catalogue__lesson', { hasText: title }).first());
  await heading(page).waitFor();
}

const cellOf = (page: Page, tensor: string, row: number, col: number) =>
  page.locator(`main .panel--${tensor} [role="gridcell"][data-row="${row}"][data-col="${col}"]`);

const nextButton = (page: Page) => page.locator('.lesson__bar button').last();

const fill = async (_page: Page, box: Locator, value: string): Promise<void> => {
  await box.fill(value);
  await box.press('Enter');
};

/** The label of a radio button or checkbox: the input itself may be hidden. */
const labelOf = (box: Locator) => box.locator('xpath=ancestor::label');

export const INPUT_DEVICES: Readonly<Record<InputDevice, DeviceActions>> = {
  mouse: {
    press: (target) => target.click(),
    choose: (page, tensor, row, col) => cellOf(page, tensor, row, col).click(),
    tick: (box) => labelOf(box).click(),
    setNumber: fill,
    next: (page) => nextButton(page).click(),
  },
  keyboard: {
    async press(target) {
      await target.focus();
      await target.press('Enter');
    },
    async choose(page, tensor, row, col) {
      const stop = page.locator(`main .panel--${tensor} [role="gridcell"][tabindex="0"]`);
      await stop.focus();
      const [from, at] = await stop.evaluate((cell) => [Number(cell.dataset['row']), Number(cell.dataset['col'])]);
      const go = async (by: number, [back, on]: readonly [string, string]) => {
        for (let i = 0; i < Math.abs(by); i += 1) await page.keyboard.press(by < 0 ? back : on);
      };
      await go(row - (from ?? 0), ['ArrowUp', 'ArrowDown']);
      await go(col - (at ?? 0), ['ArrowLeft', 'ArrowRight']);
      // Arrow keys move a pinned cell; Space would unpin it.
      if ((await page.locator('.explain--pinned').count()) === 0) await page.keyboard.press('Space');
    },
    async tick(box) {
      await box.focus();
      await box.press('Space');
    },
    async setNumber(page, box, value) {
      await box.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(value);
      await page.keyboard.press('Enter');
    },
    async next(page) {
      await nextButton(page).focus();
      await page.keyboard.press('n');
    },
  },
  touch: {
    press: (target) => target.tap(),
    async choose(page, tensor, row, col) {
      // The parts of a step that come late move its panels, and a tap that began before would miss its cell.
      await settledPanels(page);
      await cellOf(page, tensor, row, col).tap();
    },
    tick: (box) => labelOf(box).tap(),
    setNumber: fill,
    next: (page) => nextButton(page).tap(),
  },
};

const FIELDS: Readonly<Record<string, string>> = { stride: 'stride_h', dilation: 'dilation_h' };
/** A field for rows also sets columns while both are equal. */
const ALONG: ReadonlySet<string> = new Set(['kw']);

/** The number that a step asks for, from plain loops. */
function answerOf(link: string, cell: string): number {
  const { problem } = parseLink(link);
  const [tensor = '', index] = cell.split('.');
  const { desc } = layerOf(problem);
  const shapes: Readonly<Record<string, readonly number[]>> = { dx: xShape(desc), dw: wShape(desc) };
  const passes = passesOf(problem);
  const plane = problem.layers.length > 1 ? [1, ...passes.size(tensor), 1] : null;
  return valueAt(passes, tensor, Number(index), plane ?? shapes[tensor] ?? yShape(desc));
}

/** Answers the question of a step, or performs on the page what its task asks for, as its solution describes. */
export async function performTask(page: Page, hand: InputDevice, link: string, step: StepData): Promise<void> {
  const { asks, solution = '' } = step;
  const { press, choose, tick, setNumber } = INPUT_DEVICES[hand];
  if (asks !== undefined) {
    if (typeof asks === 'object' && 'options' in asks) {
      await press(page.locator('.lesson__options button').nth(asks.right));
      return;
    }
    const value = typeof asks === 'string' ? Number(answerOf(link, asks).toPrecision(3)) : asks.is;
    await setNumber(page, page.locator('.lesson .predict__guess input'), String(value));
    return;
  }
  const inControls = async (act: (rail: Locator) => Promise<void>) => {
    const button = page.locator('.toolbar [aria-controls="controls"]');
    const narrow = await button.isVisible();
    if (narrow) await press(button);
    await act(page.locator('.controls'));
    if (narrow) await press(page.locator('.dock > button'));
  };
  const { desc } = layerOf(parseLink(link).problem);
  const chooseCell = async (tensor: string, index: number) => {
    const [, ow] = [0, Math.floor((desc.w - desc.kw) / desc.stride_w) + 1];
    const sizes: Readonly<Record<string, readonly [cols: number, inner: number]>> = {
      ...{ x: [desc.w, desc.c], dx: [desc.w, desc.c], y: [ow, desc.k], dy: [ow, desc.k] },
      ...{ w: [desc.kw, (desc.c / desc.groups) * desc.k], dw: [desc.kw, (desc.c / desc.groups) * desc.k] },
    };
    const [cols, inner] = sizes[tensor] ?? [1, 1];
    const position = Math.floor(index / inner);
    await choose(page, tensor, Math.floor(position / cols), position % cols);
  };
  for (const part of solution.split('&')) {
    const [key = '', value = ''] = part.split(/=(.*)/);
    const [mode, name] = key.split('.');
    if (key === 'x') {
      const [before, after] = [link, withLinkFields(link, part)].map((each) => parseLink(each).problem.x.data);
      const index = after?.findIndex((number, at) => number !== before?.[at]) ?? 0;
      await chooseCell('x', index);
      await setNumber(page, page.locator('.value-edit input'), String(after?.[index]));
    } else if (key === 'dy' && value.startsWith('one_hot:')) {
      await chooseCell('dy', Number(value.slice('one_hot:'.length)));
    } else if (key === 'cell') {
      const [tensor = '', index] = value.split('.');
      await chooseCell(tensor, Number(index));
    } else if (key === 'mode') {
      const tab = page.locator(`.views [data-tab="${value}"]`);
      if ((await tab.count()) === 0) await press(page.locator(`.views [data-tab~="${value}"]`));
      if ((await tab.getAttribute('aria-selected')) !== 'true') await press(tab);
    } else if (key === 'slice') {
      await tick(page.locator(`main .panel--x input[aria-label="c=${value.slice(1)}"]`));
    } else if (mode && name && /^\d+$/.test(value)) {
      const count = page.locator('.scrubber__count');
      for (let left = 99; left > 0; left -= 1) {
        const done = Number((await count.textContent())?.split('/')[0]);
        if (done >= Number(value)) break;
        await press(page.getByRole('button', { name: 'One step forward' }));
        await page.waitForFunction(
          (was) => !document.querySelector('.scrubber__count')?.textContent?.startsWith(`${was} `),
          done,
        );
      }
    } else if (name === 'rate') {
      const rate = page.getByRole('slider', { name: /^learning rate/ });
      for (let left = 60; left > 0; left -= 1) {
        if (Number.parseFloat((await rate.getAttribute('aria-valuetext')) ?? '') >= Number(value)) break;
        await rate.press('ArrowRight');
      }
    } else if (name === 'plot' || name === 'noise') {
      await press(page.getByRole('button', { name: 'Setup' }));
      await page.getByRole('combobox', { name: new RegExp(`^${name}`) }).selectOption(value);
    } else if (name === 'unturned') {
      await tick(page.getByRole('checkbox', { name: 'skip the flip of w' }));
    } else if (mode && name) {
      await tick(page.locator(`main input[type="radio"][value="${value}"]`).first());
    } else if (key === 'dy') {
      await inControls(async (rail) => {
        await rail.locator('#controls-dy select').selectOption(value.split(':')[0] ?? '');
      });
    } else if (key === 'bias') {
      await inControls((rail) => tick(rail.getByRole('checkbox', { name: 'bias b' })));
    } else if (key === 'padding') {
      await inControls(async (rail) => {
        const custom = /^\d+$/.test(value);
        await tick(rail.locator(`input[type="radio"][value="${custom ? 'explicit_sides' : value}"]`).first());
        if (custom) await setNumber(page, rail.locator('[data-field="padding.top"] .number-field__box'), value);
      });
    } else if (!ALONG.has(key)) {
      const box = `[data-field="${FIELDS[key] ?? key}"] .number-field__box`;
      await inControls((rail) => setNumber(page, rail.locator(box), value));
    }
  }
}
