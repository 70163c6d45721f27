import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { afterEach, expect, it, vi } from 'vitest';
import { THOROUGH } from '../thorough';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { FAULT_NAMES, FAULTS, TECHNICAL_TERMS } from './support/faults';
import { cellAt, grid } from './support/grids';
import { chooseFrom, MODES, openMode } from './support/modes';
import { type Answer, DIST, type Serving } from './support/site';

// Each lazily loaded file with a fault: the page reports it, loses nothing else, and "Try again" works.

const answering = new Set<string>();
const serving: Serving = { answering };
let page: Page;
/** Requests of the page without an end, and when they were made. */
const requests = new Map<Request, number>();
/** Chromium reports no end for a request of a worker that is terminated: later than this, those count that the server answers. */
const ARRIVAL_MS = 2_000;
const waitsForFiles = () =>
  [...requests].some(([request, made]) => answering.has(request.url()) || Date.now() - made < ARRIVAL_MS);
const stage = useStage(serving);
afterEach(async () => {
  serving.patch = undefined;
  await page.context().close();
});

/** The page needs these files to start (tests/e2e/start-faults.test.ts). */
const OF_THE_START = /^[^/]*$|assets\/(page|worker|engine|restore-page|parse-link|fields|rolldown)-|conv2d-/;
/**
 * Not covered here: parts for large problems, and parts with their own tests: opening images
 * (tests/web/app/image-actions.test.ts), the examples (playground.test.ts), arrays (numbers.test.ts), embeds
 * (embed.test.ts), animations (export.test.ts), the module and the images of digits, which the worker loads (digits.test.ts), and the motion of the opening (below).
 */
const ELSEWHERE =
  /threads|open-images|value-edits|ExamplesSheet|open-import|read-worker|numbers-sheet|SaveArraysSheet|^report\.|LinkSheet|problem-file|file-limits|start-embed|^arrays\.|import-inputs|layer-arrays|judge-worker|^check\.|animation-worker|^opening\.|^digits\./;

/** For a slow machine; otherwise everything loads within a second. */
const SOON = { timeout: 180_000 };

interface Stop {
  readonly name: string;
  readonly go: () => Promise<unknown>;
  /** Waits until the part is there. Repeats the action if a message says that it failed. */
  readonly there: (said: readonly string[]) => Promise<unknown>;
}

/**
 * Waits for a part. The browser may keep a file that is cut until the page is reloaded; only then a message asks for it.
 * `open` repeats the action after that.
 */
async function waitOrReload(part: Locator, open?: () => Promise<unknown>): Promise<void> {
  const reloadMessage = page.getByText(/failed to load( \(damaged file\)|\. Try again, or reload the page\.)/);
  await part.or(reloadMessage).first().waitFor();
  if (await part.isVisible()) return;
  await page.reload();
  await grid(page, 'y').waitFor();
  await open?.();
  await part.waitFor();
}

/** Waits for a dialog and closes it. Only a failed one is opened again: a click behind one that opens late would wait. */
async function dialogIsThere(said: readonly string[], there: Locator, open: () => Promise<unknown>): Promise<void> {
  const failed = said.some((text) => text.includes('failed to load'));
  if (failed && !(await there.isVisible())) await open();
  await waitOrReload(there, open);
  await page.keyboard.press('Escape');
}

