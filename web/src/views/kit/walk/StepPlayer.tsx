import type { ComponentProps } from 'preact';
import { cellName } from '../../../geometry/labels';
import type { Highlights } from '../../../look/look-store';
import { Scrubber } from '../../../ui/scrubber/Scrubber';
import { useDerived, useGeometry, useViewModel } from '../view-model';

interface StepPlayerProps extends Omit<ComponentProps<typeof Scrubber>, 'note' | 'onChange'> {
  /** Of the step; null: no step is done. */
  readonly highlights: Highlights | null;
  readonly onSteps: (steps: number) => void;
}

/**
 * The player of a view. Its sentence and the outlines are about the cell of the step. While the user points at or pins another
 * cell, the outlines are about that cell, and the sentence says so.
 */
export function StepPlayer({ highlights, onSteps, ...player }: StepPlayerProps) {
  const g = useGeometry();
  const { userHighlights, onPlay } = useViewModel();
  const note = useDerived(() => {
    const cell = userHighlights.value?.cell;
    if (!cell || !highlights || (cell.tensor === highlights.cell.tensor && cell.index === highlights.cell.index))
      return;
    return `Selected: ${cellName(g, cell)}.`;
  }, [g, userHighlights, highlights]);
  return (
    <Scrubber
      {...player}
      note={note.value}
      onChange={(steps) => {
        onPlay();
        onSteps(steps);
      }}
    />
  );
}
