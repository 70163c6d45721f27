import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { perform } from '../../commands/perform';
import { isMatrix } from '../../geometry/grid';
import { cellName } from '../../geometry/labels';
import type { Highlights } from '../../look/look-store';
import type { Content } from '../../protocol/messages';
import { type Cell, INPUTS, type InputName } from '../../protocol/problem';
import type { Question } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { RefusalNotice } from '../../ui/notices';
import { formatExact, hasHiddenValues, parseNumber, refusal } from '../../ui/numbers';
import { Predict } from '../lesson/predict/Predict';
import { ALL_HINTS, canHideIn, isHiddenCell, predictorOf } from '../lesson/predict/predictor';
import { useRestoreFocus } from '../page/hooks';
import type { SideTabProps } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { cellSumOf } from '../questions/cell-sum';
import { PendingLine } from '../questions/PendingLine';
import { ComputedFrom, LossGradient } from './ComputedFrom';
import { MatrixEntry, UsedBy } from './Terms';
import './explain.css';
import { generalFormula } from '../../geometry/formula';
import type { ViewState } from '../../look/look';
import { Formula } from '../../ui/Formula';
import { lazy } from '../../ui/lazy';
import { playing } from '../../ui/scrubber/playing';
import { explainHighlightsOf, type View, ViewModelProvider } from '../../views/shared/view-model';
import { CopyLatex } from '../page/use-copy';
import { valueIn } from '../questions/value-in';
import { useCurrentView } from '../stage/current-view';

interface ExplainCellProps extends SideTabProps {
  /** A cell with a prediction that is shown elsewhere. */
  readonly predicted?: Cell | undefined;
  readonly content: Content;
  readonly highlights: Highlights;
  /** The revision that the view shows; other revisions are not explained. Null: the view shows none. */
  readonly shownRevision: number | null;
}