const mode = (title: string): Stop => ({
  name: title,
  go: () => openMode(page, title),
  there: () => page.getByRole('main').locator('.panel, table').first().waitFor(),
});
const dialog = (name: string, open = () => page.keyboard.press(name)): Stop => ({
  name: `the dialog of ${name}`,
  go: open,
  there: (said) => dialogIsThere(said, page.getByRole('dialog'), open),
});
const follow = (hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const printButton = () => page.getByRole('button', { name: 'Print', exact: true });
const print = () => printButton().click();
const openHomework = () => page.getByRole('button', { name: 'For teachers: homework and marks' }).click();

/** Every action that loads a file. A new lazy file is reached here, or the test names it. */
const STOPS: readonly Stop[] = [
  {
    name: 'the opening',
    go: () => page.mouse.move(400, 400),
    there: async () => {
      await page.getByRole('spinbutton', { name: 'stride', exact: true }).waitFor();
      // The player takes room from the panels: a click before that may miss its cell.
      await page.locator('.dock .scrubber').waitFor();
      await quiet();
    },
  },
  {
    name: 'a cell',
    go: () => cellAt(page, 'y', 0, 0).click(),
    there: () => page.locator('.explain__title').waitFor(),
  },
  {
    name: 'a hidden number',
    go: () => page.getByRole('button', { name: 'Hide y[0,0]' }).click(),
    there: async () => {
      const cell = cellAt(page, 'y', 0, 0);
      // After two reloads in a row, the last action may have to be repeated.
      const hide = page.getByRole('button', { name: 'Hide y[0,0]' });
      if ((await cell.textContent()) !== '?' && (await hide.isVisible())) await hide.click();
      await expect.poll(() => cell.textContent()).toBe('?');
      await page.getByRole('textbox', { name: 'y[0,0] =' }).waitFor();
    },
  },
  {
    name: 'a number that is judged',
    go: async () => {
      await page.getByRole('textbox', { name: 'y[0,0] =' }).fill('1');
      await page.getByRole('button', { name: 'Check' }).click();
    },
    there: async (said) => {
      const cell = cellAt(page, 'y', 0, 0);
      // "Try again" reloads the page if the file was damaged, and a reloaded page keeps no answer that was not judged.
      if (said.some((text) => text.includes('damaged')))
        await page.getByRole('textbox', { name: 'y[0,0] =' }).fill('1');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('y[0,0] is not 1').waitFor();
      await page.getByRole('button', { name: 'Reveal y[0,0]' }).click();
      await expect.poll(() => cell.textContent()).not.toBe('?');
    },
  },
  {
    name: 'the menu of dy',
    go: () => page.locator('main .dy-menu__button').click(),
    there: async () => {
      // After a reload it is closed.
      if (!(await page.locator('.dy-menu').isVisible())) await page.locator('main .dy-menu__button').click();
      await page.getByRole('checkbox', { name: 'same colors for w and dw' }).waitFor();
      await page.keyboard.press('Escape');
    },
  },
  ...MODES.map(mode),
  {
    name: 'the code',
    go: () => page.getByRole('tab', { name: 'Code' }).click(),
    there: () => page.locator('.listing').waitFor(),
  },
  {
    name: 'a kept result',
    go: () => page.keyboard.press('k'),
    there: async (said) => {
      const kept = page.getByRole('region', { name: 'Kept' });
      // "Try again" reloads the page if the file was damaged, and a reloaded page keeps no result.
      if (said.some((text) => text.includes('damaged')) && !(await kept.isVisible())) await page.keyboard.press('k');
      await waitOrReload(kept, () => page.keyboard.press('k'));
      await kept.getByRole('radio', { name: 'difference' }).check();
      await kept.getByText('y has not changed').waitFor();
      await kept.getByRole('button', { name: 'Drop' }).click();
    },
  },
  {
    name: 'the lessons',
    go: () => page.getByRole('tab', { name: /Lesson/ }).click(),
    there: () => page.locator('.catalogue').waitFor(),
  },
  {
    name: 'homework',
    go: openHomework,
    there: (said) => dialogIsThere(said, page.getByRole('dialog', { name: 'Homework' }), openHomework),
  },
  dialog('?'),
  dialog('t'),
  dialog('p'),
  dialog('About', () => chooseFrom(page, 'More', 'About')),
  {
    name: 'exercises',
    go: () => follow('lesson=gradients.1'),
    there: () => waitOrReload(printButton()),
  },
  {
    name: 'a worksheet',
    go: print,
    there: (said) => dialogIsThere(said, page.getByRole('dialog', { name: /^Print: / }), print),
  },
  {
    name: 'a network',
    go: () => follow('h=12&kh=3&layer.2=relu&mode=network'),
    there: () => waitOrReload(page.getByRole('main').locator('.net .dy-menu__button').nth(1)),
  },
  {
    name: 'a sample picture',
    go: () => follow('h=12&kh=3&x=sample:portrait&weights=filter:blur'),
    // Its link is not opened without it, and can be tried again.
    there: () =>
      waitOrReload(
        page
          .locator('.panel')
          .first()
          .filter({ hasText: /12 × 12/ }),
      ),
  },
];

/** "assets/DxView-g1O39WQe.js" is DxView.js in any build. */
const plainName = (file: string): string => file.replace(/^assets\//, '').replace(/-[\w-]{8}\./, '.');
const TOLD = /was opened|failed to load|: loading…|Opening the link|^Computing$|^Checking /;

/** A browser has six connections to a server: if all are blocked, needed files do not load either. */
const MOST_HELD = 4;
/** Releases the blocked files. */
let held: (() => void)[] = [];
const ALL = {
  ...FAULTS,
  slow(body: Buffer, file: string): Answer {
    // The page reads its address with these before it draws anything.
    if (/assets\/(fields|text|entries)-/.test(file)) return { body };
    if (held.length === MOST_HELD) return { body };
    return { body, after: new Promise<void>((arrive) => held.push(arrive)) };
  },
};

const told = () => page.getByText(TOLD).allTextContents();

async function walk(faultOf: (file: string) => keyof typeof ALL): Promise<void> {
  page = await (await stage.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })).newPage();
  const uncaught: string[] = [];
  page.on('pageerror', (error) => uncaught.push(error.message));
  requests.clear();
  page.on('request', (request) => requests.set(request, Date.now()));
  const ended = (request: Request) => requests.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  // The requests of a document that was left have no end.
  const left = () => requests.clear();
  page.on('framenavigated', left);
  page.on('framedetached', left);
  const hurt = new Set<string>();
  const asked = new Set<string>();
  const harm = () => {
    serving.patch = (file, body) => {
      asked.add(plainName(file));
      if (OF_THE_START.test(file)) return body;
      hurt.add(plainName(file));
      return ALL[faultOf(plainName(file))](body, file);
    };
  };
  harm();
  await page.goto(stage.site.url + NOTEBOOK_4);
  await grid(page, 'dx').waitFor();
  // A message below the page stays for some seconds after its part was loaded.
  const pending = page.getByText(': loading…').and(page.locator(':not(.toast)'));
  const rows: string[] = [];
  /** The message of the last stop may still be visible. */
  let before: readonly string[] = [];
  for (const { name, go, there } of STOPS) {
    harm();
    await go();
    // Either the part is there, or a message that it is not.
    const saidNow = async () => (await told()).filter((text) => !before.includes(text));
    await quiet(() => hurt.size > 0);
    let said = await saidNow();
    // A file may have been asked for since.
    if (hurt.size > 0 && said.length === 0) {
      await vi.waitUntil(async () => (await saidNow()).length > 0, SOON).catch(() => undefined);
      said = await saidNow();
    }
    for (const text of said) expect(text).not.toMatch(TECHNICAL_TERMS);
    if (hurt.size > 0) {
      const faults = [...new Set([...hurt].map(faultOf))].join(', ');
      rows.push(`${name}: ${[...hurt].join(' ')} (${faults}) -> ${said.join(' / ') || 'nothing'}`);
    }
    serving.patch = (file, body) => {
      asked.add(plainName(file));
      return body;
    };
    hurt.clear();
    for (const arrive of held) arrive();
    held = [];
    // Messages may come later, and loaded parts may request more.
    for (let tries = 0, error: unknown = true; error; tries += 1) {
      await tryAgain();
      error = await there(said).then(() => null, String);
      // What failed behind a dialog.
      if (!error) await tryAgain();
      if (error && tries === 2) throw new Error(`${name}: ${error}\n${rows.join('\n')}`);
    }
    // Pending files would request the rest at the next stop and report it there.
    await expect.poll(() => pending.count()).toBe(0);
    before = await told();
  }
  console.log(rows.join('\n'));
  expect(rows.filter((row) => row.endsWith('nothing'))).toEqual([]);
  expect(uncaught).toEqual([]);
  // Nothing was lost: the problem of the last link is open.
  expect(page.url()).toContain('h=12');
  const late = readdirSync(join(DIST, 'assets')).filter(
    (file) => /(js|css)$/.test(file) && !OF_THE_START.test(`assets/${file}`),
  );
  // A script is not requested if its style sheet failed.
  const unasked = late
    .map(plainName)
    .filter((file) => !asked.has(file) && !asked.has(file.replace(/js$/, 'css')))
    .filter((file) => !ELSEWHERE.test(file));
  expect(unasked).toEqual([]);
}

