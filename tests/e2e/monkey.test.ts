import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { recordFrames, takeFrames } from './support/frames/record';
import { contradictions, differencesFromAddress } from './support/frames/settled';
import { grid } from './support/grids';
import { formatChange, type MemoryUse, measure, openProfiler } from './support/memory';
import { performRandomAction } from './support/monkey';
import { randomOf, seedOf } from './support/random';

// Random actions in all modes and controls: no errors, no contradictions, no leaks.

const ACTIONS = Number(process.env['CONV2D_MONKEY'] ?? (THOROUGH ? 300 : 80));
const SEED = seedOf(20261122);
/** After this many actions the test waits for the page and compares it with its address. */
const REST = 20;
/** The undo history is kept on purpose: at most two hundred small problems. */
const MOST_GROWTH = 4e6;
/** Nodes outside the document: 159, 180, 195 and 216 were seen, so two parts of 21 and 36 nodes are kept or not. */
const MOST_NODES = 100;
const MOST_LISTENERS = 50;

const stage = useStage();

/** The default look. */
async function measureAtHome(page: Page, session: CDPSession): Promise<MemoryUse> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none' });
  await page.setViewportSize({ width: 1440, height: 900 });
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
  await page.evaluate(() => {
    location.hash = 'h=5&kh=3&x=ramp&weights=countdown:9';
  });
  // The link is open when the page has written its address anew.
  await page.waitForFunction(() => location.hash.includes('v=2'));
  await expect.poll(() => atRest(page)).toEqual([]);
  await takeFrames(page);
  return measure(session);
}

/** What the page shows but its address does not contain; empty if the address cannot tell. */
async function atRest(page: Page): Promise<readonly string[]> {
  const before = page.url();
  // A running player never settles.
  await page.evaluate(() => document.querySelector<HTMLElement>('button[aria-label^="Pause"]')?.click());
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const hash = new URL(page.url()).hash;
  if (page.url() !== before) return ['the address is being written'];
  const { seen } = await takeFrames(page);
  const now = seen.at(-1)?.seen;
  if (!now) return ['no frame'];
  const open = await page.evaluate(
    () => document.querySelector('.link-notice, .notice, progress, dialog[open]') !== null,
  );
  return open ? [] : ((await differencesFromAddress(hash, now)) ?? []);
}

test(`${ACTIONS} random actions`, async () => {
  const { page, troubles } = await openPage(stage);
  const session = await openProfiler(page);
  await grid(page, 'dx').waitFor();
  await recordFrames(page);
  const random = randomOf(SEED);
  const done: string[] = [];
  const wrong: string[] = [];
  let [frames, rests] = [0, 0];
  const some = async (count: number) => {
    for (let i = 1; i <= count; i += 1) {
      done.push(await performRandomAction(page, random));
      if (troubles.length > 0)
        throw new Error(`${troubles.join('; ')} after ${done.slice(-8).join(' | ')}, at ${page.url()}`);
      if (i % 5 === 0) {
        const taken = await takeFrames(page);
        frames += taken.frames;
        for (const { seen } of taken.seen) {
          const faults = contradictions(seen);
          if (faults.length > 0) wrong.push(`${faults.join('; ')} after ${done.slice(-6).join(' | ')}`);
        }
      }
      if (i % REST > 0) continue;
      await expect.poll(() => atRest(page), { message: done.slice(-REST).join(' | ') }).toEqual([]);
      rests += 1;
    }
  };
  // All lazy parts are loaded, and the undo history has entries.
  const first = Math.min(ACTIONS, ACTIONS > 500 ? 300 : 60);
  await some(first);
  const before = await measureAtHome(page, session);
  await some(ACTIONS - first);
  const after = await measureAtHome(page, session);
  console.log(
    `seed ${SEED}: ${done.length} actions, ${frames} frames, ${rests} times at rest; after ${first} and after all ` +
      `${formatChange(before, after)}; ${wrong.length} frames wrong`,
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWTH);
  // What is open at home depends on the actions before, so only nodes outside the document are compared.
  const newlyShown = after.shown - before.shown;
  expect(after.nodes - before.nodes - newlyShown).toBeLessThan(MOST_NODES);
  expect(after.listeners - before.listeners - Math.max(0, newlyShown)).toBeLessThan(MOST_LISTENERS);
  expect(troubles).toEqual([]);
});
