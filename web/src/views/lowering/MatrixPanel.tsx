import type { MatrixForm } from '../../geometry/grid';
import { READABLE } from '../kit/fit';
import type { FitLimits } from '../kit/fit-grid';
import { MapNavigator } from '../kit/MapNavigator';
import { StagePanel, type StagePanelProps } from '../kit/StagePanel';
import { useGeometry } from '../kit/view-model';
import { AxisLabels } from './AxisLabels';
import type { MatrixName } from './matrix-products';
import './matrix.css';

interface MatrixPanelProps extends Pick<StagePanelProps, 'tensor' | 'title' | 'subtitle' | 'lit' | 'under' | 'box'> {
  readonly name: MatrixName;
  readonly form: MatrixForm;
  readonly group: number;
  /** Largest side of its cells. */
  readonly most?: number | undefined;
}

/** Room for the labels; a part has cells that a pointer can hit. */
export const MATRIX_LIMITS = {
  ...{ beside: 32, above: 28 },
  whole: { least: Number.POSITIVE_INFINITY },
  part: { least: 2, most: 13 },
} as const satisfies FitLimits;

/** Least width of a matrix drawn as values. */
export const widthOf = (cols: number): number => cols * READABLE + MATRIX_LIMITS.beside + 8;

/** One matrix of a group, in any form. A large one is drawn in part, with an overview to navigate. */
export function MatrixPanel({ group, most, ...props }: MatrixPanelProps) {
  const g = useGeometry();
  const { name, form } = props;
  return (
    <StagePanel
      {...props}
      slice={group}
      channel={0}
      limits={{ ...MATRIX_LIMITS, most }}
      overview={(map) => <MapNavigator {...map} />}
      around={(grid, size) => (
        <AxisLabels geometry={g} name={name} form={form} size={size}>
          {grid}
        </AxisLabels>
      )}
    />
  );
}
