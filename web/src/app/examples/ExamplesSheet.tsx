import { useMemo, useRef } from 'preact/hooks';
import { EXAMPLES } from '../../lessons/examples';
import { parseLink } from '../../link/parse-link';
import { resolvePadding, yShape } from '../../protocol/shapes';
import { shownLayer } from '../../state/problem';
import { Sheet } from '../page/Sheet';
import type { Examples } from './examples';
import './examples.css';

interface ExamplesSheetProps {
  readonly examples: Examples;
  readonly onClose: () => void;
}

/** All examples with a thumbnail, a title and a sentence; arrow keys move between them. */
export function ExamplesSheet({ examples, onClose }: ExamplesSheetProps) {
  const close = useRef<() => void>(null);
  return (
    <Sheet title="Examples" wide closer={close} onClose={onClose}>
      <div class="examples">
        {EXAMPLES.map(({ title, examples: group }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul class="examples__list plain grid loose">
              {group.map((example) => (
                <li key={example.link}>
                  <button
                    type="button"
                    class="example column tight"
                    aria-current={examples.current.value === example}
                    onClick={() => {
                      void examples.open(example);
                      close.current?.();
                    }}
                    onKeyDown={moveByArrows}
                  >
                    <Thumbnail link={example.link} />
                    <span class="example__title">{example.title}</span>
                    <span class="example__sentence note">{example.sentence}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

/** Direction of each arrow key. */
const WAYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move the focus to the nearest example in that direction. Left and right continue on the next row. */
function moveByArrows(event: KeyboardEvent): void {
  const way = WAYS[event.key];
  const button = event.currentTarget;
  if (!way || !(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const buttons = [...(button.closest('.examples')?.querySelectorAll('button') ?? [])];
  const [x, y] = way;
  const next = x === 0 ? vertically(buttons, button, y) : buttons[buttons.indexOf(button) + x];
  next?.focus();
}

function vertically(buttons: readonly HTMLElement[], from: HTMLElement, way: number): HTMLElement | undefined {
  const here = from.getBoundingClientRect();
  const distance = (button: HTMLElement): number => {
    const { left, top } = button.getBoundingClientRect();
    const down = (top - here.top) * way;
    // A row counts more than any horizontal distance.
    return down < 1 ? Number.POSITIVE_INFINITY : down * 1000 + Math.abs(left - here.left);
  };
  return buttons.reduce<HTMLElement | undefined>(
    (found, button) => (distance(button) < (found ? distance(found) : Number.POSITIVE_INFINITY) ? button : found),
    undefined,
  );
}

const WIDTH = 132;
const HEIGHT = 76;
/** Room for the arrow between x and y. */
const GAP = 18;
/** Offset of each further channel behind the first. */
const BEHIND = 3;
const MOST_BEHIND = 3;

/** The geometry at a glance: x with its padding, the first window and the next one, and y. */
function Thumbnail({ link }: { readonly link: string }) {
  const { desc } = useMemo(() => {
    const { problem, look } = parseLink(link);
    return shownLayer(problem, look.layer);
  }, [link]);
  const { top, bottom, left, right } = resolvePadding(desc);
  const [rows, cols] = [desc.h + top + bottom, desc.w + left + right];
  const [, oh, ow] = yShape({ ...desc, layout: 'nhwc' });
  const [deep, many] = [behind(desc.c * desc.n), behind(desc.k * desc.n)];
  const size = Math.min(
    (HEIGHT - BEHIND * Math.max(deep, many) - 1) / Math.max(rows, oh),
    (WIDTH - GAP - BEHIND * (deep + many) - 2) / (cols + ow),
  );
  const middle = HEIGHT / 2;
  const x = { x: 0.5 + BEHIND * deep, y: middle - (rows * size - BEHIND * deep) / 2 };
  const y = { x: WIDTH - ow * size - 0.5, y: middle - (oh * size - BEHIND * many) / 2 };
  const window = (col: number) => ({
    x: x.x + col * size,
    y: x.y,
    width: ((desc.kw - 1) * desc.dilation_w + 1) * size,
    height: ((desc.kh - 1) * desc.dilation_h + 1) * size,
  });
  const cell = (kind: string, at: typeof x, row: number, col: number) => (
    <rect
      key={`${kind} ${row} ${col}`}
      class={`thumbnail__cell thumbnail__cell--${kind}`}
      x={at.x + col * size}
      y={at.y + row * size}
      width={size}
      height={size}
    />
  );
  /** The edges of the channels and images behind the first, drawn from back to front. */
  const stack = (kind: string, at: typeof x, width: number, height: number, count: number) =>
    Array.from({ length: count }, (_, i) => (count - i) * BEHIND).map((off) => (
      <rect
        key={off}
        class={`thumbnail__cell thumbnail__cell--${kind}`}
        x={at.x - off}
        y={at.y - off}
        width={width}
        height={height}
      />
    ));
  const isInside = (row: number, col: number) => row >= top && row < top + desc.h && col >= left && col < left + desc.w;
  const arrow = (x.x + cols * size + y.x - BEHIND * many) / 2;
  return (
    <svg class="thumbnail" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {stack('x', x, cols * size, rows * size, deep)}
      {cells(rows, cols).map(([row, col]) => cell(isInside(row, col) ? 'x' : 'padding', x, row, col))}
      {cells(desc.kh, desc.kw).map(([p, q]) => cell('tap', x, p * desc.dilation_h, q * desc.dilation_w))}
      {ow > 1 && <rect class="thumbnail__next" {...window(desc.stride_w)} />}
      <rect class="thumbnail__window" {...window(0)} />
      <path class="thumbnail__arrow" d={`M${arrow - 5} ${middle}h9m-3 -3l3 3l-3 3`} />
      {stack('y', y, ow * size, oh * size, many)}
      {cells(oh, ow).map(([row, col]) => cell(row + col === 0 ? 'first' : 'y', y, row, col))}
    </svg>
  );
}

const behind = (channels: number): number => Math.min(channels - 1, MOST_BEHIND);

const cells = (rows: number, cols: number): readonly (readonly [number, number])[] =>
  Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols] as const);
