import { VIEWS as ALL_VIEWS } from '../../web/src/views/list';
import type { Driver } from './driver';
import { DETECT_FEATURES, type EngineFeatures, type Module } from './engine-features';
import { createProbe, type Probe, type Target } from './probe';

// Everything that the walk knows about the page: names and positions.

/** The tensors of every problem. */
const TENSORS = ['x', 'w', 'y', 'dy', 'dx', 'dw', 'db'] as const;
export type Tensor = (typeof TENSORS)[number] | 'b';

/** The titles of all views but the opening one. */
export const VIEWS: readonly string[] = ALL_VIEWS.slice(1).map(({ title }) => title);

/** Sizes in the order of the values: image, row, column, channel; for weights row, column, channel, filter. */
export type Shape = readonly [number, number, number, number];

const STAGE: Target = { role: 'main', name: '' };
const LESSON: Target = { role: 'region', name: 'Lesson: ', begins: true };
/** The names of the players of a view, by the algorithm chosen in it. */
const PLAYERS: Readonly<Record<string, string>> = {
  scatter: 'steps of dx by scatter',
  gather: 'steps of dx by gather',
  'window by window': 'steps of dw adds up',
  db: 'steps of db adds up',
  'full convolution': 'steps of the full convolution',
  '3 col2im': 'rows of dx_col added to dx',
};
const FILE_INPUT = `document.querySelector('input[type=file]')`;

