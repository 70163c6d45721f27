import { ABILITIES, type Abilities, type Module } from './abilities';
import type { Driver } from './driver';
import { createProbe, type Probe, type Target } from './probe';

// All that the walk knows of how the page is built: what things are called, and where they stand.

/** Those that every problem has. */
const TENSORS = ['x', 'w', 'y', 'dy', 'dx', 'dw', 'db'] as const;
export type Tensor = (typeof TENSORS)[number] | 'b';

/** The modes of the stage that play or choose something. */
export const VIEWS = [
  'Step by step',
  'dx',
  'dw and db',
  'Lowering',
  'Matrix C',
  'Paint dy',
  'Gradient check',
  'Geometry',
  'Learn',
] as const;
export type View = (typeof VIEWS)[number];

/** Sizes in the order of the values: image, row, column, channel; for weights row, column, channel, filter. */
export type Shape = readonly [number, number, number, number];

const STAGE: Target = { role: 'main', name: '' };
/** What the player of a view is called, by what has been chosen there. */
const PLAYERS: Readonly<Record<string, string>> = {
  scatter: 'steps of dx by scatter',
  gather: 'steps of dx by gather',
  db: 'steps of db adds up',
  '3 Fold back': 'rows folded back',
};
const FILE_INPUT = `document.querySelector('input[type=file]')`;

const grid = (name: string): Target => ({ role: 'grid', name });
const field = (label: string): Target => ({ role: 'spinbutton', name: label });
const button = (name: string): Target => ({ role: 'button', name });
const isWeights = (tensor: Tensor) => tensor.endsWith('w');

/** The page of the playground in an engine. */
export class Playground {
  private player = '';
  private visits = 0;

  constructor(
    readonly driver: Driver,
    readonly address: string,
  ) {}

  /** Opens the page anew and waits for its first result. */
  async open(hash = ''): Promise<void> {
    this.visits += 1;
    // Another fragment alone would stay in the same document.
    await this.driver.open(`${this.address}?${this.visits}${hash}`);
    await this.ask('present', { role: 'grid', name: 'dx', begins: true });
  }

  /** Waits for what comes after the first picture: its player, and the sum of the cell that it lights. */
  async complete(): Promise<void> {
    await this.ask('present', { role: 'slider', name: '', begins: true, within: STAGE });
    await this.explains('y[');
  }

  ask<Q extends keyof Probe>(question: Q, ...args: Parameters<Probe[Q]>): Promise<Awaited<ReturnType<Probe[Q]>>> {
    const expression = `(${createProbe})().${question}(...${JSON.stringify(args)})`;
    return this.driver.evaluate(expression) as Promise<Awaited<ReturnType<Probe[Q]>>>;
  }

  abilities(): Promise<Abilities> {
    return this.driver.evaluate(ABILITIES) as Promise<Abilities>;
  }

  /** What the page says of how it computed. */
  async status(): Promise<{ readonly module: Module | null; readonly threads: number }> {
    await this.clickOn({ role: 'tab', name: 'Algorithms' });
    const said = await this.ask('text', { role: 'tabpanel', name: 'Algorithms' }, 'SIMD');
    const module = said.includes('relaxed SIMD') ? 'relaxed' : said.includes('128-bit SIMD') ? 'simd' : null;
    return { module, threads: Number(/on (\d+) threads/.exec(said)?.[1] ?? 1) };
  }

  /** A whole tensor, to the last digit, plane by plane. */
  async tensor(tensor: Tensor, shape: Shape): Promise<number[]> {
    if (tensor.endsWith('b')) return [...(await this.ask('numbers', grid(tensor)))];
    const [first, second] = isWeights(tensor) ? [shape[3], shape[2]] : [shape[0], shape[3]];
    const area = isWeights(tensor) ? shape[0] * shape[1] : shape[1] * shape[2];
    const values: number[] = Array(shape.reduce((a, b) => a * b));
    for (let outer = 0; outer < first; outer += 1) {
      for (let inner = 0; inner < second; inner += 1) {
        const plane = await this.plane(tensor, first, second, outer, inner);
        if (plane.length !== area) throw new Error(`${plane.length} numbers in a plane of ${tensor}, not ${area}`);
        plane.forEach((value, i) => {
          const index = isWeights(tensor) ? (i * second + inner) * first + outer : (outer * area + i) * second + inner;
          values[index] = value;
        });
      }
    }
    return values;
  }

  private async plane(tensor: Tensor, first: number, second: number, outer: number, inner: number) {
    if (first * second === 1) return this.ask('numbers', grid(tensor));
    const [a, b] = isWeights(tensor) ? ['k', 'c'] : ['n', tensor.endsWith('y') ? 'k' : 'c'];
    const panel: Target = { role: 'group', name: tensor };
    if (first > 1) await this.ask('choose', { role: 'radio', name: `${a}=${outer}`, within: panel });
    if (second > 1) await this.ask('choose', { role: 'radio', name: `${b}=${inner}`, within: panel });
    const name = isWeights(tensor) ? `${b}=${inner}, ${a}=${outer}` : `${a}=${outer}, ${b}=${inner}`;
    return this.ask('numbers', grid(`${tensor}[${name}]`));
  }

