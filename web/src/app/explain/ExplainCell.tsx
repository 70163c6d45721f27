import { useMemo, useState } from 'preact/hooks';
import { weightAt } from '../../geometry/conv-matrix';
import { cellAt, gridOf, isInside, isMatrix, positionOf } from '../../geometry/grid';
import { cellName } from '../../geometry/labels';
import type { BoxRegion } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, GridName, Place } from '../../protocol/cell';
import type { Geometry, Pass } from '../../protocol/problem';
import type { Question } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { formatExact, hiding } from '../../ui/numbers';
import type { Content } from '../../views/kit/scene';
import type { Page } from '../page';
import { PendingLine } from '../questions/PendingLine';
import { usePicture } from '../questions/use-picture';
import { EntryMade } from './EntryMade';
import { FeedList } from './FeedList';
import { LossMade } from './LossMade';
import { MadeOf } from './MadeOf';
import { type Sum, sumBehind } from './sum-behind';
import { ValueEdit } from './ValueEdit';
import './explain.css';

export interface ExplainCellProps {
  readonly page: Page;
  /** A cell that is predicted elsewhere. */
  readonly predicted?: Cell | undefined;
  readonly content: Content;
  readonly highlights: Highlights;
  /** What is on the stage: of any other problem nothing is said beside it. Null: there is nothing on it. */
  readonly beside: number | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
  readonly onRelease: () => void;
  readonly onEdit: (place: Place, value: number) => void;
}

const UNREAD = 'No window reads it, so it feeds nothing, and its gradient is exactly 0.';
const CLICK = 'Click it to change it.';
const GIVEN = 'Given, not computed.';
const INSTEAD = 'A value of your own takes the place of the loss: dy is then given.';
const PADDING = 'Padding: a zero around x. It takes part in windows and gets no gradient.';

/** Comes when a cell is kept, or is hidden. */
const predict = late(async () => await import('../predict/predictions'));

