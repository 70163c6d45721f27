/**
 * The conditions under which the browser tests run: `CONV2D_CONDITIONS=busy npm test -- --only e2e`. A test that passes in
 * all of them does not bet on the speed of a machine.
 *   busy        a loop keeps each processor busy (busy-loops.ts)
 *   throttled   Chromium slows the main thread of each page 6 times
 *   instant     the clock of the worker stands still: each computation seems to take no time, and reports no progress
 */
export const CONDITIONS = process.env['CONV2D_CONDITIONS'] ?? '';
if (!['', 'busy', 'throttled', 'instant'].includes(CONDITIONS))
  throw new Error(`no conditions are named ${CONDITIONS}`);

export const IS_BUSY = CONDITIONS === 'busy';
export const IS_INSTANT = CONDITIONS === 'instant';
/** A throttled page keeps a processor busy even with nothing to do: none is left open, and none is opened again. */
export const IS_THROTTLED = CONDITIONS === 'throttled';
/** Factor by which each page is slower. */
export const THROTTLING = IS_THROTTLED ? 6 : 1;
