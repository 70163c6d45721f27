import { useMemo } from 'preact/hooks';
import type { Tensor, TensorName } from '../../../protocol/problem';
import type { Mark } from '../../../ui/grid/marks';
import { Scrubber } from '../../../ui/scrubber/Scrubber';
import type { Frame } from '../answers';
import { PictureProvider, useFramed, useGeometry, usePicture } from '../picture';
import { ALL, ForwardSigns, Tensors } from '../stage/Tensors';
import type { TensorPanelProps } from '../TensorPanel';
import { doneAreas, frameOf, pendingAreas } from './frame';
import type { Watched } from './processes';

interface WalkProps {
  readonly watched: Watched;
  readonly partial: Frame;
}

/** A process after some of its steps: all tensors, with what the last step read and wrote. */
export function Walk({ watched, partial }: WalkProps) {
  const { process, result, writes } = watched;
  const g = useGeometry();
  const { content, focus } = usePicture();
  const { tensors } = content.value;
  const looked = focus.value;
  const { steps } = partial;
  const frame = useMemo(() => frameOf(g, process, steps, looked), [g, process, steps, looked]);
  const final = tensors[result];
  const framed = useFramed({
    tensors: useMemo(() => ({ [result]: inColoursOf(partial, final) }), [result, partial, final]),
    focus: frame.focus,
    highlights: frame.highlights,
  });
  const { n } = frame.focus;
  const own = useMemo((): Partial<Record<TensorName, Partial<TensorPanelProps>>> => {
    const pending = writes === 'once' ? pendingAreas(g, process, steps, n) : [];
    const taken = process === 'db_accumulate' ? doneAreas(g, steps, n) : [];
    const marks = (tone: Mark['tone'], areas: readonly Mark['area'][]) => areas.map((area): Mark => ({ tone, area }));
    return {
      ...(taken.length > 0 ? { dy: { under: marks('source', taken) } } : {}),
      [result]: { under: marks('pending', pending), subtitle: `${steps} of ${partial.total} steps` },
    };
  }, [g, process, result, writes, steps, n, partial.total]);
  return (
    <PictureProvider value={framed}>
      <Tensors names={ALL} own={own} />
      <ForwardSigns />
    </PictureProvider>
  );
}

interface WalkPlayerProps extends WalkProps {
  /** Where the slider stands; the picture is of `partial` and may be a moment behind. */
  readonly wanted: number;
  readonly onSteps: (steps: number) => void;
}

export function WalkPlayer({ watched, partial, wanted, onSteps }: WalkPlayerProps) {
  const g = useGeometry();
  const { focus, onPlay } = usePicture();
  const { process, label } = watched;
  return (
    <Scrubber
      label={`steps of ${label}`}
      value={wanted}
      total={partial.total}
      row={process === 'dx_gather' ? g.w : g.ow}
      sentence={frameOf(g, process, partial.steps, focus.value).sentence}
      onChange={(steps) => {
        onPlay();
        onSteps(steps);
      }}
    />
  );
}

/** A sum on its way may be larger than the finished one: the colours reach as far as either. */
function inColoursOf({ tensor }: Frame, final: Tensor | undefined): Tensor {
  if (!final || final.stats.max_abs < tensor.stats.max_abs) return tensor;
  return { ...tensor, stats: final.stats };
}
