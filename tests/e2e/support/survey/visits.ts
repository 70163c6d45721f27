import type { Page } from 'playwright-core';
import type { ModeId } from '../../../../web/src/look/look';
import { VIEWS } from '../../../../web/src/views/list';
import { openDyMenu, openMode } from '../modes';

/** The choices in each view that change its panels. A view that is missing here does not compile. */
const CHOICES: Readonly<Record<ModeId, readonly string[]>> = {
  board: [],
  network: [],
  dx: ['scatter', 'gather', 'full convolution', 'phase split'],
  dw: ['matrix product', 'x convolved with dy', 'grouped', 'window by window', 'db'],
  lowering: ['1 im2col', '2 Three products', 'dx_col = dy_col · w_colᵀ', '3 col2im'],
  matrix: ['dx = Cᵀ dy', 'y = C x'],
  'gradient-check': ['dx', 'dw', 'db'],
  geometry: ['dilation'],
  learn: ['learn w', 'learn x'],
};

/** What a walk visits: every choice, every view with its default choices, or the opening view alone. */
export type Extent = 'all' | 'views' | 'opening';

/** Sources in the menu of dy, which stays open. They come last, because they change the problem. */
const SOURCES = ['ones', 'a 1 at the cell you point at', 'painted', 'squared error'];

/** Opens a view; the default clicks its tab. */
export type OpenView = (page: Page, view: { readonly id: ModeId; readonly title: string }) => Promise<unknown>;

/** Visits views and choices one after the other; `inspect` gets the name of each visit. */
export async function visit(
  page: Page,
  extent: Extent,
  inspect: (name: string) => Promise<unknown>,
  openView: OpenView = (_, { title }) => openMode(page, title),
): Promise<void> {
  const [opening] = VIEWS;
  for (const view of extent === 'opening' ? VIEWS.slice(0, 1) : VIEWS) {
    await openView(page, view);
    await inspect(view.title);
    for (const choice of extent === 'all' ? CHOICES[view.id] : []) {
      const setup = page.getByRole('main').getByRole('button', { name: 'Setup' });
      const isBehind = (await setup.count()) > 0;
      if (isBehind) await setup.click();
      await page.getByRole('main').getByRole('radio', { name: choice, exact: true }).check();
      if (isBehind) await page.keyboard.press('Escape');
      await inspect(`${view.title}, ${choice}`);
    }
  }
  if (extent !== 'all' || !opening) return;
  await openView(page, opening);
  for (const source of SOURCES) {
    await (await openDyMenu(page)).getByRole('radio', { name: source, exact: true }).check();
    await inspect(`${opening.title}, dy: ${source}`);
  }
  await page.keyboard.press('Escape');
}