/** Resolves when the page has drawn what was done, and waits for no file; or when `isEnough`. */
async function quiet(isEnough = () => false): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await vi.waitUntil(() => !waitsForFiles() || isEnough(), { ...SOON, interval: 20 });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Clicks each "Try again" that can be reached: a dialog keeps the page behind it from being clicked. */
async function tryAgain(): Promise<void> {
  const dialog = page.locator('dialog[open]');
  const named = page.getByRole('button', { name: 'Try again' });
  for (let i = 0; i < 12; i += 1) {
    const button = ((await dialog.isVisible()) ? dialog.locator(named) : named).first();
    if (!(await button.isVisible())) return;
    // A message ends by itself: its button may go before the click.
    const [shown] = await button.elementHandles();
    // After a damaged file this loads the page again, on a busy machine some time after the click.
    const isDamaged = await shown?.evaluate((node) =>
      (node as Element).closest('.notice')?.textContent?.includes('damaged'),
    );
    const loadedAgain = isDamaged
      ? page.waitForEvent('domcontentloaded', { timeout: 10_000 }).catch(() => undefined)
      : undefined;
    // The dialog of the button before may open meanwhile.
    await shown?.click({ timeout: 20_000 }).catch(async (error) => {
      if ((await shown.isVisible()) && !(await dialog.isVisible())) throw error;
    });
    await loadedAgain;
    await quiet();
    // Another part may have failed, too, with a button of its own.
    await page.locator('[role=grid], table').or(button).filter({ visible: true }).first().waitFor();
  }
}

