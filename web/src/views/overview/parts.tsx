import { lossEntry } from '../../losses/entries';
import type { Content } from '../../protocol/messages';
import type { Geometry, TensorName } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';
import { AROUND } from '../shared/fit';
import { accentOf } from '../shared/GridPanel';
import { colsOf, rowsOf, type StageLayout, twin } from '../shared/stage/layout';
import { useBiased, useDerived, useGeometry, useViewModel, type ViewProps } from '../shared/view-model';
import './graph.css';
import { signal } from '@preact/signals';
import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import { chosenSteps } from '../shared/plane';
import type { TensorPanelProps } from '../shared/TensorPanel';
import { frameOf, StepPlayer } from '../shared/walk/StepPlayer';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** An arrow from one tensor to another along straight lines; the last point is its tip. */
export interface Edge {
  readonly from: TensorName;
  readonly into: TensorName;
  readonly points: readonly Point[];
}

/** Gap between a line and the frame at its end. */
const AIR = 6;
/** From the left edge of y's column to the line from y to dy, and from there to the text. */
const STEM = 18;
const WORDS = 12;

/**
 * The dataflow of the backward pass, drawn from panel to panel: the edges y → dy (the loss), dy and w → dx, dy and x → dw, dy → db;
 * the points where edges join; and the box of the loss's text, between y and dy.
 */
export function graphOf(
  g: Geometry,
  {
    bias,
    dyOfY,
    hiddenParts = [],
  }: {
    /** b is shown. */
    bias: boolean;
    /** dy is the gradient of a loss at y; false: dy is set directly. */
    dyOfY: boolean;
    /** Tensors that are not shown: no arrow begins or ends there. */
    hiddenParts?: readonly string[];
  },
  layout: StageLayout,
) {
  const { columns, rows, slots, cell } = layout;
  const grid = (tensor: TensorName) => {
    const size = cell[twin(tensor)];
    const indent = tensor === 'dx' ? g.padding.left * size : 0;
    const wide = tensor === 'dx' ? g.w : colsOf(g, tensor);
    const left = slots[tensor].left + AROUND.frame / 2 + indent;
    const top = slots[tensor].top + AROUND.head + AROUND.frame / 2;
    return { left, top, right: left + wide * size, bottom: top + rowsOf(g, tensor) * size };
  };
  const middle = (tensor: TensorName) => (grid(tensor).top + grid(tensor).bottom) / 2;
  const between = (from: 'x' | 'w', part: number) => {
    const end = columns[from].start + columns[from].size;
    return end + (columns[from === 'x' ? 'w' : 'y'].start - end) * part;
  };
  // One line carries dy to all three: out of dy to the left, up to the gap between the rows, and down to db.
  const trunk = between('w', 0.5);
  const out = middle('dw');
  const gap = (rows.forward.start + rows.forward.size + rows.backward.start) / 2;
  const [toDx, fromX] = [between('x', 0.3), between('x', 0.7)];
  const underW = slots[bias ? 'b' : 'w'].top + slots[bias ? 'b' : 'w'].height;
  const besideW = columns.w.start + columns.w.size - STEM;
  const stem = columns.y.start + STEM;
  const fromY = slots.y.top + slots.y.height;
  const leaving = grid('x').bottom - cell.x / 2;
  const all: readonly Edge[] = [
    ...(dyOfY ? [{ from: 'y', into: 'dy', points: [at(stem, fromY), at(stem, slots.dy.top - 2)] } as const] : []),
    {
      from: 'dy',
      into: 'dx',
      points: [
        at(grid('dy').left - AIR, out),
        at(trunk, out),
        at(trunk, gap),
        at(toDx, gap),
        at(toDx, middle('dx')),
        at(grid('dx').right + AIR, middle('dx')),
      ],
    },
    { from: 'w', into: 'dx', points: [at(besideW, underW), at(besideW, gap)] },
    {
      from: 'x',
      into: 'dw',
      points: [
        at(grid('x').right + AIR, leaving),
        at(fromX, leaving),
        // Where it crosses the edge from dy to dx: its name is above or below.
        at(fromX, Math.max(gap, leaving)),
        at(fromX, out),
        at(grid('dw').left - AIR, out),
      ],
    },
    {
      from: 'dy',
      into: 'dw',
      points: [at(grid('dy').left - AIR, out), at(trunk, out), at(grid('dw').right + AIR, out)],
    },
    {
      from: 'dy',
      into: 'db',
      points: [at(trunk, out), at(trunk, middle('db')), at(grid('db').right + AIR, middle('db'))],
    },
  ];
  const edges = all.filter(({ from, into }) => !hiddenParts.includes(from) && !hiddenParts.includes(into));
  const shares = (of: TensorName) => edges.filter(({ from }) => from === of).length > 1;
  const top = Math.max(fromY, rows.backward.start - 60);
  const left = dyOfY ? stem + WORDS : columns.y.start;
  return {
    edges,
    joints: [
      ...(shares('dy') ? [{ of: 'dy', ...at(trunk, out) } as const] : []),
      ...(hiddenParts.includes('dx') ? [] : [{ of: 'w', ...at(besideW, gap) } as const]),
    ],
    loss: { left, top, width: layout.width - left, height: rows.backward.start - top },
  };
}

