import { usePicture } from '../kit/picture';
import { region } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import type { View, ViewProps } from '../kit/view';
import { AxisCard } from './AxisCard';
import { axisGroups } from './axis-group';
import { CoverageNotes, CoveragePanel, CoverageWords } from './CoveragePanel';
import { PaddingCard } from './PaddingCard';
import './geometry.css';

/** Sizes and what follows from them: who reads what how often, what is left over, what else would fit. */
function GeometryView({ answers, wanted, onState }: ViewProps) {
  const { content, layout, events } = usePicture();
  const { geometry, desc } = content.value;
  const coverage = answers.get({ kind: 'coverage' });
  return (
    <>
      {coverage && <CoveragePanel coverage={coverage} />}
      <Place box={region(layout.value, 'x', 'x', 'backward')} scrolls>
        <CoverageNotes />
      </Place>
      <Place box={region(layout.value, 'w', 'y', 'both')} scrolls>
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
      </Place>
    </>
  );
}

function AboutGeometry() {
  return (
    <p>
      How often is each cell of x read? Even coverage gives even gradients. The sizes on the right say what else would
      fit.
    </p>
  );
}

export const geometryView: View = {
  sentence: 'Sizes and what follows from them: which cells are read how often, what is left over, what else would fit.',
  needs: () => [{ kind: 'coverage' }],
  Component: GeometryView,
  Player: CoverageWords,
  About: AboutGeometry,
};
