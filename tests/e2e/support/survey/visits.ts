import type { Page } from 'playwright-core';
import type { ModeId } from '../../../../web/src/look/look';
import { VIEWS } from '../../../../web/src/views/list';
import { openMode } from '../modes';

/** The choices in each view that change its panels. A view that is missing here does not compile. */
const CHOICES: Readonly<Record<ModeId, readonly string[]>> = {
  board: [],
  dx: ['scatter', 'gather', 'full convolution', 'phase split'],
  dw: ['matrix product', 'x convolved with dy', 'grouped', 'window by window', 'db'],
  lowering: ['1 im2col', '2 Three products', '3 col2im'],
  matrix: ['dx = Cᵀ dy', 'y = C x'],
  'gradient-check': ['dx', 'dw', 'db'],
  geometry: ['dilation'],
  learn: ['learn w', 'learn x'],
  dy: ['ones', 'painted', 'squared error'],
};

/** What a walk visits: every choice, every view with its default choices, or the opening view alone. */
export type Extent = 'all' | 'views' | 'opening';

/** dy and loss comes last: its choices change the problem. */
const ORDER = [...VIEWS].sort((a, b) => Number(a.id === 'dy') - Number(b.id === 'dy'));

/** Opens a view; the default clicks its tab. */
export type OpenView = (page: Page, view: { readonly id: ModeId; readonly title: string }) => Promise<unknown>;

/** Visits views and choices one after the other; `inspect` gets the name of each visit. */
export async function visit(
  page: Page,
  extent: Extent,
  inspect: (name: string) => Promise<unknown>,
  openView: OpenView = (_, { title }) => openMode(page, title),
): Promise<void> {
  for (const view of extent === 'opening' ? ORDER.slice(0, 1) : ORDER) {
    await openView(page, view);
    await inspect(view.title);
    for (const choice of extent === 'all' ? CHOICES[view.id] : []) {
      await page.getByRole('main').getByRole('radio', { name: choice, exact: true }).check();
      await inspect(`${view.title}, ${choice}`);
    }
  }
}
