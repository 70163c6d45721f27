import type { Page } from 'playwright-core';

/** A number typed into a cell must be said in a live region within a second of its result. The edit is undone. */
export async function silentEdit(page: Page): Promise<string[]> {
  const cell = page.locator('.canvas [role=grid][aria-readonly=false] .cell--data').first();
  if ((await cell.count()) === 0) return [];
  const value = Number(await cell.getAttribute('data-value'));
  // Both are timers of the page: its speed does not matter.
  const heard = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const region = document.querySelector('.spoken[role=status]');
        const before = region?.textContent ?? '';
        const said = () => (region?.checkVisibility() && region.textContent !== before ? region.textContent : '');
        const observer = new MutationObserver(() => {
          observer.disconnect();
          setTimeout(() => resolve(said() ?? ''), 1000);
        });
        const canvas = document.querySelector('.canvas');
        if (canvas) observer.observe(canvas, { subtree: true, attributeFilter: ['data-value'] });
      }),
  );
  await cell.focus();
  await page.keyboard.type(String(value + 1));
  await page.keyboard.press('Enter');
  const sentence = await heard;
  await page.keyboard.press('Control+z');
  await page
    .locator('.canvas .cell--data')
    .first()
    .and(page.locator(`[data-value="${value}"]`))
    .waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  return /^\w+\[[\d,]+\] = .+\. .+\.$/.test(sentence) ? [] : [`an edit is silent: "${sentence}"`];
}
