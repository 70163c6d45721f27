import { positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { BoxRegion, Region } from '../../geometry/region';
import { box, regionIndices } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { CellChip } from './CellChip';

interface UsedByProps {
  readonly geometry: Geometry;
  readonly targets: readonly Region[];
  /** The text if there are no targets. */
  readonly nothing: string;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
}

/** Cells listed per tensor; the grids show the rest. */
const MAX_LISTED = 24;

/** All cells that use a cell. */
export function UsedBy({ geometry, targets, nothing, onTerm, onGo }: UsedByProps) {
  if (targets.length === 0) return <p class="explain__note">{nothing}</p>;
  return (
    <dl class="feeds" onPointerLeave={() => onTerm([])}>
      {targets.map((region) => (
        <div key={region.tensor} class="feeds__group">
          <dt>
            <span class="symbol">{region.tensor}</span>: {count(region)}
          </dt>
          <dd>
            {Array.from(regionIndices(geometry, region, MAX_LISTED), (index) => {
              const cell = { tensor: region.tensor, index };
              return (
                <span key={index} onPointerEnter={() => onTerm(only(geometry, cell))}>
                  <CellChip label={cellLabel(geometry, cell)} cell={cell} onGo={onGo} />{' '}
                </span>
              );
            })}
            {region.count > MAX_LISTED && <span>… {(region.count - MAX_LISTED).toLocaleString('en')} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function count(region: Region): string {
  return region.count === 1 ? '1 cell' : `${region.count.toLocaleString('en')} cells`;
}

function only(g: Geometry, cell: Cell): readonly BoxRegion[] {
  const { slice, row, col, channel } = positionOf(g, cell);
  const one = (first: number) => ({ first, step: 1, count: 1 });
  const region = box(g, cell.tensor, { slice: one(slice), row: one(row), col: one(col), channel: one(channel) });
  return region ? [region] : [];
}