/** The cell that is pointed at: its value, what made it, and what it feeds. */
export function ExplainCell(props: ExplainCellProps) {
  const { page, content, highlights, beside, onRelease } = props;
  const [tab, setTab] = useState('made');
  const { geometry } = content;
  const { tensor, index } = highlights.cell;
  const biased = content.tensors.b !== undefined;
  const sum = useMemo(() => sumBehind(geometry, { tensor, index }, biased), [geometry, tensor, index, biased]);
  const kind = tensor === 'dy' ? content.loss?.kind : undefined;
  const asked = useMemo(
    () => (kind ? ({ kind: 'loss_cell', index } as const) : (sum?.question ?? null)),
    [kind, index, sum],
  );
  const subject = useMemo(
    () => ({
      of: `${tensor} ${index}`,
      revision: content.revision,
      content: { content, highlights, sum, asked },
      questions: asked ? [asked] : [],
    }),
    [content, highlights, sum, asked, tensor, index],
  );
  const { picture, pending, cancel, retry } = usePicture(page.client, subject, { fillsIn: true, beside, urgent: true });
  const shown = picture?.content ?? (beside === null || beside === subject.revision ? subject.content : null);
  if (!shown) return <aside class="explain explain--empty" aria-label="Explain" />;
  const { geometry: g, tensors, runs, loss } = shown.content;
  const { cell, pinned, targets } = shown.highlights;
  const lookUp = (of: Cell) =>
    valueIn(g, tensors, of) ?? (of.seenIn === shown.content.revision ? of.value : null) ?? null;
  const value = lookUp(cell);
  const name = cellName(g, cell);
  const ofLoss = cell.tensor === 'dy' ? loss : null;
  const isHidden = hiding.value && value !== null && Number.isNaN(value);
  const predicting = pinned || isHidden ? predict() : null;
  const hinted = predicting?.predictorOf(page).attempt(cell).hinted ?? false;
  const editable = isInput(cell.tensor);
  // Who asks about a tensor of the board need not know of the lowered matrices.
  const shownTargets = isMatrix(cell.tensor) ? targets : targets.filter((each) => each.tensor in tensors);
  const feeds = () => (
    <FeedList geometry={g} targets={shownTargets} nothing={UNREAD} onTerm={props.onTerm} onGo={props.onGo} />
  );
  const answerTo = <Q extends Question>(question: Q) => picture?.answers.get(question) ?? null;
  const madeOf = () => (
    <>
      {ofLoss && shown.asked?.kind === 'loss_cell' && (
        <LossMade geometry={g} cell={cell} loss={ofLoss.kind} answer={answerTo(shown.asked)} onGo={props.onGo} />
      )}
      {shown.sum && (
        <MadeOf
          key={name}
          geometry={g}
          tensors={tensors}
          cell={cell}
          sum={shown.sum}
          answer={shown.sum.question && answerTo(shown.sum.question)}
          by={computedBy(cell.tensor, runs)}
          lookUp={lookUp}
          onTerm={props.onTerm}
          onGo={props.onGo}
        />
      )}
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
    </>
  );
  const elsewhere = props.predicted?.tensor === cell.tensor && props.predicted.index === cell.index;
  const predictor = predicting && !elsewhere && (
    <predicting.Predict page={page} geometry={g} cell={cell} name={name} hidden={isHidden} />
  );
  const computed = !editable || ofLoss !== null;
  const made = computed && (ofLoss !== null || shown.sum !== null) && cell.tensor !== 'x_padded' && cell.tensor !== 'C';
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
      {isHidden && predictor}
      {(pinned || isHidden) && <LateNotice what="What hides numbers" of={[predict]} />}
      {pinned && editable && value !== null && !isHidden && (
        <>
          {page.look.locked.value.includes(cell.tensor) ? (
            <p class="explain__note">Locked: whoever made this link keeps {cell.tensor} as it is.</p>
          ) : (
            <ValueEdit
              key={name}
              label={name}
              value={value}
              onChange={(next) => props.onEdit({ ...cell, geometry: g }, next)}
            />
          )}
          {ofLoss && <p class="explain__note">{INSTEAD}</p>}
        </>
      )}
      {cell.tensor === 'C' && <EntryMade geometry={g} cell={cell} onGo={props.onGo} />}
      {!made && cell.tensor !== 'C' && (
        <>
          <p class="explain__note">
            {editable ? GIVEN : PADDING} {editable && !pinned && CLICK}
            {shownTargets.length > 0 && ' It feeds:'}
          </p>
          {feeds()}
        </>
      )}
      {made && isHidden && hinted && madeOf()}
      {made && !isHidden && shownTargets.length === 0 && madeOf()}
      {made && !isHidden && shownTargets.length > 0 && (
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
      {!isHidden && predictor}
      {/* The cell under the keyboard speaks for itself; a pinned one is announced with what it is made of. */}
      <p class="visually-hidden" role="status">
        {pinned && value !== null ? `${name} is ${formatExact(value)}${spokenSum(shown.sum, ofLoss?.kind)}` : ''}
      </p>
    </aside>
  );
}

const isInput = (name: GridName): boolean => name === 'x' || name === 'w' || name === 'b' || name === 'dy';

const PASS_OF: Readonly<Partial<Record<GridName, Pass>>> = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
};

function computedBy(tensor: GridName, runs: Content['runs']): string {
  const pass = PASS_OF[tensor];
  const run = pass && runs[pass];
  return run ? `the algorithm ${run.algorithm}` : 'the library';
}

/** ": the sum of 9 products", for who hears that a cell was pinned. */
function spokenSum(sum: Sum | null, loss: keyof typeof LOSSES | undefined): string {
  if (loss) return `: the gradient of ${LOSSES[loss]}`;
  if (!sum?.planes || sum.page.total === 0) return '';
  const { total, b } = sum.page;
  const parts = b ? 'product' : 'cell';
  const bias = sum.bias ? `, and ${sum.bias.label}` : '';
  return `: the sum of ${total.toLocaleString('en')} ${parts}${total === 1 ? '' : 's'}${b ? '' : ' of dy'}${bias}`;
}

const LOSSES = { mse: 'a squared error', log_cosh: 'the log-cosh of an error' } as const;

function valueIn(g: Geometry, tensors: Content['tensors'], { tensor, index }: Cell): number | null {
  if (tensor === 'x_padded') {
    const { slice, row, col, channel } = positionOf(g, { tensor, index });
    const inside = isInside(gridOf(g, 'x'), { slice, row: row - g.padding.top, col: col - g.padding.left, channel });
    return inside ? null : 0;
  }
  if (tensor === 'C') {
    const { row, col } = positionOf(g, { tensor, index });
    const weight = weightAt(g, row, col);
    const cell = weight && cellAt(g, 'w', weight);
    return cell && valueIn(g, tensors, cell);
  }
  const named = Object.entries(tensors).find(([name]) => name === tensor)?.[1];
  return named?.data[index] ?? null;
}
