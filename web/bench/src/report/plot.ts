import type { Pass } from '../../../src/protocol/problem';
import type { BenchResult, Race } from '../result';
import { fastestOf, gigaflops, partiesOf, passes, racesOf } from './summary';

/** Bar charts of the GFLOP/s of each party's fastest form: a panel per pass, a group per shape, ceilings as lines. */
export function svgOf(results: readonly BenchResult[]): string {
  const panels = results.flatMap((result) => passes(result).map((pass) => ({ result, pass })));
  const width = LEFT + RIGHT + Math.max(0, ...panels.map(({ result, pass }) => panelWidth(result, pass)));
  const body = panels.map(({ result, pass }, i) => panel(result, pass, i * PANEL_HEIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${panels.length * PANEL_HEIGHT}"`,
    ' font-family="system-ui, sans-serif" font-size="11" fill="#222">',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...body,
    '</svg>\n',
  ].join('');
}

const LEFT = 52;
const RIGHT = 110;
const TOP = 46;
const CHART_HEIGHT = 200;
const PANEL_HEIGHT = TOP + CHART_HEIGHT + 34;
const BAR = 9;
const GAP = 14;

/** Blue for this library, which is first. The colors differ in lightness as well as in hue. */
const COLORS = ['#1f5fd0', '#6da3ff', '#e07a1f', '#8a8a8a', '#3f9d5a', '#b04a9c', '#c9b037'];
const colorOf = (index: number) => COLORS[index % COLORS.length] ?? '#000';

const groupWidth = (result: BenchResult) => partiesOf(result).length * BAR + GAP;
/** At least as wide as the heading and the legend. */
const panelWidth = (result: BenchResult, pass: Pass) =>
  Math.max(560, racesOf(result, pass).length * groupWidth(result));

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x: number, y: number, value: string, more = '') =>
  `<text x="${round(x)}" y="${round(y)}"${more}>${escaped(value)}</text>`;
const round = (value: number) => Number(value.toFixed(1));

function speedOf(race: Race, party: string): number {
  const best = fastestOf(race, party);
  return best ? gigaflops(race, best) : 0;
}

function panel(result: BenchResult, pass: Pass, y: number): string {
  const races = racesOf(result, pass);
  const parties = partiesOf(result);
  const ceilings = Object.entries(result.ceilings);
  const speeds = races.flatMap((race) => parties.map((party) => speedOf(race, party)));
  const top =
    1.08 * Math.max(1, ...speeds, ...(pass === 'backward_bias' ? [] : ceilings.map(([, { median }]) => median)));
  const base = y + TOP + CHART_HEIGHT;
  const heightOf = (speed: number) => (CHART_HEIGHT * speed) / top;
  const right = LEFT + panelWidth(result, pass);
  const bars = races.flatMap((race, group) => {
    const x = LEFT + GAP / 2 + group * groupWidth(result);
    const label = text(x + (parties.length * BAR) / 2, base + 14, race.shape, ' text-anchor="middle"');
    const drawn = parties.map((party, i) => {
      const height = heightOf(speedOf(race, party));
      const title = `<title>${escaped(`${race.shape} ${party}: ${speedOf(race, party).toFixed(1)} GFLOP/s`)}</title>`;
      const box = `x="${x + i * BAR}" y="${round(base - height)}" width="${BAR - 1}" height="${round(height)}"`;
      return `<rect ${box} fill="${colorOf(i)}">${title}</rect>`;
    });
    return [label, ...drawn];
  });
  const lines = ceilings
    .filter(([, { median }]) => median <= top)
    .map(([kind, { median }]) => {
      const at = round(base - heightOf(median));
      const line = `<line x1="${LEFT}" x2="${right}" y1="${at}" y2="${at}" stroke="#c22" stroke-dasharray="5 3"/>`;
      return `${line}${text(right + 4, at + 4, `${kind} ${median.toFixed(1)}`, ' fill="#c22"')}`;
    });
  const heading = `${pass}, GFLOP/s (${result.engine}, ${result.threads} thread${result.threads > 1 ? 's' : ''})`;
  return [
    text(LEFT, y + 16, heading, ' font-size="13" font-weight="600"'),
    legend(parties, y + 32),
    axis(top, base, right, heightOf),
    ...bars,
    ...lines,
  ].join('');
}

function legend(parties: readonly string[], y: number): string {
  let x = LEFT;
  return parties
    .map((party, i) => {
      const item = `<rect x="${x}" y="${y - 8}" width="9" height="9" fill="${colorOf(i)}"/>${text(x + 13, y, party)}`;
      x += 32 + 6.5 * party.length;
      return item;
    })
    .join('');
}

function axis(top: number, base: number, right: number, heightOf: (speed: number) => number): string {
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => top / size <= 6) ?? 200;
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
  return ticks
    .map((value) => {
      const at = round(base - heightOf(value));
      const line = `<line x1="${LEFT}" x2="${right}" y1="${at}" y2="${at}" stroke="${value === 0 ? '#444' : '#ddd'}"/>`;
      return `${line}${text(LEFT - 6, at + 4, String(value), ' text-anchor="end"')}`;
    })
    .join('');
}
