import { useMemo } from 'preact/hooks';
import { axisSizes } from '../../geometry/sizes';
import { type CoverageVerdict, coverageVerdicts } from '../../geometry/verdicts';
import type { ConvDesc, PaddingMode, Tensor } from '../../protocol/problem';
import { paddingName } from '../../protocol/shapes';
import { scaleEnd } from '../../ui/color-scale';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { sentence } from '../../ui/quantities';
import { planeEvents } from '../shared/cell-events';
import { AROUND } from '../shared/fit';
import { fitPanels } from '../shared/fit-grid';
import { GridPanel } from '../shared/GridPanel';
import { marksOn } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { colsOf, heightOf, STACK_BELOW, wholeStage } from '../shared/stage/layout';
import { useDerived, useGeometry, usePlane, useViewModel, type View, type ViewProps } from '../shared/view-model';
import { AxisCard, axisGroups } from './AxisCard';
import './geometry.css';
import '../shared/stage/beside.css';
import '../shared/verdict.css';

/** Width of a card; between the map and the cards; least height of the notes below the map. In CSS pixels. */
const CARD = 320;
const GAP = 24;
const NOTES = 110;
/** Room below a low map and its notes, for the card of the columns. */
const LOW = 180;
const X = ['x'] as const;

/** Coverage of x, the remainder, and other sizes that fit. */
function GeometryView({ answers, wanted, onState }: ViewProps) {
  const { content, layout } = useViewModel();
  const { geometry, desc } = content.value;
  const groups = axisGroups(desc);
  const coverage = answers.get({ kind: 'coverage' });
  const all = wholeStage(layout.value);
  const isStage = layout.value.arrangement === 'stage';
  const room = {
    width: all.width < STACK_BELOW.width ? all.width : all.width - CARD - GAP,
    height: isStage ? all.height - NOTES : layout.value.sight,
  };
  const { cell } = fitPanels(geometry, X, room);
  const width = Math.max(CARD, colsOf(geometry, 'x') * cell + AROUND.frame);
  const isLow = isStage && all.height - heightOf(geometry, 'x', cell) - NOTES >= LOW;
  const cards = groups.map((group) => <AxisCard key={group.id} group={group} wanted={wanted} onState={onState} />);
  return (
    <>
      <LayoutBox box={{ ...all, width }}>
        <div class="geometry__map column loose">
          {coverage && <CoveragePanel coverage={coverage} cell={cell} />}
          <div class="geometry__below scrolls">
            <CoverageNotes />
            {isLow && cards.length > 1 && <div class="geometry">{cards.pop()}</div>}
          </div>
        </div>
      </LayoutBox>
      <LayoutBox box={{ ...all, left: width + GAP, width: all.width - width - GAP }} scrolls>
        <div class="geometry">
          <PaddingCard />
          {cards}
        </div>
      </LayoutBox>
    </>
  );
}

const PRESETS = [
  { value: 'valid', meaning: 'no padding' },
  { value: 'same', meaning: 'output size = input size / stride, rounded up' },
  { value: 'full', meaning: 'every window that overlaps x' },
] as const;

/** The three named paddings, and the output size of each. */
function PaddingCard() {
  const { content, events } = useViewModel();
  const { desc } = content.value;
  const options: { value: PaddingMode; label: string }[] = PRESETS.map(({ value }) => ({
    value,
    label: `${value}: ${outputsOf({ ...desc, padding_mode: value })}`,
  }));
  const name = paddingName(desc);
  const chosen = PRESETS.find(({ value }) => value === name);
  return (
    <section>
      <h3 class="view-title">Output of the padding presets</h3>
      <Segmented
        label="padding preset"
        quiet
        options={options}
        value={name}
        onChange={(mode) => events.onDesc({ padding_mode: mode })}
      />
      <p class="kit__note note">
        {chosen ? `${chosen.value}: ${chosen.meaning}.` : `Now: custom padding, output ${outputsOf(desc)}.`}
      </p>
    </section>
  );
}

/** "4 × 4", or "too small". */
function outputsOf(desc: ConvDesc) {
  const [rows, cols] = [axisSizes(desc, 'row').out, axisSizes(desc, 'col').out];
  return rows > 0 && cols > 0 ? `${rows} × ${cols}` : 'too small';
}

function AboutGeometry() {
  return <p>Even coverage gives even gradients. The cards on the right list other sizes that fit.</p>;
}

export const geometryView: View = {
  question: 'How large is y, and how many windows read each cell of x?',
  sentence: 'How many windows read each cell of x, what the stride leaves over, and which other sizes fit.',
  needs: () => [{ kind: 'coverage' }],
  Component: GeometryView,
  Player: CoverageWords,
  About: AboutGeometry,
};

/** How often each cell of x is read. `coverage` is [1, h, w, 1], counted by the library. */
function CoveragePanel({ coverage, cell }: { coverage: Tensor; cell: number }) {
  const g = useGeometry();
  const { highlights, events } = useViewModel();
  const plane = usePlane('x');
  const data = useMemo(
    () => ({ rows: g.h, cols: g.w, offset: 0, rowStep: g.w, colStep: 1, values: coverage.data, ring: g.padding }),
    [g, coverage],
  );
  const marks = useDerived(() => marksOn(g, plane, highlights.value), [g, plane, highlights]);
  return (
    <GridPanel
      tensor="x"
      subtitle="windows per cell"
      size=""
      scale={{ maxAbs: scaleEnd(coverage.stats), ramp: 'amount', transfer: 'linear' }}
      label="coverage of x"
      data={data}
      fit={cell}
      marks={marks}
      events={planeEvents(g, plane, events)}
    />
  );
}

/** Says how coverage and gradient relate. */
function CoverageWords() {
  const g = useGeometry();
  return (
    <p class="player-words small">
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
function CoverageNotes() {
  const { events } = useViewModel();
  const verdicts = coverageVerdicts(useGeometry());
  if (verdicts.length === 0) {
    return <p class="verdict verdict--good">Even coverage: no checkerboard, no gridding, no starved corners.</p>;
  }
  return (
    <ul class="verdicts grid plain">
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
function sentencesOf(found: readonly CoverageVerdict[]) {
  const together = new Set(
    found.map(({ message }) => message.replace(/\b(?:rows|columns) of x/, 'rows and columns of x')),
  );
  const messages = found.length === 2 && together.size === 1 ? [...together] : found.map(({ message }) => message);
  return messages.map(sentence);
}
