import { useMemo } from 'preact/hooks';
import type { Tensor, TensorName } from '../../../protocol/problem';
import type { Mark } from '../../../ui/grid/marks';
import type { PartialFrame } from '../answers';
import { ALL, ForwardSigns, Tensors } from '../stage/Tensors';
import type { TensorPanelProps } from '../TensorPanel';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../view-model';
import { doneAreas, frameOf, pendingAreas } from './frame';
import type { ProcessInfo } from './processes';
import { StepPlayer } from './StepPlayer';

interface WalkProps {
  readonly process: ProcessInfo;
  readonly partial: PartialFrame;
  /** The step was chosen, by the player or by a link. */
  readonly chosen?: boolean;
}

/** A process after some of its steps: all tensors, with the cells that the last step read and wrote. */
export function Walk({ process, partial, chosen = false }: WalkProps) {
  const { name, result, writes } = process;
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const { tensors } = content.value;
  const current = focus.value;
  const { steps } = partial;
  const frame = useMemo(() => frameOf(g, name, steps, current), [g, name, steps, current]);
  const final = tensors[result];
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => ({ [result]: inColorsOf(partial, final) }), [result, partial, final]),
    focus: frame.focus,
    highlights: frame.highlights,
    chosen,
  });
  const { n } = frame.focus;
  const own = useMemo((): Partial<Record<TensorName, Partial<TensorPanelProps>>> => {
    const pending = writes === 'once' ? pendingAreas(g, name, steps, n) : [];
    const added = name === 'db_accumulate' ? doneAreas(g, steps, n) : [];
    const marks = (tone: Mark['tone'], areas: readonly Mark['area'][]) => areas.map((area): Mark => ({ tone, area }));
    return {
      ...(added.length > 0 ? { dy: { under: marks('source', added) } } : {}),
      [result]: { under: marks('pending', pending), subtitle: `${steps} of ${partial.total} steps` },
    };
  }, [g, name, result, writes, steps, n, partial.total]);
  return (
    <ViewModelProvider value={frameModel}>
      <Tensors names={ALL} own={own} />
      <ForwardSigns />
    </ViewModelProvider>
  );
}

interface WalkPlayerProps extends Omit<WalkProps, 'chosen'> {
  /** The slider's value; the panels show `partial` and may be behind. */
  readonly wanted: number;
  readonly onSteps: (steps: number) => void;
}

export function WalkPlayer({ process, partial, wanted, onSteps }: WalkPlayerProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const { name, label } = process;
  const { highlights, sentence } = frameOf(g, name, partial.steps, focus.value);
  return (
    <StepPlayer
      label={`steps of ${label}`}
      value={wanted}
      total={partial.total}
      row={name === 'dx_gather' ? g.w : g.ow}
      highlights={highlights}
      sentence={sentence}
      onSteps={onSteps}
    />
  );
}

/** A partial sum can be larger than the final one: the color scale covers both. */
function inColorsOf({ tensor }: PartialFrame, final: Tensor | undefined): Tensor {
  if (!final || final.stats.max_abs < tensor.stats.max_abs) return tensor;
  return { ...tensor, stats: final.stats };
}
