import { accentOf } from '../kit/Panel';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';
import { type Edge, graphOf, hasTip } from './graph';
import { LossText } from './LossText';
import './graph.css';

/** Half the width of an arrow's head, and its length. */
const HEAD = { half: 4, length: 8 };

/**
 * Arrows from the inputs of each gradient to the gradient, in the color of the input; the loss is between y and dy. The
 * arrows of the tensor under the pointer are stronger.
 */
export function Graph() {
  const { layout, content, highlights, absent } = useViewModel();
  const g = useGeometry();
  const bias = useDerived(() => content.value.tensors.b !== undefined, [content]).value;
  const dyOfY = useDerived(() => content.value.loss !== null, [content]).value;
  const pointed = useDerived(() => highlights.value?.cell.tensor ?? null, [highlights]).value;
  const { arrangement, width, height } = layout.value;
  if (arrangement === 'stack') return null;
  const { edges, joints, loss } = graphOf(g, { bias, dyOfY, absent: absent.value }, layout.value);
  return (
    <>
      <svg class="graph" width={width} height={height} aria-hidden="true">
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

const lineOf = ({ points }: Edge): string => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;

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

function headOf({ points }: Edge): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const [x, y] = [tip.x - dx * HEAD.length, tip.y - dy * HEAD.length];
  const { half } = HEAD;
  return `M${tip.x} ${tip.y}L${x - dy * half} ${y + dx * half}L${x + dy * half} ${y - dx * half}Z`;
}
