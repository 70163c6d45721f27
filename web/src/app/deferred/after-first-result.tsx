import { batch } from '@preact/signals';
import { render } from 'preact';
import { stepCount } from '../../geometry/steps';
import { writeLink } from '../../link/write-link';
import { DEFAULT_LOOK } from '../../look/look';
import { Persister } from '../../persist/persister';
import type { RestoredPage } from '../../persist/restore-page';
import { OPENING_CELL } from '../../state/problem';
import { readStored, writeStored } from '../../storage/storage';
import { forgetReplaced } from '../../ui/forget-replaced';
import { openingCaption } from '../../views/overview/parts';
import type { ImageOrigin, Page } from '../page/page';
import { NotSavedNotice } from './corner';
import { measureMemory } from './device-memory';
import { enableOffline } from './offline/enable-offline';
import { SilenceNotice } from './SilenceNotice';
import './corner.css';

/** Runs after the first result: stores the problem and the files of the page, and frees replaced virtual DOM trees. */
export async function afterFirstResult(page: Page, recalled: RestoredPage | null): Promise<void> {
  forgetReplaced();
  showOpening(page);
  const { store, look, address, images } = page;
  const { source } = store.problem.peek().x;
  if (recalled?.file && source.kind === 'file') images.origins.set(source, recalled.file as ImageOrigin);
  const persister = new Persister({
    store,
    look,
    address,
    id: recalled?.id ?? null,
    fileOf: (of) => images.origins.get(of),
    page: window,
  });
  const corner = document.body.appendChild(document.createElement('div'));
  corner.className = 'corner column loose';
  const place = corner.appendChild(document.createElement('div'));
  render(<NotSavedNotice restored={recalled?.restored ?? []} refused={persister.refused} address={address} />, place);
  measureMemory();
  render(<SilenceNotice client={page.client} store={store} />, corner.appendChild(document.createElement('div')));
  if (!import.meta.env.PROD) return;
  await enableOffline(corner, () => {
    address.flush(writeLink);
    return persister.flush();
  });
}

const STORAGE_KEY = 'opening';
const FORWARD = 'Forward: the window moves over x, and each position makes one cell of y.';
const BACKWARD = 'Backward: the 1 in dy comes back. dx is w where the window was, and dw is the window.';
/** In ms. A step is shorter than the pause before the address is written, so the address does not change. */
const TIMES = { before: 700, step: 380, after: 300, back: 3500 };
/** The first of them ends the motion. */
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'hashchange'] as const;

/** Shows the opening problem in motion, once per browser. Not for a link that has more, nor with reduced motion. */
function showOpening({ look, currentContent }: Page): void {
  const geometry = currentContent.peek()?.geometry;
  const cell = look.current.peek();
  const isSuggested = cell?.tensor === OPENING_CELL.tensor && cell.index === OPENING_CELL.index;
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (
    !geometry ||
    !isSuggested ||
    !isDefault(look.written.peek()) ||
    isReduced ||
    document.hidden ||
    readStored('localStorage', STORAGE_KEY) !== null
  )
    return;
  writeStored('localStorage', STORAGE_KEY, 'seen');
  const total = stepCount(geometry, 'forward');
  let timer = 0;
  const after = (time: number, act: () => void) => {
    timer = window.setTimeout(act, time);
  };
  const end = () => {
    clearTimeout(timer);
    for (const action of ACTIONS) window.removeEventListener(action, end, true);
    batch(() => {
      openingCaption.value = null;
      look.choose('board', { t: '' });
      look.hover(null);
      look.suggest(OPENING_CELL, geometry);
    });
  };
  const back = () => {
    batch(() => {
      openingCaption.value = BACKWARD;
      look.choose('board', { t: '' });
      look.hover({ tensor: 'dy', index: OPENING_CELL.index });
    });
    after(TIMES.back, end);
  };
  const step = (t: number) => {
    batch(() => {
      openingCaption.value = FORWARD;
      look.play();
      look.choose('board', { t });
    });
    if (t < total) after(TIMES.step, () => step(t + 1));
    else after(TIMES.after, isInView('dx') ? back : end);
  };
  for (const action of ACTIONS) window.addEventListener(action, end, { capture: true, passive: true });
  after(TIMES.before, () => step(1));
}

/** On a phone the gradients are further down. */
const isInView = (tensor: string): boolean =>
  (document.querySelector(`.panel--${tensor}`)?.getBoundingClientRect().top ?? innerHeight) < innerHeight;

const isDefault = (look: object): boolean =>
  Object.entries(DEFAULT_LOOK).every(
    ([name, value]) => JSON.stringify(Reflect.get(look, name)) === JSON.stringify(value),
  );