const at = (x: number, y: number): Point => ({ x, y });

/** The edge from w has no tip: it joins the edge from dy to dx. */
const hasTip = ({ from, into }: Edge) => !(from === 'w' && into === 'dx');

/** Half the width of an arrow's head, and its length. */
const HEAD = { half: 4, length: 8 };

/**
 * Arrows from the inputs of each gradient to the gradient, in the color of the input; the loss is between y and dy. The
 * arrows of the tensor under the pointer are stronger.
 */
export function Graph() {
  const { layout, content, highlights, hiddenParts } = useViewModel();
  const g = useGeometry();
  const bias = useBiased();
  const dyOfY = useDerived(() => content.value.loss !== null, [content]).value;
  const pointed = useDerived(() => highlights.value?.cell.tensor ?? null, [highlights]).value;
  const { arrangement, width, height } = layout.value;
  if (arrangement === 'stack') return null;
  const { edges, joints, loss } = graphOf(g, { bias, dyOfY, hiddenParts: hiddenParts.value }, layout.value);
  return (
    <>
      <svg class="graph cover" width={width} height={height} aria-hidden="true">
        {edges.map((edge) => (
          <g
            key={`${edge.from} ${edge.into}`}
            class={`graph__edge graph__edge--${edge.into}`}
            data-lit={edge.from === pointed || edge.into === pointed}
            style={{ color: accentOf(edge.from) }}
          >
            <path class="graph__halo" d={lineOf(edge)} />
            <path class="graph__line" d={lineOf(edge)} />
            {hasTip(edge) && <path class="graph__head" d={headOf(edge)} />}
            {nameOf(edge)}
          </g>
        ))}
        {joints.map(({ of, x, y }) => (
          <circle key={of} class="graph__joint" style={{ color: accentOf(of) }} cx={x} cy={y} r={3} />
        ))}
      </svg>
      <div
        class="graph__loss"
        style={{ left: `${loss.left}px`, top: `${loss.top}px`, width: `${loss.width}px`, height: `${loss.height}px` }}
      >
        <LossText tall={loss.height >= 40} />
      </div>
    </>
  );
}

const lineOf = ({ points }: Edge) => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;

/** Shortest segment with a name, in CSS pixels. */
const NAMED = 36;

/** The name of the input, in the middle of the longest segment. */
function nameOf({ from, points }: Edge) {
  const segments = points.slice(1).map((to, i) => {
    const at = points[i] ?? to;
    return { x: (at.x + to.x) / 2, y: (at.y + to.y) / 2, length: Math.abs(to.x - at.x) + Math.abs(to.y - at.y) };
  });
  const [longest] = segments.toSorted((a, b) => b.length - a.length);
  if (!longest || longest.length < NAMED) return null;
  return (
    <text class="graph__name symbol" x={longest.x} y={longest.y}>
      {from}
    </text>
  );
}