/** The current cell: its value, how it was computed, and what uses it. */
export function ExplainCell(props: ExplainCellProps) {
  const { page, context, events, predicted, content, highlights, shownRevision } = props;
  const { look } = page;
  const [tab, setTab] = useState('made');
  const { geometry } = content;
  const { tensor, index } = highlights.cell;
  const biased = content.tensors.b !== undefined;
  const sum = useMemo(() => cellSumOf(geometry, { tensor, index }, biased), [geometry, tensor, index, biased]);
  const kind = tensor === 'dy' ? content.loss?.kind : undefined;
  const question = useMemo(
    () => (kind ? ({ kind: 'loss_cell', index } as const) : (sum?.question ?? null)),
    [kind, index, sum],
  );
  const subject = useMemo(
    () => ({
      of: `${tensor} ${index}`,
      ...{ revision: content.revision, layer: content.index },
      content: { content, highlights, sum, question },
      questions: question ? [question] : [],
    }),
    [content, highlights, sum, question, tensor, index],
  );
  const { answered, ...asking } = useAnsweredSubject(page.client, subject, {
    fillsIn: true,
    shownRevision,
    urgent: true,
  });
  // What had the focus is gone once the value is hidden or found. A lesson moves on itself.
  const isAsked = predicted === undefined && isHiddenCell(look.hiddenCells.value, { tensor, index });
  useRestoreFocus(isAsked, () => document.querySelector<HTMLElement>('[data-explanation]'));
  const shown =
    answered?.content ?? (shownRevision === null || shownRevision === subject.revision ? subject.content : null);
  if (!shown) return <section class="explain explain--empty" aria-label="Explain" />;
  const { geometry: g, tensors, loss } = shown.content;
  const { cell, pinned, targets } = shown.highlights;
  const lookUp = (of: Cell) =>
    valueIn(g, tensors, of) ?? (of.seenIn === shown.content.revision ? of.value : null) ?? null;
  const at = { geometry: g, cell, look, lookUp };
  const value = lookUp(cell);
  const name = cellName(g, cell);
  const ofLoss = cell.tensor === 'dy' ? loss : null;
  const isHidden = hasHiddenValues.value && value !== null && Number.isNaN(value);
  const predicting = pinned || isHidden;
  const hinted = predicting && predictorOf(page).attempt(cell).hints === ALL_HINTS;
  const editable = INPUTS.some((input) => input === cell.tensor);
  const fixed = shown.content.fixed[cell.tensor as InputName];
  // For a cell of a tensor, the im2col matrices are left out.
  const shownTargets = isMatrix(cell.tensor)
    ? targets
    : targets.filter((each) => each.tensor in tensors && !look.hiddenParts.value.includes(each.tensor));
  const usedBy = () =>
    look.noHintYet.value ? (
      <p class="explain__note note">The cells that use it are shown after a hint.</p>
    ) : (
      <UsedBy {...at} targets={shownTargets} />
    );
  const answerTo = <Q extends Question>(question: Q) => answered?.answers.get(question) ?? null;
  const computedFrom = () => (
    <>
      {ofLoss && shown.question?.kind === 'loss_cell' && (
        <LossGradient {...at} loss={ofLoss.kind} answer={answerTo(shown.question)} />
      )}
      {shown.sum && (
        <ComputedFrom
          {...at}
          key={name}
          content={shown.content}
          sum={shown.sum}
          answer={shown.sum.question && answerTo(shown.sum.question)}
        />
      )}
      <PendingLine {...asking} />
    </>
  );
  const elsewhere = predicted?.tensor === cell.tensor && predicted.index === cell.index;
  const predictor = predicting && !elsewhere && (
    <Predict page={page} geometry={g} cell={cell} name={name} hidden={isHidden} offersHiding={canHideIn(content)} />
  );
  const computed = !editable || ofLoss !== null;
  const hasSum =
    computed && (ofLoss !== null || shown.sum !== null) && cell.tensor !== 'x_padded' && cell.tensor !== 'C';
  return (
    <section
      class={pinned ? 'explain explain--pinned' : 'explain explain--preview'}
      aria-label="Explain"
      data-explanation
      tabIndex={-1}
    >
      <div class="explain__head row ends">
        <h2 class="explain__title">
          <span class="symbol">{name}</span>
          {value !== null && <> = {formatExact(value)}</>}
        </h2>
        {pinned && (
          <Button label="Unpin this cell" shortcut="Escape" kind="icon" onClick={() => perform('release', context)} />
        )}
      </div>
      {isHidden && predictor}
      {pinned && editable && value !== null && !isHidden && (
        <>
          {fixed ? (
            hasSum && <p class="explain__note note">Not an input: it is the {fixed}.</p>
          ) : look.locked.value.includes(cell.tensor) ? (
            <p class="explain__note note">
              {look.exercise.value ? 'Locked during the exercise.' : 'Locked by this link.'}
            </p>
          ) : (
            <ValueEdit
              key={name}
              label={name}
              value={value}
              onChange={(next) => events.onEdit({ ...cell, geometry: g }, next)}
            />
          )}
          {ofLoss && <p class="explain__note note">Editing dy replaces the loss: dy is then fixed.</p>}
        </>
      )}
      {cell.tensor === 'C' && <MatrixEntry {...at} />}
      {!hasSum && cell.tensor !== 'C' && (
        <>
          <p class="explain__note note">
            {editable
              ? fixed
                ? `Not an input: it is the ${fixed}.`
                : 'Input, not computed.'
              : 'Padding: a zero around x. Windows read it, but it has no gradient.'}{' '}
            {editable && !fixed && !pinned && 'Click to pin and edit it.'}
            {shownTargets.length > 0 && ' Used by:'}
          </p>
          {usedBy()}
        </>
      )}
      {hasSum && isHidden && hinted && computedFrom()}
      {hasSum && !isHidden && shownTargets.length === 0 && computedFrom()}
      {hasSum && !isHidden && shownTargets.length > 0 && (
        <Tabs
          label="about this cell"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'made', title: 'Computed from', content: computedFrom },
            { id: 'feeds', title: 'Used by', content: usedBy },
          ]}
        />
      )}
      {!isHidden && predictor}
    </section>
  );
}

