import type { LookStore } from '../../../look/look-store';
import type { Geometry, Tensor } from '../../../protocol/problem';
import type { Bug } from '../../../protocol/questions';
import type { ResultName } from '../../../protocol/tensors';
import { DifferenceMaps } from '../../page/DifferenceMaps';

interface BugMapsProps {
  readonly look: LookStore;
  readonly geometry: Geometry;
  readonly tensor: ResultName;
  /** "C" */
  readonly name: string;
  readonly right: Tensor;
  readonly bug: Bug;
}

/** CSS pixels in the side panel: two maps side by side, or one. */
const ROOM = { beside: 144, alone: 296 };

/** The values with the bug, the correct values and their difference, for the visible slices. */
export function BugMaps({ look, geometry, tensor, name, right, bug: { wrong, difference } }: BugMapsProps) {
  return (
    <div class="spot__maps">
      <DifferenceMaps
        geometry={geometry}
        result={tensor}
        focus={look.focus.value}
        maps={[
          { subtitle: `with bug ${name}`, label: `${tensor} with bug ${name}`, tensor: wrong },
          { subtitle: 'correct', label: `correct ${tensor}`, tensor: right },
        ]}
        maxAbs={right.stats.max_abs || wrong.stats.max_abs}
        difference={{
          subtitle: 'error',
          label: `error of bug ${name} in ${tensor}`,
          tensor: difference,
          maxAbs: difference.stats.max_abs,
        }}
        room={ROOM}
        onHover={look.hover}
        onPick={look.togglePin}
      />
    </div>
  );
}