function headOf({ points }: Edge) {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const [x, y] = [tip.x - dx * HEAD.length, tip.y - dy * HEAD.length];
  const { half } = HEAD;
  return `M${tip.x} ${tip.y}L${x - dy * half} ${y + dx * half}L${x + dy * half} ${y - dx * half}Z`;
}

/** None while dy is set directly. */
export const lossFormulas = (loss: Content['loss']): readonly string[] =>
  loss ? [lossEntry(loss.kind).formula('N')] : [];

/** "L = 17.2, squared error, target 0", in one line or two (`tall`), with the full text as tooltip; or the loss of a dy that is set directly. */
export function LossText({ tall = false }: { tall?: boolean }) {
  const { content } = useViewModel();
  const loss = useDerived(() => content.value.loss, [content]).value;
  const fixed = useDerived(() => content.value.fixed.dy, [content]).value;
  if (fixed) {
    return (
      <span class="loss note">
        <i>dy</i> is the {fixed}
      </span>
    );
  }
  if (!loss) {
    return (
      <span class="loss note" title="dy is set directly. The gradients are those of L = Σ y · dy.">
        <i>L</i> = Σ <i>y</i> · <i>dy</i>, <i>dy</i> is given
      </span>
    );
  }
  const { label } = lossEntry(loss.kind);
  const target = loss.target ? 'to your target' : 'to the target 0';
  return (
    <span
      class="loss note"
      title={`L = ${Number.isNaN(loss.value) ? '?' : loss.value}: ${label} ${target}; dy = dL/dy`}
    >
      <strong>
        <i>L</i> = {formatCell(loss.value, { digits: 3, chars: 8 })}
      </strong>
      {tall ? <br /> : ', '}
      {label} {target}
    </span>
  );
}

/** Parts of the Overview that do not move its panels: the second chunk has them. */

export { frameOf } from '../shared/walk/StepPlayer';

/** Text in the side panel while no cell is explained. */
export function AboutBoard() {
  return (
    <>
      <p>
        <strong>Forward.</strong> Each cell of y is the sum of one window of x times w, cell by cell. The kernel is not
        flipped: strictly, this is cross-correlation, as in deep learning.
      </p>
      <p>
        <strong>Backward.</strong> dy is short for dL/dy: how the loss L changes with each cell of y. dx is computed
        from dy and w, dw from dy and x, and db from dy alone.
      </p>
    </>
  );
}

/** The sentence of the player while the opening is shown in motion (app/deferred/after-first-result.tsx). */
export const openingCaption = signal<string | null>(null);

/** The player that slides the window over x. */
export function WindowPlayer({ wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const total = stepCount(g, 'forward');
  const windows = chosenSteps(wanted.t, total, 0);
  const { highlights, sentence } = frameOf(g, 'forward', windows, focus.value);
  const caption = windows > 0 ? sentence : 'Press Play to slide the window and compute y cell by cell.';
  return (
    <StepPlayer
      label="windows of x"
      value={windows}
      total={total}
      row={g.ow}
      highlights={highlights}
      sentence={openingCaption.value ?? caption}
      onSteps={(t) => onState({ t })}
    />
  );
}

/** The brush, the target, the overlay, and their settings: downloaded when they are first used. */
const dyParts = lazy('This menu', () => import('./dy-parts'));

/** The parts that this state needs; null: none, or they are loading. */
export const dyPartsFor = ({ paint, target, overlay, same }: ViewState) =>
  paint || target || overlay || same ? dyParts() : null;

type Settings = Pick<ViewProps, 'wanted' | 'onState'>;

/** The settings of the Overview in the menu of dy. The choice of a dy that the pointer can change lets it do so. */
export const dyMenuOf = ({ wanted, onState }: Settings): TensorPanelProps['menu'] => ({
  onChoose: (kind) => onState({ paint: kind === 'values' || kind === 'one_hot' || '' }),
  children: <Late part={dyParts}>{({ DySettings }) => <DySettings wanted={wanted} onState={onState} />}</Late>,
});
