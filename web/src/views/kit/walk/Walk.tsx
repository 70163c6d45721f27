import { useMemo } from 'preact/hooks';
import type { Geometry, ProcessName, TensorName } from '../../../protocol/problem';
import type { Area } from '../../../ui/grid/marks';
import { inColorsOf, type PartialFrame } from '../answers';
import { block, marked, pendingMarks } from '../marks';
import { ALL, ForwardSigns, Tensors } from '../stage/Tensors';
import type { TensorPanelProps } from '../TensorPanel';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../view-model';
import { frameOf } from './frame';
import { StepPlayer } from './StepPlayer';

/** A process that a player steps through. */
export interface WalkProcess {
  readonly name: ProcessName;
  readonly label: string;
  /** The tensor that it fills. */
  readonly result: TensorName;
  /** Each cell is written by one step; else steps add to cells. */
  readonly writesOnce?: boolean;
}

interface WalkProps {
  readonly process: WalkProcess;
  readonly partial: PartialFrame;
  /** The step was chosen, by the player or by a link. */
  readonly chosen: boolean;
}

/** A process after some of its steps: all tensors, with the cells that the last step read and wrote. */
export function Walk({ process, partial, chosen }: WalkProps) {
  const { name, result, writesOnce } = process;
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const { tensors } = content.value;
  const current = focus.value;
  const { steps } = partial;
  const frame = useMemo(() => frameOf(g, name, steps, current), [g, name, steps, current]);
  const final = tensors[result];
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => ({ [result]: inColorsOf(partial.tensor, final) }), [result, partial, final]),
    focus: frame.focus,
    highlights: frame.highlights,
    chosen,
  });
  const { n } = frame.focus;
  const own = useMemo((): Partial<Record<TensorName, Partial<TensorPanelProps>>> => {
    const pending = writesOnce ? pendingMarks(g, name, steps, n) : [];
    const added = name === 'db_accumulate' ? doneAreas(g, steps, n) : [];
    return {
      ...(added.length > 0 ? { dy: { under: marked('source', added) } } : {}),
      [result]: { under: pending, subtitle: `${steps} of ${partial.total} steps` },
    };
  }, [g, name, result, writesOnce, steps, n, partial.total]);
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

/** Cells of image `n` of dy that the first `steps` steps of a sum over y's positions have added. */
function doneAreas({ oh, ow }: Geometry, steps: number, n: number): readonly Area[] {
  const done = Math.max(0, Math.min(oh * ow, steps - n * oh * ow));
  const row = Math.floor(done / ow);
  return [block(0, 0, row, ow), block(row, 0, 1, done % ow)].filter(({ rows, cols }) => rows * cols > 0);
}
