import { stepCount } from '../../geometry/steps';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { useGeometry, usePicture } from '../kit/picture';
import type { ViewProps } from '../kit/view';
import { frameOf } from '../kit/walk/frame';
import { windowsOf } from './windows-of';

export { frameOf };

/** Walks the window that is spoken of over x. */
export function Windows({ wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus, onPlay } = usePicture();
  const windows = windowsOf(g, wanted);
  return (
    <Scrubber
      label="windows of x"
      value={windows}
      total={stepCount(g, 'forward')}
      row={g.ow}
      sentence={
        windows > 0
          ? frameOf(g, 'forward', windows, focus.value).sentence
          : 'Press play: the window goes over x and makes y, cell by cell.'
      }
      onChange={(t) => {
        onPlay();
        onState({ t });
      }}
    />
  );
}
