import { useMemo, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { gridOf, isInside, isMatrix, positionOf } from '../../geometry/grid';
import { cellLabel, positionLabel } from '../../geometry/labels';
import type { BoxRegion } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, GridName, Place } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { formatExact } from '../../ui/numbers';
import type { Content } from '../../views/kit/scene';
import { PendingLine } from '../questions/PendingLine';
import { usePicture } from '../questions/use-picture';
import { FeedList } from './FeedList';
import { MadeOf } from './MadeOf';
import { sumBehind } from './sum-behind';
import { ValueEdit } from './ValueEdit';
import './explain.css';

export interface ExplainCellProps {
  readonly client: ComputeClient;
  readonly content: Content;
  readonly highlights: Highlights;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
  readonly onRelease: () => void;
  readonly onEdit: (place: Place, value: number) => void;
}

const GIVEN_TENSORS: ReadonlySet<GridName> = new Set(['x', 'w', 'b', 'dy', 'x_padded']);
const UNREAD = 'No window reads it, so it feeds nothing, and its gradient is exactly 0.';
const RESULT = 'A result: nothing on this page is computed from it.';
const CLICK = 'Click it to change it.';
const GIVEN = 'Given, not computed.';
const PADDING = 'Padding: a zero around x. It takes part in windows and gets no gradient.';

/** The cell that is pointed at: its value, what made it, and what it feeds. */
export function ExplainCell(props: ExplainCellProps) {
  const { client, content, highlights, onRelease } = props;
  const [tab, setTab] = useState('made');
  const { geometry } = content;
  const { tensor, index } = highlights.cell;
  const sum = useMemo(() => sumBehind(geometry, { tensor, index }), [geometry, tensor, index]);
  const subject = useMemo(
    () => ({
      of: `${tensor} ${index}`,
      revision: content.revision,
      content: { content, highlights, sum },
      questions: sum?.question ? [sum.question] : [],
    }),
    [content, highlights, sum, tensor, index],
  );
  const { picture, pending, cancel, retry } = usePicture(client, subject, { fillsIn: true, urgent: true });
  const shown = picture?.content ?? subject.content;
  const { geometry: g, tensors } = shown.content;
  const { cell, pinned, targets } = shown.highlights;
  const lookUp = (of: Cell) => valueIn(g, tensors, of) ?? of.value ?? null;
  const value = lookUp(cell);
  const name = nameOf(g, cell);
  const given = GIVEN_TENSORS.has(cell.tensor);
  const editable = cell.tensor !== 'x_padded';
  // Who asks about a tensor of the board need not know of the lowered matrices.
  const shownTargets = isMatrix(cell.tensor) ? targets : targets.filter(({ tensor }) => tensor in tensors);
  const feeds = () => (
    <FeedList
      geometry={g}
      targets={shownTargets}
      nothing={given ? UNREAD : RESULT}
      onTerm={props.onTerm}
      onGo={props.onGo}
    />
  );
  const madeOf = () =>
    shown.sum && (
      <>
        <MadeOf
          geometry={g}
          cell={cell}
          sum={shown.sum}
          answer={picture && shown.sum.question && picture.answers.get(shown.sum.question)}
          lookUp={lookUp}
          onTerm={props.onTerm}
          onGo={props.onGo}
        />
        <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      </>
    );
  return (
    <aside
      class={pinned ? 'explain explain--pinned' : 'explain explain--preview'}
      aria-label="Explain"
      data-explanation
      tabIndex={-1}
    >
      <div class="explain__head">
        <h2 class="explain__title">
          <span class="symbol">{name}</span>
          {value !== null && <> = {formatExact(value)}</>}
        </h2>
        {pinned && (
          <Button label="Release this cell" shortcut="Escape" kind="icon" onClick={onRelease}>
            ×
          </Button>
        )}
      </div>
      {given ? (
        <>
          {pinned && editable && value !== null && (
            <ValueEdit label={name} value={value} onChange={(next) => props.onEdit({ ...cell, geometry: g }, next)} />
          )}
          <p class="explain__note">
            {cell.tensor === 'x_padded' ? PADDING : GIVEN} {editable && !pinned && CLICK}
            {shownTargets.length > 0 && ' It feeds:'}
          </p>
          {feeds()}
        </>
      ) : (
        <Tabs
          label="about this cell"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'made', title: 'Made of', content: madeOf },
            { id: 'feeds', title: 'Feeds', content: feeds },
          ]}
        />
      )}
      {/* The cell under the keyboard speaks for itself; a pinned one is announced with what it is made of. */}
      <p class="visually-hidden" role="status">
        {pinned && value !== null ? `${name} is ${formatExact(value)}` : ''}
      </p>
    </aside>
  );
}

/** A cell around x is called by its place beside x, where it is drawn: x[−1,0]. */
function nameOf(g: Geometry, cell: Cell): string {
  if (cell.tensor !== 'x_padded') return cellLabel(g, cell);
  const { row, col, ...rest } = positionOf(g, cell);
  return positionLabel(g, 'x', { ...rest, row: row - g.padding.top, col: col - g.padding.left });
}

function valueIn(g: Geometry, tensors: Content['tensors'], { tensor, index }: Cell): number | null {
  if (tensor === 'x_padded') {
    const { slice, row, col, channel } = positionOf(g, { tensor, index });
    const inside = isInside(gridOf(g, 'x'), { slice, row: row - g.padding.top, col: col - g.padding.left, channel });
    return inside ? null : 0;
  }
  const named = Object.entries(tensors).find(([name]) => name === tensor)?.[1];
  return named?.data[index] ?? null;
}
