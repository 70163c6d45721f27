import { useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { gridOf, isInside, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { BoxRegion } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { Geometry, Tensor, TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { formatExact } from '../../ui/numbers';
import type { Highlights } from '../../views/scene';
import { FeedList } from './FeedList';
import { MadeOf } from './MadeOf';

interface ExplainProps {
  readonly client: ComputeClient;
  readonly geometry: Geometry;
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly revision: number;
  readonly highlights: Highlights | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
  readonly onRelease: () => void;
}

/** The cell that is pointed at: its value, what made it, and what it feeds. */
export function Explain(props: ExplainProps) {
  const { geometry: g, tensors, highlights, onRelease } = props;
  const [tab, setTab] = useState('made');
  if (!highlights) {
    return (
      <aside class="explain explain--empty" aria-label="Explain">
        <h2 class="explain__title">Explain</h2>
        <p class="explain__note">
          Point at any number to see the sum that made it and everything it feeds. Click or tap to keep it, Esc to let
          go.
        </p>
      </aside>
    );
  }
  const { cell, pinned, targets } = highlights;
  const lookUp = (of: Cell) => valueIn(g, tensors, of);
  const value = lookUp(cell);
  // The lowered matrices are not on the page.
  const shownTargets = targets.filter(({ tensor }) => tensor in tensors);
  return (
    <aside class={pinned ? 'explain explain--pinned' : 'explain explain--preview'} aria-label="Explain">
      <div class="explain__head">
        <h2 class="explain__title">
          <span class="symbol">{cellLabel(g, cell)}</span>
          {value !== null && <> = {formatExact(value)}</>}
        </h2>
        {pinned && (
          <Button label="Release this cell" shortcut="Escape" kind="icon" onClick={onRelease}>
            ×
          </Button>
        )}
      </div>
      <Tabs
        label="about this cell"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'made', title: 'Made of', content: () => <MadeOf {...props} cell={cell} lookUp={lookUp} /> },
          {
            id: 'feeds',
            title: 'Feeds',
            content: () => <FeedList geometry={g} targets={shownTargets} onTerm={props.onTerm} onGo={props.onGo} />,
          },
        ]}
      />
    </aside>
  );
}

function valueIn(g: Geometry, tensors: ExplainProps['tensors'], { tensor, index }: Cell): number | null {
  if (tensor === 'x_padded') {
    const { slice, row, col, channel } = positionOf(g, { tensor, index });
    const inside = isInside(gridOf(g, 'x'), { slice, row: row - g.padding.top, col: col - g.padding.left, channel });
    return inside ? null : 0;
  }
  const named = Object.entries(tensors).find(([name]) => name === tensor)?.[1];
  return named?.data[index] ?? null;
}