/** This browser then opens all sections of the controls, and does not show the opening in motion. */
const SECOND_VISIT = `(localStorage.setItem('sections', 'moves x w dy'), localStorage.setItem('opening', 'seen'))`;

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

  /** Opens the page from scratch and waits for its first result. */
  async open(hash = ''): Promise<void> {
    if (this.visits === 0) {
      await this.driver.open(this.address);
      await this.driver.evaluate(SECOND_VISIT);
    }
    this.visits += 1;
    // A different fragment alone would not reload the document.
    await this.driver.open(`${this.address}?${this.visits}${hash}`);
    await this.ask('present', { role: 'grid', name: 'dx', begins: true });
  }

  /** Waits for the parts after the first frame: the player, and on a wide page the sum of its highlighted cell. */
  async complete(): Promise<void> {
    await this.ask('present', { role: 'slider', name: '', begins: true, within: STAGE });
    if (await this.driver.evaluate('innerWidth >= 1100')) await this.explains('y[');
  }

  ask<Q extends keyof Probe>(question: Q, ...args: Parameters<Probe[Q]>): Promise<Awaited<ReturnType<Probe[Q]>>> {
    const expression = `(${createProbe})().${question}(...${JSON.stringify(args)})`;
    return this.driver.evaluate(expression) as Promise<Awaited<ReturnType<Probe[Q]>>>;
  }

  abilities(): Promise<EngineFeatures> {
    return this.driver.evaluate(DETECT_FEATURES) as Promise<EngineFeatures>;
  }

  /** The text of the page about how it computed. */
  async status(): Promise<{ readonly module: Module | null; readonly threads: number }> {
    await this.clickOn({ role: 'tab', name: 'Algorithms' });
    const text = await this.ask('text', { role: 'tabpanel', name: 'Algorithms' }, 'SIMD');
    const module = text.includes('relaxed SIMD') ? 'relaxed' : text.includes('128-bit SIMD') ? 'simd' : null;
    return { module, threads: Number(/on (\d+) threads/.exec(text)?.[1] ?? 1) };
  }

  /** All values of a tensor at full precision, plane by plane. */
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
    // "dx, channel 1 of 7 × 7 × 3"
    const panel: Target = { role: 'group', name: `${tensor}, `, begins: true };
    if (first > 1) await this.ask('choose', { role: 'radio', name: `${a}=${outer}`, within: panel });
    if (second > 1) await this.ask('choose', { role: 'radio', name: `${b}=${inner}`, within: panel });
    const name = isWeights(tensor) ? `${b}=${inner}, ${a}=${outer}` : `${a}=${outer}, ${b}=${inner}`;
    return this.ask('numbers', grid(`${tensor}[${name}]`));
  }

  /** The values of a grid, once they equal `wanted` (or start with it). */
  shows(name: string, wanted: readonly number[], { whole = true } = {}): Promise<readonly number[]> {
    return this.ask('numbersBecome', grid(name), wanted, whole);
  }

  /** All tensors of a problem that have one plane each. */
  async everything(): Promise<Readonly<Record<(typeof TENSORS)[number], readonly number[]>>> {
    const found = [];
    for (const tensor of TENSORS) found.push([tensor, await this.ask('numbers', grid(tensor))]);
    return Object.fromEntries(found);
  }

  /** The link, once it contains a field and the edited cells of some tensors. */
  link(field: string, edited: readonly string[]): Promise<string> {
    return this.ask('address', [`${field}=`, ...edited.map((tensor) => `${tensor}=[^&]*~`)]);
  }

  /** The rows of a grid, once it has this many. */
  rows(tensor: string, wanted: number): Promise<string | null> {
    return this.ask('attributeBecomes', grid(tensor), 'aria-rowcount', String(wanted));
  }

  async clickCell(tensor: Tensor, index: number): Promise<void> {
    await this.driver.click(await this.ask('cell', grid(tensor), index));
  }

  /** Types a value into a cell like a user. */
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

  /** The value of a field, once it equals `wanted`. */
  fieldShows(label: string, wanted: string): Promise<string | null> {
    return this.ask('attributeBecomes', field(label), 'aria-valuenow', wanted);
  }

  async focusField(label: string): Promise<void> {
    await this.ask('focus', field(label));
  }

  /** Clicks the slider of a field at `share` of its length from the left. */
  async slide(label: string, share: number): Promise<void> {
    await this.driver.click(await this.ask('onSlider', field(label), share));
  }

  async press(name: string): Promise<void> {
    await this.clickOn(button(name));
  }

  select(label: string, option: string): Promise<void> {
    return this.ask('select', { role: 'combobox', name: label }, option);
  }

  async openImage(path: string): Promise<void> {
    await this.driver.evaluate(`new Promise((resolve) => {
      const look = () => ${FILE_INPUT} ? resolve(true) : requestAnimationFrame(look);
      look();
    })`);
    await this.driver.choose(FILE_INPUT, path);
  }

  /** The heading of the explanation, once it starts with this text. */
  explains(begin: string): Promise<void> {
    const panel: Target = { role: 'region', name: 'Explain' };
    return this.ask('present', { role: 'heading', name: begin, begins: true, within: panel });
  }

  /**
   * The file that a button of the dialog saves, captured before the browser saves it: not every driver can return
   * downloads.
   */
  async saved(button: string, dialog = 'Export'): Promise<Buffer> {
    await this.ask('present', { role: 'dialog', name: dialog });
    const base64 = await this.driver.evaluate(`new Promise((resolve) => {
      const { createObjectURL } = URL;
      const { click } = HTMLAnchorElement.prototype;
      const made = new Map();
      URL.createObjectURL = (blob) => {
        const address = createObjectURL.call(URL, blob);
        made.set(address, blob);
        return address;
      };
      HTMLAnchorElement.prototype.click = function () {
        URL.createObjectURL = createObjectURL;
        HTMLAnchorElement.prototype.click = click;
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.split(',')[1]);
        reader.readAsDataURL(made.get(this.href));
      };
      const named = (each) => each.textContent.startsWith(${JSON.stringify(button)});
      [...document.querySelectorAll('dialog .button')].find(named).click();
    })`);
    return Buffer.from(String(base64), 'base64');
  }

  chooseTab(name: string): Promise<void> {
    return this.clickOn({ role: 'tab', name, within: { role: 'dialog', name: 'Export' } });
  }

  /** Chooses an item of a menu of the header. */
  async chooseFrom(menu: string, item: string): Promise<void> {
    await this.press(menu);
    await this.clickOn({ role: 'menuitem', name: item });
  }

  /** Answers the question of a lesson, or answers it anew. */
  async answer(value: string): Promise<void> {
    await this.driver.click(await this.ask('pointOn', { role: 'textbox', name: '', begins: true, within: LESSON }));
    await this.fill(value);
  }

  /** The text of an element, once it has these words; on timeout, its last text. */
  textOf(target: Target, words: string): Promise<string> {
    return this.ask('text', target, words);
  }

  /** By keys: walks from y[0,0] to y[1,1] and pins its sum, then opens and closes the list of keys. */
  async explainsByKeyboard(): Promise<void> {
    await this.clickCell('y', 0);
    for (const key of ['Escape', 'ArrowRight', 'ArrowDown', ' ']) await this.driver.press(key);
    await this.explains('y[1,1] = ');
    for (const key of ['Escape', '?']) await this.driver.press(key);
    const list: Target = { role: 'dialog', name: 'Keyboard shortcuts' };
    await this.ask('present', list);
    await this.driver.press('Escape');
    await this.ask('absent', list);
  }

  async openView(view: string): Promise<void> {
    const named = (name: string): Target => ({ role: 'tab', name });
    const tab = named(view);
    const { id, group } = ALL_VIEWS.find(({ title }) => title === view) ?? {};
    // A narrow page has a menu. It comes with the second chunk.
    if (await this.driver.evaluate('innerWidth < 900')) {
      await this.driver.evaluate(`new Promise((resolve) => {
        const look = () => {
          const menu = document.querySelector('.view-menu .menu__button');
          if (!menu) return requestAnimationFrame(look);
          menu.click();
          resolve(true);
        };
        look();
      })`);
      await this.clickOn({ role: 'menuitemradio', name: group && group !== view ? `${group} · ${view}` : view });
      return;
    }
    const shown = await this.driver.evaluate(`document.querySelector('.views [data-tab="${id}"]') !== null`);
    if (group && !shown) await this.clickOn(named(group));
    await this.clickOn(tab);
    await this.ask('attributeBecomes', tab, 'aria-selected', 'true');
  }

  /** Waits until the opened view has loaded and draws something. */
  async stageShows(): Promise<void> {
    await this.driver.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector('main :is(.panel, table)') ? resolve(true) : requestAnimationFrame(look);
      look();
    })`);
  }

  private async clickOn(target: Target): Promise<void> {
    await this.driver.click(await this.ask('pointOn', target));
  }

  /** Chooses an alternative of the view; its player belongs to that alternative. */
  async chooseInView(name: string): Promise<void> {
    this.player = PLAYERS[name] ?? `steps of ${name}`;
    await this.clickOn({ role: 'radio', name, within: STAGE });
  }

  /** Chooses a source in the menu of dy. */
  async chooseDy(name: string): Promise<void> {
    // The menu comes with the second chunk, and gets the focus at its place.
    await this.driver.evaluate(`new Promise((resolve) => {
      const press = () => {
        const button = document.querySelector('main .dy-menu__button');
        if (!button) return requestAnimationFrame(press);
        button.click();
        opened();
      };
      const opened = () =>
        document.activeElement.closest('.dy-menu') ? resolve(true) : requestAnimationFrame(opened);
      press();
    })`);
    await this.clickOn({ role: 'radio', name, within: STAGE });
    await this.ask('present', { role: 'checkbox', name: 'Click a cell of dy', begins: true });
    await this.driver.press('Escape');
  }

  /** Moves the player of the open view: to the first step, one step further, to the last step. */
  async play(to: 'start' | 'next' | 'end'): Promise<void> {
    await this.ask('focus', { role: 'slider', name: this.player, within: STAGE });
    await this.driver.press({ start: 'Home', next: 'ArrowRight', end: 'End' }[to]);
  }

  /** The gradient in the table of the gradient check, as computed by the backward pass in float32 and in float64. */
  async checkedGradient(tensor: Tensor): Promise<number[]> {
    const row: Target = { role: 'row', name: `backward pass, ${tensor}[`, begins: true, within: STAGE };
    return (await this.ask('texts', { role: 'cell', name: '', begins: true, within: row })).map(Number);
  }
}
