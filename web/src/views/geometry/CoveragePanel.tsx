import { useMemo } from 'preact/hooks';
import { coverageVerdicts, type Verdict } from '../../geometry/verdicts';
import type { ConvDesc, Tensor } from '../../protocol/problem';
import { ColourLegend } from '../../ui/ColourLegend';
import { Button } from '../../ui/controls/Button';
import { GridFigure } from '../../ui/grid/GridFigure';
import type { Spot } from '../../ui/grid/grid-data';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { cellOfSpot, planeOf } from '../kit/plane';
import { marksOn } from '../kit/plane-marks';
import type { Scene, SceneEvents } from '../kit/scene';
import '../kit/verdict.css';

interface CoveragePanelProps {
  readonly scene: Omit<Scene, 'layout'>;
  readonly events: SceneEvents;
  /** [1, h, w, 1], as the library counted it. */
  readonly coverage: Tensor;
  /** Room in CSS pixels. */
  readonly width: number;
}

const LARGEST = 34;
const MOST_TALL = 380;
const READABLE = 14;
const FRAME = 8;

/** How often each cell of x is read, and what follows from it. */
export function CoveragePanel({ scene, events, coverage, width }: CoveragePanelProps) {
  const { geometry: g, focus, highlights } = scene;
  const { n, c, k } = focus;
  const plane = useMemo(() => planeOf(g, 'x', { n, c, k }), [g, n, c, k]);
  const data = useMemo(
    () => ({ rows: g.h, cols: g.w, offset: 0, rowStep: g.w, colStep: 1, values: coverage.data, ring: g.padding }),
    [g, coverage],
  );
  const cols = g.w + g.padding.left + g.padding.right;
  const rows = g.h + g.padding.top + g.padding.bottom;
  const size = Math.min(LARGEST, (width - FRAME) / cols, MOST_TALL / rows);
  const scale = { maxAbs: coverage.stats.max_abs, ramp: 'signed', transfer: 'linear' } as const;
  const at = (handle: SceneEvents['onMove']) => (spot: Spot) => {
    const cell = cellOfSpot(g, plane, spot);
    if (cell) handle(cell);
  };
  return (
    <section class="coverage">
      <h3 class="geometry__title">How often is each cell of x read?</h3>
      <GridFigure title="x" subtitle="windows that read it" size="" accent="var(--id-x)" twin={false}>
        <div class="panel__frame">
          <TensorGrid
            label="coverage of x"
            data={data}
            scale={scale}
            size={size >= READABLE ? Math.floor(size) : size}
            marks={marksOn(g, plane, highlights)}
            onHover={(spot) => events.onHover(spot && cellOfSpot(g, plane, spot))}
            onMove={at(events.onMove)}
            onPick={at(events.onPick)}
          />
        </div>
      </GridFigure>
      <ColourLegend scale={scale} marker={null} positive />
      <p class="geometry__note">
        With dy of ones and w of ones this is dx{g.group_k > 1 ? `, once for each of ${g.group_k} filters` : ''}: a cell
        that is read twice as often gets twice the gradient.
      </p>
      <Verdicts verdicts={coverageVerdicts(g)} onDesc={events.onDesc} />
    </section>
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
