import type { Page } from 'playwright-core';

/** Rows and columns of cells, as the page names them; -1 is in the padding. */
export interface Cells {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
}

/** A drawn grid: the plane that it shows, and its outlined cells. */
export interface Panel {
  /** "dy_inserted" */
  readonly tensor: string;
  /** "x[n=0, c=1]": the accessible name. */
  readonly label: string;
  /** Without a ring of padding. */
  readonly size: { readonly rows: number; readonly cols: number };
  /** "1,2": the selected cell; null: it is not here. */
  readonly focus: string | null;
  readonly outlined: Cells | null;
}

/** What a step of a player says in the caption, in the outlines and in Explain. */
export interface Reading {
  readonly count: string;
  readonly caption: string;
  readonly note: string | null;
  /** "dx[1,1]"; null: Explain introduces the view. */
  readonly explained: string | null;
  /** The names of the cells that Explain lists. */
  readonly listed: readonly string[];
  /** Not all are listed. */
  readonly isCut: boolean;
  readonly panels: readonly Panel[];
}

declare global {
  interface Window {
    readReading?: () => Reading;
  }
}

/** Makes `window.readReading`, for tests that read many steps in the page. */
export const prepareReadings = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const textOf = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? null;
    const sorted = (values: Set<number>) => [...values].sort((a, b) => a - b);
    /** The cells inside the rectangles of a path of areaPath. */
    const cellsOf = (path: string, size: number, first: { row: number; col: number }) => {
      const found: [number, number][] = [];
      for (const [, x, y, w, h] of path.matchAll(/M(\S+) (\S+)h([\d.]+)v([\d.]+)H\S+?z/g)) {
        for (let row = 0; row < Math.round(Number(h) / size); row += 1)
          for (let col = 0; col < Math.round(Number(w) / size); col += 1)
            found.push([
              Math.round(Number(y) / size) + row + first.row,
              Math.round(Number(x) / size) + col + first.col,
            ]);
      }
      return found;
    };
    const panelOf = (panel: Element) => {
      const grid = panel.querySelector<HTMLElement>('.number-grid');
      const [cell] = grid?.querySelectorAll<HTMLElement>('[role="gridcell"]') ?? [];
      if (!grid || !cell) return [];
      const size = Number.parseFloat(grid.style.getPropertyValue('--cell'));
      const first = { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) };
      const marks = (tones: string) =>
        [...(grid.parentElement?.querySelectorAll(tones) ?? [])].flatMap((line) =>
          cellsOf(line.getAttribute('d') ?? '', size, first),
        );
      const focus = marks('.mark--focus .mark__line');
      const outlined = marks('.mark--source .mark__line, .mark--target .mark__line');
      return [
        {
          tensor: /panel--(\S+)/.exec(panel.className)?.[1] ?? '',
          label: grid.getAttribute('aria-label') ?? '',
          size: { rows: Number(grid.getAttribute('aria-rowcount')), cols: Number(grid.getAttribute('aria-colcount')) },
          focus: focus.length > 0 ? focus.map((at) => at.join(',')).join(' ') : null,
          outlined:
            outlined.length === 0
              ? null
              : {
                  rows: sorted(new Set(outlined.map(([row]) => row))),
                  cols: sorted(new Set(outlined.map(([, col]) => col))),
                },
        },
      ];
    };
    window.readReading = () => {
      const explain = document.querySelector('[data-explanation]');
      const title = explain?.querySelector('.explain__title .symbol')?.textContent ?? null;
      return {
        count: textOf('main .scrubber__count') ?? '',
        caption: textOf('main .scrubber__sentence') ?? '',
        note: textOf('main .scrubber__note'),
        explained: title,
        listed: [...(explain?.querySelectorAll('.terms__list .chip, .feeds .chip:not(.feeds__via .chip)') ?? [])].map(
          (chip) => chip.textContent ?? '',
        ),
        isCut: /… .* more/.test(explain?.querySelector('.feeds, .terms__more')?.textContent ?? ''),
        panels: [...document.querySelectorAll('main .panel')].flatMap(panelOf),
      };
    };
  });

const MINUS = /\u2212/g;
const NAME = /\b([a-z]+(?:_[a-z]+)?)\[([^\]]*)\]/;
const SPAN = /\b(row|column)s? (-?\d+)(?: to (-?\d+))?(?: in steps of (\d+))?/g;

interface Named {
  readonly tensor: string;
  /** An index is a number or "*". */
  readonly indices: readonly string[];
}

const nameIn = (text: string): Named | null => {
  const found = NAME.exec(text.replace(MINUS, '-'));
  return found && { tensor: found[1] ?? '', indices: (found[2] ?? '').split(',') };
};

const isSame = (one: Named, other: Named): boolean =>
  one.tensor === other.tensor &&
  one.indices.length === other.indices.length &&
  one.indices.every((index, i) => index === '*' || other.indices[i] === '*' || index === other.indices[i]);

