/**
 * The conditions under which the browser tests run: `CONV2D_CONDITIONS`, set by `npm test -- --conditions NAME`. A test that
 * passes in all of them does not bet on the speed of a machine.
 *   busy        a loop keeps each processor busy (busy-loops.ts)
 *   throttled   Chromium slows the main thread of each page 6 times
 *   instant     the clock of the worker stands still: each computation seems to take no time, and reports no progress
 */
const name = process.env['CONV2D_CONDITIONS'] ?? '';
if (!['', 'busy', 'throttled', 'instant'].includes(name)) throw new Error(`no conditions are named ${name}`);

export const IS_BUSY = name === 'busy';
export const IS_INSTANT = name === 'instant';
/** Factor by which each page is slower. */
export const THROTTLING = name === 'throttled' ? 6 : 1;
