import type { LookStore } from '../../../look/look-store';
import type { Geometry, Tensor } from '../../../protocol/problem';
import type { Bug } from '../../../protocol/questions';
import { DifferenceMaps } from '../../DifferenceMaps';
import type { Made } from './place';

interface BugMapsProps {
  readonly look: LookStore;
  readonly geometry: Geometry;
  readonly made: Made;
  /** "C" */
  readonly name: string;
  readonly right: Tensor;
  readonly bug: Bug;
}

/** In the side panel, two stand side by side or one by itself. */
const ROOM = { beside: 144, alone: 296 };

/** What the bug computes, beside what is right, and what it is off by: the slices that the stage shows. */
export function BugMaps({ look, geometry, made, name, right, bug: { wrong, difference } }: BugMapsProps) {
  return (
    <div class="spot__maps">
      <DifferenceMaps
        geometry={geometry}
        made={made}
        focus={look.focus.value}
        maps={[
          { subtitle: `bug ${name} computes`, label: `${made} as bug ${name} computes it`, tensor: wrong },
          { subtitle: 'is right', label: `${made} as is right`, tensor: right },
        ]}
        maxAbs={right.stats.max_abs || wrong.stats.max_abs}
        off={{
          subtitle: 'off by',
          label: `what bug ${name} is off by in ${made}`,
          tensor: difference,
          maxAbs: difference.stats.max_abs,
        }}
        room={ROOM}
        onHover={look.hover}
        onPick={look.toggle}
      />
    </div>
  );
}
