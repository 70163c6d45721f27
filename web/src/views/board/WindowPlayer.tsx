import { stepCount } from '../../geometry/steps';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { frameOf } from '../kit/walk/frame';
import { StepPlayer } from '../kit/walk/StepPlayer';
import { openingCaption } from './opening-caption';
import { windowsOf } from './windows-of';

/** The player that slides the window over x. */
export function WindowPlayer({ wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const windows = windowsOf(g, wanted);
  const frame = frameOf(g, 'forward', windows, focus.value);
  return (
    <StepPlayer
      label="windows of x"
      value={windows}
      total={stepCount(g, 'forward')}
      row={g.ow}
      highlights={frame.highlights}
      sentence={
        openingCaption.value ??
        (windows > 0 ? frame.sentence : 'Press Play to slide the window and compute y cell by cell.')
      }
      onSteps={(t) => onState({ t })}
    />
  );
}
