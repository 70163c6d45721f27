import type { BrowserContextOptions } from 'playwright-core';
import { THOROUGH } from '../../../thorough';
import { NOTEBOOK_4 } from '../browser';
import { linkTo, TESTED_CASES } from '../notebook';
import type { CheckerName } from './checkers';
import type { Extent } from './visits';

/** What every device must satisfy in every view. */
const ALWAYS: readonly CheckerName[] = [
  'overlap',
  'burst',
  'cut cells',
  'one size',
  'legend',
  'crowded',
  'figures',
  'out of card',
  'window',
  'dock',
];
/** A desktop shows all panels at once, in the same places in all views. */
const DESKTOP_CHECKS: readonly CheckerName[] = [...ALWAYS, 'whole', 'moved', 'cut off', 'telling'];

interface Device {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly checks: readonly CheckerName[];
}

const desktop = (colorScheme: 'light' | 'dark', width = 1280, height = 720): Device => ({
  name: `desktop ${width} x ${height}, ${colorScheme}`,
  options: { viewport: { width, height }, reducedMotion: 'reduce', colorScheme },
  checks: DESKTOP_CHECKS,
});

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const phone = (colorScheme: 'light' | 'dark'): Device => ({
  name: `phone, ${colorScheme}`,
  options: { ...PHONE, reducedMotion: 'reduce', colorScheme },
  checks: ALWAYS,
});

const embed = (width: number, height: number): Device => ({
  name: `embed ${width} x ${height}`,
  options: { viewport: { width, height }, reducedMotion: 'reduce' },
  // Zoom buttons can stand out of narrow panels in frames of 640 x 480 and 591 x 300.
  // A frame scrolls as a whole, with its dock.
  checks: [...ALWAYS.filter((name) => name !== 'out of card' && name !== 'dock'), 'reach'],
});

/** Zoomed to 200 % and 400 %, a window of 1280 x 900 is 640 and 320 CSS pixels wide. */
const zoomed = (width: number, height: number, deviceScaleFactor: number): Device => ({
  name: `${width} x ${height}, zoomed ${deviceScaleFactor} times, forced colors`,
  options: { viewport: { width, height }, deviceScaleFactor, reducedMotion: 'reduce', forcedColors: 'active' },
  checks: ALWAYS,
});

export interface Walk extends Device {
  readonly problem: string;
  readonly extent: Extent;
  readonly kind: 'page' | 'embed' | 'zoomed';
}

const walk = (device: Device, problem: string, extent: Extent, ...more: readonly CheckerName[]): Walk => ({
  ...device,
  checks: [...device.checks, ...more],
  problem,
  extent,
  kind: 'page',
});

const SEVERAL = '#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1&x=random:1';
const GROUPS =
  '#n=2&h=8&w=8&c=4&k=4&groups=2&kh=3&padding=same&x=random:3&weights=random:5&bias=ones&dy=mse:0&slice=n1.c2.k3';
const WIDE = '#h=40&w=40&c=16&k=32&b=ones';
/** Long values, of which some are at the border of their cells. */
const CORNER = '#h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';
const CROWDED = [
  '#h=7&kh=3&stride=2&padding=same',
  '#h=7&c=3&k=4&kh=3&padding=same&x=random:3&weights=random:5',
  '#h=256&kh=3&padding=same&x=sample:portrait&weights=filter:sobel_x&dy=mse:0',
  GROUPS,
];
const IN_FRAMES = [NOTEBOOK_4, '#n=2&h=12&c=3&k=4&kh=3&padding=same&x=random:1&weights=random:2&bias=ones&dy=mse:0'];
const NOTEBOOK = TESTED_CASES.filter(({ x_shape }) => x_shape[3] === 1).map(linkTo);

const WINDOWS = [zoomed(320, 225, 4), ...(THOROUGH ? [zoomed(640, 450, 2), zoomed(320, 700, 1)] : [])];
const FRAMES = [
  embed(320, 240),
  ...(THOROUGH ? [embed(640, 480), embed(240, 320), embed(591, 300), embed(1100, 620)] : []),
];

/** In a plain run every device visits each view, and with --thorough every choice of it. One walk of each device runs axe-core. */
const EVERY: Extent = THOROUGH ? 'all' : 'views';

/** Windows of tablets, laptops with large text, phones held sideways or upright, and a window of 1280 x 720 zoomed to 200 %. */
const SMALL_WINDOWS = [
  [1024, 768],
  [1093, 614],
  [844, 390],
  [640, 360],
  [390, 844],
] as const;

const SMALL: readonly Walk[] = SMALL_WINDOWS.flatMap(([width, height]) => [
  {
    ...walk(desktop('light', width, height), '', 'opening', 'first cell', 'board', 'spacing'),
    name: `small window ${width} x ${height}`,
  },
  {
    ...walk({ ...desktop('light', width, height), checks: ALWAYS }, '', 'views', 'first cell'),
    name: `views in a small window ${width} x ${height}`,
  },
]);

const THOROUGH_WALKS: readonly Walk[] = [
  walk(desktop('light'), '', 'all', 'borders'),
  ...NOTEBOOK.map((problem) => walk(desktop('light'), `${problem}&learn.t=100`, 'all')),
  ...CROWDED.slice(0, 1).map((problem) => walk(desktop('light'), `${problem}&learn.t=100`, 'views')),
  walk(desktop('dark'), SEVERAL, 'all', 'axe', 'borders'),
  walk(phone('light'), SEVERAL, 'all', 'axe'),
  ...['', ...NOTEBOOK, CORNER, SEVERAL].map((problem) => walk(desktop('light', 1440, 900), problem, 'all')),
];

/** The survey: devices with problems. */
export const WALKS: readonly Walk[] = [
  walk(desktop('light'), SEVERAL, EVERY, 'axe', 'borders'),
  walk(desktop('light'), `${CORNER}&learn.t=100`, EVERY),
  walk(desktop('light'), CORNER, 'opening', 'heard'),
  ...CROWDED.slice(1).map((problem) => walk(desktop('light'), `${problem}&learn.t=100`, 'views', 'titles')),
  walk(desktop('light'), `${WIDE}&learn.t=100`, 'views'),
  walk(desktop('dark'), '', 'opening', 'axe', 'borders', 'spacing', 'heard'),
  ...SMALL,
  walk(phone('dark'), SEVERAL, EVERY, 'axe'),
  walk(phone('light'), WIDE, THOROUGH ? 'views' : 'opening'),
  ...WINDOWS.flatMap((device) =>
    [`${NOTEBOOK_4}&cell=y.1`, ...(THOROUGH ? [GROUPS] : [])].map((problem) => ({
      ...walk(device, problem, 'views'),
      kind: 'zoomed' as const,
    })),
  ),
  ...FRAMES.flatMap((device, size) =>
    IN_FRAMES.slice(0, THOROUGH ? 2 : 1).map((problem, i) => ({
      ...walk(device, problem, i === 0 ? EVERY : 'views', ...(THOROUGH && i + size === 0 ? (['axe'] as const) : [])),
      kind: 'embed' as const,
    })),
  ),
  ...(THOROUGH ? THOROUGH_WALKS : []),
];
