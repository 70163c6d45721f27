import { axisSizes } from '../../geometry/sizes';
import type { ConvDesc, PaddingMode } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { AROUND } from '../kit/fit';
import { fitPanels } from '../kit/fit-grid';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { colsOf, heightOf, wholeStage } from '../kit/stage/layout';
import type { View, ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { AxisCard } from './AxisCard';
import { axisGroups } from './axis-group';
import { CoverageNotes, CoveragePanel, CoverageWords } from './CoveragePanel';
import './geometry.css';

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
  const room = isStage ? { width: all.width - CARD - GAP, height: all.height - NOTES } : all;
  const { cell } = fitPanels(geometry, X, room);
  const width = Math.max(CARD, colsOf(geometry, 'x') * cell + AROUND.frame);
  const isLow = isStage && all.height - heightOf(geometry, 'x', cell) - NOTES >= LOW;
  const cards = groups.map((group) => <AxisCard key={group.id} group={group} wanted={wanted} onState={onState} />);
  return (
    <>
      <LayoutBox box={{ ...all, width }}>
        <div class="geometry__map">
          {coverage && <CoveragePanel coverage={coverage} cell={cell} />}
          <div class="geometry__below">
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
  const chosen = PRESETS.find(({ value }) => value === desc.padding_mode);
  return (
    <section>
      <h3 class="view-title">Output of the padding presets</h3>
      <Segmented
        label="padding preset"
        quiet
        options={options}
        value={desc.padding_mode}
        onChange={(mode) => events.onDesc({ padding_mode: mode })}
      />
      <p class="kit__note">
        {chosen ? `${chosen.value}: ${chosen.meaning}.` : `Now: custom padding, output ${outputsOf(desc)}.`}
      </p>
    </section>
  );
}

/** "4 × 4", or "too small". */
function outputsOf(desc: ConvDesc): string {
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