  /** The numbers of a grid, once they are `wanted` (or its first ones, if that is not the whole). */
  shows(name: string, wanted: readonly number[], { whole = true } = {}): Promise<readonly number[]> {
    return this.ask('numbersBecome', grid(name), wanted, whole);
  }

  /** All tensors of a problem with one plane of each. */
  async everything(): Promise<Readonly<Record<(typeof TENSORS)[number], readonly number[]>>> {
    const found = [];
    for (const tensor of TENSORS) found.push([tensor, await this.ask('numbers', grid(tensor))]);
    return Object.fromEntries(found);
  }

  /** The link, once it has a field and the edited cells of some tensors. */
  link(field: string, edited: readonly string[]): Promise<string> {
    return this.ask('address', [`${field}=`, ...edited.map((tensor) => `${tensor}=[^&]*~`)]);
  }

  /** The rows of a grid, once they are so many. */
  rows(tensor: string, wanted: number): Promise<string | null> {
    return this.ask('attributeBecomes', grid(tensor), 'aria-rowcount', String(wanted));
  }

  async clickCell(tensor: Tensor, index: number): Promise<void> {
    await this.driver.click(await this.ask('cell', grid(tensor), index));
  }

  /** Types a value into a cell as a person does. */
  async edit(tensor: Tensor, index: number, value: string): Promise<void> {
    await this.clickCell(tensor, index);
    await this.driver.press('Enter');
    await this.fill(value);
  }

  async setField(label: string, value: string): Promise<void> {
    await this.clickOn(field(label));
    await this.fill(value);
  }

  private async fill(value: string): Promise<void> {
    await this.driver.press('Control+a');
    await this.driver.type(value);
    await this.driver.press('Enter');
  }

  /** The value of a field, once it is `wanted`. */
  fieldShows(label: string, wanted: string): Promise<string | null> {
    return this.ask('attributeBecomes', field(label), 'aria-valuenow', wanted);
  }

  async focusField(label: string): Promise<void> {
    await this.ask('focus', field(label));
  }

  /** Clicks the slider of a field, `share` of its length from the left. */
  async slide(label: string, share: number): Promise<void> {
    await this.driver.click(await this.ask('onSlider', field(label), share));
  }

  async press(name: string): Promise<void> {
    await this.clickOn(button(name));
  }

  select(label: string, option: string): Promise<void> {
    return this.ask('select', { role: 'combobox', name: label }, option);
  }

  openImage(path: string): Promise<void> {
    return this.driver.choose(FILE_INPUT, path);
  }

  /** The heading of what is explained, once it begins like that. */
  explains(begin: string): Promise<void> {
    const panel: Target = { role: 'complementary', name: 'Explain' };
    return this.ask('present', { role: 'heading', name: begin, begins: true, within: panel });
  }

  /** What a button of the dialog has the browser save, before it does: not every driver can be asked for it afterwards. */
  async saved(button: string): Promise<Buffer> {
    await this.ask('present', { role: 'dialog', name: 'Export' });
    const base64 = await this.driver.evaluate(`new Promise((resolve) => {
      const { createObjectURL } = URL;
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = () => {
        HTMLAnchorElement.prototype.click = click;
      };
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = createObjectURL;
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.split(',')[1]);
        reader.readAsDataURL(blob);
        return '';
      };
      const named = (each) => each.textContent.startsWith(${JSON.stringify(button)});
      [...document.querySelectorAll('dialog .button')].find(named).click();
    })`);
    return Buffer.from(String(base64), 'base64');
  }

  chooseTab(name: string): Promise<void> {
    return this.clickOn({ role: 'tab', name, within: { role: 'dialog', name: 'Export' } });
  }

  keyList(shown: boolean): Promise<void> {
    return this.ask(shown ? 'present' : 'absent', { role: 'dialog', name: 'Keys' });
  }

  async openView(view: View | 'Board'): Promise<void> {
    const tab: Target = { role: 'tab', name: view, within: STAGE };
    await this.clickOn(tab);
    await this.ask('attributeBecomes', tab, 'aria-selected', 'true');
  }

  /** Waits until the view that was opened has arrived and draws something. */
  async stageShows(): Promise<void> {
    await this.driver.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector('main :is(.panel, table)') ? resolve(true) : requestAnimationFrame(look);
      look();
    })`);
  }

  private async clickOn(target: Target): Promise<void> {
    await this.driver.click(await this.ask('place', target));
  }

  /** One of a view's alternatives. The player is then that of this one. */
  async chooseInView(name: string): Promise<void> {
    this.player = PLAYERS[name] ?? `steps of ${name}`;
    await this.clickOn({ role: 'radio', name, within: STAGE });
  }

  /** Moves the player of the view that is open: to nothing done, a step further, to all done. */
  async play(to: 'start' | 'next' | 'end'): Promise<void> {
    await this.ask('focus', { role: 'slider', name: this.player, within: STAGE });
    await this.driver.press({ start: 'Home', next: 'ArrowRight', end: 'End' }[to]);
  }

  /** The gradient in the table of the gradient check, as the backward pass computed it in float32 and in float64. */
  async checkedGradient(tensor: Tensor): Promise<number[]> {
    const row: Target = { role: 'row', name: `backward pass, ${tensor}[0`, begins: true, within: STAGE };
    return (await this.ask('texts', { role: 'cell', name: '', begins: true, within: row })).map(Number);
  }
}
