import { LayoutBox } from '../kit/stage/LayoutBox';
import { region } from '../kit/stage/layout';
import type { View, ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { AxisCard } from './AxisCard';
import { axisGroups } from './axis-group';
import { CoverageNotes, CoveragePanel, CoverageWords } from './CoveragePanel';
import { PaddingCard } from './PaddingCard';
import './geometry.css';

/** Coverage of x, the remainder, and other sizes that fit. */
function GeometryView({ answers, wanted, onState }: ViewProps) {
  const { content, layout, events } = useViewModel();
  const { geometry, desc } = content.value;
  const coverage = answers.get({ kind: 'coverage' });
  return (
    <>
      {coverage && <CoveragePanel coverage={coverage} />}
      <LayoutBox box={region(layout.value, 'x', 'x', 'backward')} scrolls>
        <CoverageNotes />
      </LayoutBox>
      <LayoutBox box={region(layout.value, 'w', 'y', 'both')} scrolls>
        <div class="geometry">
          <PaddingCard desc={desc} onDesc={events.onDesc} />
          {axisGroups(desc).map((group) => (
            <AxisCard
              key={group.id}
              geometry={geometry}
              desc={desc}
              group={group}
              wanted={wanted}
              onState={onState}
              onDesc={events.onDesc}
            />
          ))}
        </div>
      </LayoutBox>
    </>
  );
}

function AboutGeometry() {
  return <p>Even coverage gives even gradients. The cards on the right list other sizes that fit.</p>;
}

export const geometryView: View = {
  sentence: 'How many windows read each cell of x, what the stride leaves over, and which other sizes fit.',
  needs: () => [{ kind: 'coverage' }],
  Component: GeometryView,
  Player: CoverageWords,
  About: AboutGeometry,
};