/** Row and column of a name: the layout of the page has them first, or after the image; b and db have neither. */
function placeOf({ tensor, indices }: Named, isBatch: boolean): { row: number; col: number } {
  if (tensor === 'b' || tensor === 'db') return { row: 0, col: Number(indices[0]) };
  const first = isBatch && !/^d?w/.test(tensor) ? 1 : 0;
  return { row: Number(indices[first]), col: Number(indices[first + 1]) };
}

/** Whether a named cell is on the plane that a panel shows: "x[n=0, c=1]" has the cells x[0,…,…,1]. */
function isOn(label: string, { tensor, indices }: Named, isBatch: boolean): boolean {
  if (tensor === 'b' || tensor === 'db') return true;
  const shown = Object.fromEntries([...label.matchAll(/([nck])=(\d+)/g)].map(([, axis, at]) => [axis, at]));
  const isWeights = /^d?w/.test(tensor);
  const rest = isWeights ? indices.slice(2) : isBatch ? [indices[0], ...indices.slice(3)] : indices.slice(2);
  const axes = isWeights
    ? ['c', 'k']
    : isBatch
      ? ['n', /x$/.test(tensor) ? 'c' : 'k']
      : [/x$/.test(tensor) ? 'c' : 'k'];
  // A name has the axes with more than one index; a label has both.
  if (rest.length === axes.length) return rest.every((at, i) => at === '*' || shown[axes[i] ?? ''] === at);
  return rest.every((at) => at === '*' || Object.values(shown).includes(at));
}

const text = (cells: Cells | null) =>
  cells ? `rows ${cells.rows.join(' ')}, columns ${cells.cols.join(' ')}` : 'nothing';

/** The contradictions of a reading; none if caption, outlines and Explain are about the same cell and window. */
export function contradictionsIn(reading: Reading, isBatch: boolean): string[] {
  const { caption, explained, listed, panels, note } = reading;
  const found: string[] = [];
  const named = nameIn(note ?? caption);
  const inExplain = explained === null ? null : nameIn(explained);
  if (!named) return [`the caption names no cell: ${caption}`];
  if (!inExplain) return [`Explain names no cell; the caption: ${caption}`];
  if (!isSame(named, inExplain)) found.push(`Explain is about ${explained}, the caption about ${note ?? caption}`);
  for (const { tensor, label, focus } of panels) {
    const isCell = tensor === inExplain.tensor;
    const { row, col } = placeOf(inExplain, isBatch);
    if (isCell && focus !== `${row},${col}`) found.push(`${label}: ${focus} is framed, ${explained} is explained`);
    if (!isCell && focus !== null && !(tensor === 'dw_uncropped' && focus === `${row},${col}`))
      found.push(`${label}: ${focus} is framed, and ${explained} is explained`);
  }
  // The cells that Explain lists are those that are outlined, tensor by tensor.
  const cells = listed.map((name) => nameIn(name)).filter((name) => name !== null);
  for (const tensor of new Set(cells.map((cell) => cell.tensor))) {
    for (const panel of panels.filter((each) => each.tensor === tensor)) {
      const on = cells.filter((cell) => cell.tensor === tensor && isOn(panel.label, cell, isBatch));
      const places = on.map((cell) => placeOf(cell, isBatch));
      const rows = [...new Set(places.map(({ row }) => row))].sort((a, b) => a - b);
      const cols = [...new Set(places.map(({ col }) => col))].sort((a, b) => a - b);
      if (places.length === 0 || reading.isCut) continue;
      if (text(panel.outlined) !== text({ rows, cols }))
        found.push(`${panel.label}: Explain lists ${text({ rows, cols })}; ${text(panel.outlined)} are outlined`);
    }
  }
  // The window of the caption: "rows 1 to 3, columns 2 to 4 of x". Gradients are not outlined in the padding.
  const window = note === null ? windowIn(caption) : null;
  for (const panel of panels.filter((each) => each.tensor === window?.tensor)) {
    const kept = (all: readonly number[], count: number) =>
      panel.tensor === 'dx' ? all.filter((at) => at >= 0 && at < count) : all;
    const wanted = window && { rows: kept(window.rows, panel.size.rows), cols: kept(window.cols, panel.size.cols) };
    if (wanted && wanted.rows.length * wanted.cols.length > 0 && text(panel.outlined) !== text(wanted))
      found.push(`${panel.label}: the caption says ${text(wanted)}; ${text(panel.outlined)} are outlined`);
  }
  return found;
}

function windowIn(caption: string): (Cells & { readonly tensor: string }) | null {
  const plain = caption.replace(MINUS, '-');
  const tensor = /of (d?x)\b(?!_)/.exec(plain)?.[1];
  const spans = [...plain.matchAll(SPAN)].map(([, word, from, to, step]) => ({
    word,
    cells: rangeOf(Number(from), Number(to ?? from), Number(step ?? 1)),
  }));
  const rows = spans.find(({ word }) => word === 'row')?.cells;
  const cols = spans.find(({ word }) => word === 'column')?.cells;
  return tensor && rows && cols ? { tensor, rows, cols } : null;
}

const rangeOf = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
