import { useMemo } from 'preact/hooks';
import { type CoverageVerdict, coverageVerdicts } from '../../geometry/verdicts';
import type { Tensor } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { Button } from '../../ui/controls/Button';
import { cellEvents } from '../kit/cell-events';
import { GridPanel } from '../kit/GridPanel';
import { cellOfSpot, planeOf } from '../kit/plane';
import { marksOn } from '../kit/plane-marks';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';
import '../kit/verdict.css';

/** How often each cell of x is read. `coverage` is [1, h, w, 1], counted by the library. */
export function CoveragePanel({ coverage, cell }: { readonly coverage: Tensor; readonly cell: number }) {
  const g = useGeometry();
  const { focus, highlights, events } = useViewModel();
  const { n, c, k } = focus.value;
  const plane = useMemo(() => planeOf(g, 'x', { n, c, k }), [g, n, c, k]);
  const data = useMemo(
    () => ({ rows: g.h, cols: g.w, offset: 0, rowStep: g.w, colStep: 1, values: coverage.data, ring: g.padding }),
    [g, coverage],
  );
  const marks = useDerived(() => marksOn(g, plane, highlights.value), [g, plane, highlights]);
  const handlers = useMemo(() => cellEvents(g, (spot) => cellOfSpot(g, plane, spot), events), [g, plane, events]);
  return (
    <GridPanel
      tensor="x"
      title="x"
      subtitle="windows per cell"
      size=""
      scale={useMemo(() => ({ maxAbs: scaleEnd(coverage.stats), ramp: 'amount', transfer: 'linear' }), [coverage])}
      label="coverage of x"
      data={data}
      fit={cell}
      marks={marks}
      events={handlers}
    />
  );
}

/** Says how coverage and gradient relate. */
export function CoverageWords() {
  const g = useGeometry();
  return (
    <p class="player-words">
      With all ones in dy and w, this is dx{g.group_k > 1 ? ` for each of ${g.group_k} filters` : ''}. A cell in twice
      as many windows gets twice the gradient.
    </p>
  );
}

const NAMES: Readonly<Record<CoverageVerdict['kind'], string>> = {
  gridding: 'Gridding',
  checkerboard: 'Checkerboard',
  starved_corners: 'Corners',
};
const KINDS: readonly CoverageVerdict['kind'][] = ['gridding', 'checkerboard', 'starved_corners'];

/** The artifacts that follow from the coverage, a line for each, with a button that fixes it on every axis that has it. */
export function CoverageNotes() {
  const { events } = useViewModel();
  const verdicts = coverageVerdicts(useGeometry());
  if (verdicts.length === 0) {
    return <p class="verdict verdict--good">Even coverage: no checkerboard, no gridding, no starved corners.</p>;
  }
  return (
    <ul class="verdicts">
      {KINDS.map((kind) => ({ kind, found: verdicts.filter((verdict) => verdict.kind === kind) }))
        .filter(({ found }) => found.length > 0)
        .map(({ kind, found }) => (
          // Corners are rarely read without padding: a remark, not an alarm.
          <li key={kind} class={kind === 'starved_corners' ? 'verdict' : 'verdict verdict--poor'}>
            <strong>{NAMES[kind]}.</strong>{' '}
            {sentencesOf(found).map((text) => (
              <span key={text}>{text} </span>
            ))}
            <Button onClick={() => events.onDesc(Object.assign({}, ...found.map(({ fix }) => fix.patch)))}>
              {kind === 'starved_corners' ? 'Try' : 'Fix'}: {found.map(({ fix }) => fix.label).join(', ')}
            </Button>
          </li>
        ))}
    </ul>
  );
}

/** The same message for both axes is shown once. */
function sentencesOf(found: readonly CoverageVerdict[]): readonly string[] {
  const together = new Set(
    found.map(({ message }) => message.replace(/\b(?:rows|columns) of x/, 'rows and columns of x')),
  );
  const messages = found.length === 2 && together.size === 1 ? [...together] : found.map(({ message }) => message);
  return messages.map((message) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}
