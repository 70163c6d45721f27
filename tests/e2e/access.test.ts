import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { useGate } from './support/gate';
import { cellAt, grid } from './support/grids';
import { chooseFrom } from './support/modes';
import type { Serving } from './support/site';
import { seriousIn } from './support/survey/axe';
import { PHONE } from './support/survey/walks';

// Parts outside of the stage: panels, dialogs, lessons. The survey checks the views.

const serving: Serving = {};
const stage = useStage(serving);
// With the clock of the gate the algorithms are timed at once.
useGate(serving);

/** With --thorough every part is checked on every device, in both themes; otherwise on one of the first two. */
const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { colorScheme: 'light' }],
  ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
  ...(THOROUGH
    ? ([
        ['desktop, dark', { colorScheme: 'dark' }],
        ['phone, light', { ...PHONE, colorScheme: 'light' }],
      ] as const)
    : []),
];

/** Those of an interface of this project come with notes. */
const LANGUAGES = ['C++', 'C++ library', 'NumPy', 'TensorFlow', 'JavaScript'];

const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe.each(DEVICES)('%s', (name, device) => {
  const onDesktop = it.runIf(THOROUGH || name.startsWith('desktop'));
  const onPhone = it.runIf(THOROUGH || name.startsWith('phone'));
  /** A narrow page opens the side panel by a button, which has the name of its tab. */
  const openSide = async (page: Page, tab: string): Promise<void> => {
    if (name.startsWith('phone')) await page.getByRole('button', { name: tab, expanded: false }).click();
  };

  onDesktop('has no serious axe-core findings with an explained cell, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device);
    await grid(page, 'dx').waitFor();
    await cellAt(page, 'y', 0, 0).click();
    await openSide(page, 'Explain');
    await page.getByRole('button', { name: 'Unpin this cell' }).waitFor();
    expect(await seriousIn(page, 'html')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await seriousIn(page, '.keys')).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.keyboard.press('t');
    await page.getByText(/The link has \d+ characters/).waitFor();
    expect(await seriousIn(page, '.share')).toEqual([]);
    await page.keyboard.press('Escape');
    // Esc closed the list of keys; the cell is still kept.
    await page.getByRole('button', { name: 'Unpin this cell' }).waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  onPhone('has no serious axe-core findings in the times of algorithms, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=6&kh=3&c=2&k=3&side=algorithms');
    await openSide(page, 'Algorithms');
    await page.getByRole('button', { name: 'Time them' }).click();
    await page.getByRole('button', { name: 'Time again' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: /^db: / }).waitFor();
    expect(await seriousIn(page, '.times')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  onPhone('has no serious axe-core findings with a kept result, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&kh=3&x=ramp');
    await chooseFrom(page, 'More', 'Keep this result');
    await page.getByRole('radio', { name: 'difference' }).check();
    await page.evaluate(() => {
      location.hash = 'h=5&kh=3&stride=2&x=constant:2';
    });
    await page.getByText('y has no difference to show').waitFor();
    await page.getByText('Largest differences').waitFor();
    expect(await seriousIn(page, '.kept')).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  onDesktop('has no serious axe-core findings in code and LaTeX, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=5&kh=3&groups=1&cell=dx.5&side=code');
    await openSide(page, 'Code');
    for (const language of THOROUGH ? LANGUAGES : LANGUAGES.slice(0, 2)) {
      await page.getByRole('radio', { name: language, exact: true }).check({ force: true });
      await page
        .getByRole('region', { name: `${language} code for dx` })
        .locator('[aria-current=step]')
        .waitFor();
      expect(await seriousIn(page, '.code'), language).toEqual([]);
      expect(await overhang(page), language).toBeLessThanOrEqual(0);
    }
    await chooseFrom(page, 'Share', 'Export');
    await page.getByRole('tab', { name: 'LaTeX' }).click();
    await page.getByRole('textbox', { name: 'LaTeX' }).waitFor();
    expect(await seriousIn(page, '.export')).toEqual([]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  onPhone('has no serious axe-core findings in the lessons, and never scrolls sideways', async () => {
    const { page, troubles } = await openPage(stage, device, '#h=4&kh=3&cell=dx.5&side=lesson&lesson=gather.1');
    const shown = async (what: string) => {
      await page.locator(what).waitFor();
      expect(await seriousIn(page, what), what).toEqual([]);
      expect(await overhang(page), what).toBeLessThanOrEqual(0);
    };
    await shown('.lesson');
    await page.getByRole('button', { name: 'Leave lesson' }).click();
    await shown('.catalogue');
    await page.getByRole('button', { name: 'For teachers: homework and marks' }).click();
    await page.locator('.homework textarea').fill('#lesson=shapes.9&answers=1_2&name=Ada&digest=00\nnothing');
    await page.getByRole('button', { name: 'Mark answers' }).click();
    await page.getByText('Line 2: No link').waitFor();
    await shown('.homework');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Shapes and parameters/ }).click();
    await page.getByRole('textbox', { name: 'Answer' }).fill('1');
    await page.getByRole('button', { name: 'Check' }).click();
    await shown('.exercise');
    await page.getByRole('button', { name: 'Leave exercises' }).click();
    await page.getByRole('button', { name: 'Derivation of the formulas' }).click();
    await shown('.derivation');
    await page.getByRole('button', { name: 'Back to the lessons' }).click();
    await page.getByRole('button', { name: 'Spot the bug' }).click();
    // Until the problem that exposes the bug is computed, an answer is about the problem before.
    await expect.poll(() => page.locator('.spot__none').first().textContent()).toMatch(/[1-9]\d* of \d+ cells?/);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.locator('.spot__told strong').waitFor();
    await shown('.spot');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
