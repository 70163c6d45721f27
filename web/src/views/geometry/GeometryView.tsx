import type { View, ViewProps } from '../kit/view';
import { AxisCard } from './AxisCard';
import { axisGroups } from './axis-group';
import { CoveragePanel } from './CoveragePanel';
import { PaddingCard } from './PaddingCard';
import './geometry.css';

export const geometryView: View = {
  needs: () => ({ details: { coverage: true } }),
  Component: GeometryView,
};

/** Below this the map and the sizes stand one below the other. */
const NARROW = 640;
const GAP = 32;

/** Sizes and what follows from them: who reads what how often, what is left over, what else would fit. */
function GeometryView({ scene, answers, wanted, events, onState, width }: ViewProps) {
  const { geometry, desc } = scene;
  const coverage = answers.details?.coverage;
  const column = width < NARROW ? width : (width - GAP) / 2;
  return (
    <div class="geometry">
      <div class="geometry__column">
        {coverage ? (
          <CoveragePanel scene={scene} events={events} coverage={coverage} width={column} />
        ) : (
          <p class="notice notice--wrong">{answers.error?.message}</p>
        )}
      </div>
      <div class="geometry__column">
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
    </div>
  );
}
