import { useMemo } from 'preact/hooks';
import { coverageVerdicts, type Verdict } from '../../geometry/verdicts';
import type { Cell } from '../../protocol/cell';
import type { ConvDesc, Tensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import type { Spot } from '../../ui/grid/grid-data';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { Panel } from '../kit/Panel';
import { useDerived, useGeometry, usePicture } from '../kit/picture';
import { cellOfSpot, planeOf } from '../kit/plane';
import { marksOn } from '../kit/plane-marks';
import { Place } from '../kit/stage/Place';
import '../kit/verdict.css';

/** How often each cell of x is read, where x stands in other modes. `coverage` is [1, h, w, 1], as the library counted it. */
export function CoveragePanel({ coverage }: { readonly coverage: Tensor }) {
  const g = useGeometry();
  const { focus, highlights, layout, events } = usePicture();
  const { n, c, k } = focus.value;
  const plane = useMemo(() => planeOf(g, 'x', { n, c, k }), [g, n, c, k]);
  const data = useMemo(
    () => ({ rows: g.h, cols: g.w, offset: 0, rowStep: g.w, colStep: 1, values: coverage.data, ring: g.padding }),
    [g, coverage],
  );
  const maxAbs = coverage.stats.max_abs;
  const scale = useMemo(() => ({ maxAbs, ramp: 'signed', transfer: 'linear' }) as const, [maxAbs]);
  const marks = useDerived(() => marksOn(g, plane, highlights.value), [g, plane, highlights]);
  const handlers = useMemo(() => {
    const at = (handle: (cell: Cell) => void) => (spot: Spot) => {
      const cell = cellOfSpot(g, plane, spot);
      if (cell) handle(cell);
    };
    return {
      onHover: (spot: Spot | null) => events.onHover(spot && cellOfSpot(g, plane, spot)),
      onMove: at(events.onMove),
      onPick: at(events.onPick),
    };
  }, [g, plane, events]);
  return (
    <Place box={layout.value.slots.x}>
      <Panel tensor="x" title="x" subtitle="windows that read it" size="" scale={scale} positive>
        <TensorGrid
          label="coverage of x"
          data={data}
          scale={scale}
          size={layout.value.cell.x}
          marks={marks}
          {...handlers}
        />
      </Panel>
    </Place>
  );
}

/** What follows from the coverage. */
export function CoverageNotes() {
  const g = useGeometry();
  const { events } = usePicture();
  return <Verdicts verdicts={coverageVerdicts(g)} onDesc={events.onDesc} />;
}

/** What the coverage has to do with gradients. */
export function CoverageWords() {
  const g = useGeometry();
  return (
    <p class="player-words">
      With dy of ones and w of ones this is dx{g.group_k > 1 ? `, once for each of ${g.group_k} filters` : ''}: a cell
      that is read twice as often gets twice the gradient.
    </p>
  );
}

const NAMES: Readonly<Record<Verdict['kind'], string>> = {
  gridding: 'Gridding',
  checkerboard: 'Checkerboard',
  starved_corners: 'Starved corners',
};
const KINDS: readonly Verdict['kind'][] = ['gridding', 'checkerboard', 'starved_corners'];

interface VerdictsProps {
  readonly verdicts: readonly Verdict[];
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
}

/** One line of judgement per artefact, with the change that mends it on every axis that has it. */
function Verdicts({ verdicts, onDesc }: VerdictsProps) {
  if (verdicts.length === 0) {
    return <p class="verdict verdict--good">Even: no checkerboard, no gridding, no starved corners.</p>;
  }
  return (
    <ul class="verdicts">
      {KINDS.map((kind) => ({ kind, found: verdicts.filter((verdict) => verdict.kind === kind) }))
        .filter(({ found }) => found.length > 0)
        .map(({ kind, found }) => (
          <li key={kind} class="verdict verdict--poor">
            <strong>{NAMES[kind]}.</strong>{' '}
            {sentencesOf(found).map((text) => (
              <span key={text}>{text} </span>
            ))}
            <Button onClick={() => onDesc(Object.assign({}, ...found.map(({ remedy }) => remedy.patch)))}>
              Mend it: {found.map(({ remedy }) => remedy.label).join(', ')}
            </Button>
          </li>
        ))}
    </ul>
  );
}

/** What holds for both axes alike is said once. */
function sentencesOf(found: readonly Verdict[]): readonly string[] {
  const together = new Set(
    found.map(({ message }) => message.replace(/\b(?:rows|columns) of x/, 'rows and columns of x')),
  );
  const messages = found.length === 2 && together.size === 1 ? [...together] : found.map(({ message }) => message);
  return messages.map((message) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}
