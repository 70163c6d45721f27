import { render } from 'preact';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { App } from '../../../../web/src/app/App';
import { deferred } from '../../../../web/src/app/deferred/deferred';
import { createPage, type Page } from '../../../../web/src/app/page/page';
import { SECTIONS, setOpen } from '../../../../web/src/app/page/sections';
import { rooms } from '../../../../web/src/app/stage/current-view';
import { readLink } from '../../../../web/src/link/read-link';
import { areArraysBusy, InProcessChannel, InProcessJudge, InProcessReader } from './array-workers';
import { completeDocument } from './browser';
import { breakKernel, InProcessWorker } from './worker';

/**
 * The real page with the real module, in a document without layout. Its clock stands still between the actions of a test: `settle`
 * and `wait` move it.
 */

/** Case 4 of the notebook: padding, stride and all gradients in integers. */
export const NOTEBOOK_4 = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';
/** The default problem of the page. */
export const NO_LINK = '';

interface Device {
  readonly width: number;
  readonly height: number;
  /** The room of the view. */
  readonly room: { readonly width: number; readonly height: number };
}
export const DESKTOP: Device = { width: 1440, height: 900, room: { width: 836, height: 640 } };
export const PHONE: Device = { width: 390, height: 844, room: { width: 366, height: 654 } };

/** Milliseconds. */
const FRAME = 16;
/** The page is settled after so many frames in which the worker had nothing to do: a question follows a few frames after its result. */
const QUIET_FRAMES = 8;
const MOST_FRAMES = 2000;

/** Moves the clock, frame by frame, until the page and the worker are idle. */
export async function settle(): Promise<void> {
  let quiet = 0;
  for (let frame = 0; quiet < QUIET_FRAMES; frame += 1) {
    if (frame > MOST_FRAMES) throw new Error('the page does not come to rest');
    await vi.advanceTimersByTimeAsync(FRAME);
    const isLoading = InProcessWorker.isBusy() || areArraysBusy();
    if (isLoading) await vi.dynamicImportSettled();
    quiet = isLoading ? 0 : quiet + 1;
    // A part of the page may be loading.
    if (quiet === QUIET_FRAMES / 2) await vi.dynamicImportSettled();
  }
}

/** Waits for the next rendering only. */
export const rendered = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Moves the clock. */
export async function wait(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await settle();
}

let opened: Page | null = null;

function close(): void {
  if (!opened) return;
  render(null, root());
  opened.address.stop();
  opened.client.dispose();
  opened = null;
}

const root = (): HTMLElement => document.getElementById('app') ?? document.body;

/** Opens the page; one that is open is closed. */
export async function open(hash = NOTEBOOK_4, device = DESKTOP): Promise<Page> {
  close();
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: Device) => void } };
  happyDOM.setViewport(device);
  rooms.of = () => device.room;
  document.body.innerHTML = '<div id="app"></div>';
  for (const { id } of SECTIONS) setOpen(id, true);
  window.location.hash = hash;
  const page = createPage(window, await readLink(hash));
  opened = page;
  if (page.look.lesson.peek()) (await import('../../../../web/src/app/lesson/course')).courseOf(page);
  await deferred.wait();
  render(<App page={page} />, root());
  await settle();
  return page;
}

/** Follows a link in the open page. */
export async function goTo(hash: string): Promise<void> {
  window.location.hash = hash;
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await settle();
}

/** The address after the pause in which it is written. */
export async function address(): Promise<string> {
  await wait(1000);
  return window.location.hash;
}

/** In place of the constructor of workers. */
function workerOf(_address: URL, { name = '' }: WorkerOptions = {}) {
  if (name === 'conv2d reader') return new InProcessReader();
  return name === 'conv2d check' ? new InProcessJudge() : new InProcessWorker();
}

/** For the tests of a file. A test fails if the page reports an error. */
export function usePage(): void {
  let errors: unknown[] = [];
  const onError = (event: Event) => errors.push((event as ErrorEvent).error ?? event);
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('Worker', workerOf);
    vi.stubGlobal('MessageChannel', InProcessChannel);
    completeDocument();
    localStorage.clear();
    sessionStorage.clear();
    // Modules stay loaded from file to file and keep what was stored; so another tab would tell them.
    window.dispatchEvent(new Event('storage'));
    errors = [];
    window.addEventListener('error', onError);
    vi.spyOn(console, 'error').mockImplementation((...args) => void errors.push(args));
  });
  afterEach(() => {
    close();
    breakKernel(null);
    window.removeEventListener('error', onError);
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    expect(errors).toEqual([]);
  });
}