if (THOROUGH) {
  it.each([...FAULT_NAMES, 'slow'] as const)('reports late files that are %s', (fault) => walk(() => fault));
} else {
  it('reports late files that are missing or another page', () =>
    walk((file) => (file.length % 2 === 0 ? 'missing' : 'another page')));
}

it('“Reload the page” keeps an edit of the moment before, even if the page ends too late to save it', async () => {
  serving.patch = (file, body) => (/GeometryView-.*js$/.test(file) ? FAULTS.truncated(body) : body);
  page = (await openPage(stage)).page;
  // The next page may begin before these events: here they never arrive.
  await page.evaluate(() => {
    for (const name of ['pagehide', 'visibilitychange'])
      window.addEventListener(name, (event) => event.stopImmediatePropagation(), true);
  });
  await grid(page, 'dx').waitFor();
  await openMode(page, 'Sizes and coverage');
  const reload = page.getByRole('button', { name: 'Reload the page' });
  await reload.waitFor();
  serving.patch = undefined;
  const stride = page.getByRole('spinbutton', { name: 'stride', exact: true });
  await stride.fill('1');
  await reload.click();
  await page.getByRole('main').locator('.panel, table').first().waitFor();
  await expect.poll(() => stride.inputValue()).toBe('1');
});

it.each(FAULT_NAMES)('a first visit is complete without the motion of the opening: its file is %s', async (fault) => {
  let asked = 0;
  serving.patch = (file, body) => {
    if (!/\/opening-.*js$/.test(file)) return body;
    asked += 1;
    return FAULTS[fault](body);
  };
  const opened = await openPage(stage, {}, '', null);
  page = opened.page;
  await expect.poll(() => asked).toBe(1);
  await page.locator('.explain__title').getByText('y[1,1] = 3').waitFor();
  await page.getByText(/^Press Play/).waitFor();
  await page.getByRole('button', { name: 'One step forward' }).click();
  await page.getByText(/^Step 1 of 9/).waitFor();
  expect(await told()).toEqual([]);
  expect(opened.troubles.filter((trouble) => trouble.startsWith('uncaught'))).toEqual([]);
});

it.each(FAULT_NAMES)('the sum in the picture says that its file is %s, and comes with “Try again”', async (fault) => {
  serving.patch = (file, body) => (/\/SumLine-.*js$/.test(file) ? FAULTS[fault](body) : body);
  page = (await openPage(stage)).page;
  await page.getByText(/^The sum failed to load/).waitFor();
  serving.patch = undefined;
  await tryAgain();
  await page.getByText('Point at a cell of y, dx, dw or db to see its sum.').waitFor();
});
