import { stepCount } from '../../geometry/steps';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { frameOf } from '../kit/walk/frame';
import { openingCaption } from './opening-caption';
import { windowsOf } from './windows-of';

/** The player that slides the window over x. */
export function WindowPlayer({ wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus, onPlay } = useViewModel();
  const windows = windowsOf(g, wanted);
  return (
    <Scrubber
      label="windows of x"
      value={windows}
      total={stepCount(g, 'forward')}
      row={g.ow}
      sentence={
        openingCaption.value ??
        (windows > 0
          ? frameOf(g, 'forward', windows, focus.value).sentence
          : 'Press Play to slide the window and compute y cell by cell.')
      }
      onChange={(t) => {
        onPlay();
        onState({ t });
      }}
    />
  );
}