/** A text box for the value of a pinned cell, for devices without a keyboard. Shows errors until the next edit. */
function ValueEdit({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const id = useId();
  const [why, setWhy] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // The box stays when the value changes, with the focus.
  useLayoutEffect(() => {
    if (field.current) field.current.value = formatExact(value);
  }, [value]);
  const commit = (box: HTMLInputElement) => {
    const refused = refusal(box.value);
    if (refused) setWhy(refused);
    const typed = refused ? null : parseNumber(box.value);
    if (typed !== null && typed !== value) onChange(typed);
    else box.value = formatExact(value);
  };
  return (
    <>
      <p class="value-edit row ends">
        <label for={id}>value of {label}</label>
        <input
          ref={field}
          id={id}
          type="text"
          autocomplete="off"
          defaultValue={formatExact(value)}
          aria-invalid={why !== null}
          onInput={() => setWhy(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(event.currentTarget);
          }}
          onBlur={(event) => commit(event.currentTarget)}
        />
      </p>
      <RefusalNotice why={why} />
    </>
  );
}

const NO_REVISION = -1;

const layerSum = lazy('This sum', async () => (await import('./LayerSum')).LayerSum);

/** Explains the current cell; without one, the view. */
export function ExplainTab(props: SideTabProps & Pick<ExplainCellProps, 'predicted'>) {
  const { currentContent, look } = props.page;
  const { entry, show, loader } = useCurrentView();
  const before = useRef<(Pick<Content, 'geometry'> & { readonly highlights: Highlights | null }) | null>(null);
  const content = currentContent.value;
  if (!content) return null;
  const shown = show?.model.content.value ?? null;
  // Learn and Network explain their own cells; other explanations are for the problem of the page.
  const isOwn = entry.id === 'learn' || entry.id === 'network';
  const Sum = entry.id === 'network' && layerSum();
  const now = isOwn ? null : explainHighlightsOf(content.geometry, show?.model ?? null, look);
  // It keeps still while a player plays, unless the user chooses a cell, or the opening goes on to its second half.
  const isOfStep = !now || now.suggested || now.cell === show?.model.frameHighlights.value?.cell;
  const last = before.current;
  const turns = now?.suggested && now.cell.tensor !== last?.highlights?.cell.tensor;
  const still = playing.value && isOfStep && !turns && last?.geometry === content.geometry ? last : null;
  const { highlights } = still ?? { highlights: now };
  before.current = { geometry: content.geometry, highlights };
  if (!highlights) {
    const view = loader();
    return (
      <section class="explain explain--empty" aria-label="Explain">
        <h2 class="visually-hidden">Explain</h2>
        <div class="about grid">
          <h3 class="about__title">{entry.title}</h3>
          <p class="soft">{view?.sentence}</p>
          {view && <ViewFormulas view={view} content={shown ?? content} state={show?.props.state ?? {}} />}
          {show?.view.About && (
            <ViewModelProvider value={show.model}>
              <show.view.About
                {...show.props}
                renderSum={(sum) => Sum && <Sum {...sum} page={props.page} content={show.model.content.value} />}
              />
            </ViewModelProvider>
          )}
        </div>
        {entry.id !== 'network' && (
          <p class="soft">
            {isOwn ? (
              'Point at a number to see its exact value after the step.'
            ) : (
              <>
                Point at a number to see how it was computed and what uses it. Click or tap to pin it
                <span class="by-keys">, Esc to unpin</span>.
              </>
            )}
          </p>
        )}
      </section>
    );
  }
  // A view that still waits for answers shows another layer of the same revision: nothing is explained beside it.
  const isOtherLayer = shown !== null && shown.index !== content.index;
  const shownRevision = isOtherLayer ? NO_REVISION : (shown?.revision ?? null);
  return <ExplainCell {...props} {...{ content, highlights, shownRevision }} />;
}

/** The formulas of a view, with the stride, dilation and padding of this geometry. */
function ViewFormulas({ view, content, state }: { view: View; content: Content; state: ViewState }) {
  const { geometry: g, tensors } = content;
  const sums = (view.sums ?? []).map((tensor) => generalFormula(g, tensor, tensors.b !== undefined));
  const shown = [...sums, ...(view.formulas?.(content, state) ?? [])].filter((text) => text !== null);
  const strided = g.stride_h > 1 || g.stride_w > 1;
  return (
    <>
      {shown.map((text) => (
        <Formula key={text} text={text} />
      ))}
      {shown.length > 0 && (
        <CopyLatex
          what={shown.length > 1 ? 'these formulas' : 'this formula'}
          latex={({ alignedLatex, formulaLatex }) => alignedLatex(shown.map(formulaLatex))}
        />
      )}
      {strided && view.sums?.includes('dx') && (
        <p class="soft">In dx, only terms with whole-number rows and columns of dy count.</p>
      )}
      {g.groups > 1 && shown.length > 0 && sums.length > 0 && <p class="soft">c and k are in the same group.</p>}
    </>
  );
}
