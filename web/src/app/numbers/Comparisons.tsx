import { useMemo, useState } from 'preact/hooks';
import { type Focus, focusOn, groupOfFilter, validFocus } from '../../geometry/focus';
import { cellName } from '../../geometry/labels';
import { type Cell, type Geometry, PASS_OF, type ResultName, type Tensor } from '../../protocol/problem';
import type { CompareResultAsk, ResultComparison } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { NumberField } from '../../ui/controls/NumberField';
import { formatExact } from '../../ui/numbers';
import { MistakeList } from '../lesson/predict/Predict';
import { DifferenceMaps } from '../page/DifferenceMaps';
import type { Page } from '../page/page';
import { useCopy } from '../page/use-copy';
import { useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import { agreementOf, tolerancesOf } from './agreements';

/** An imported result, in the axis order of this page. */
export interface Imported {
  readonly result: ResultName;
  /** How its axes were read. */
  readonly text: string;
  readonly values: Float32Array;
  /** The other axis orders that fit. */
  readonly others: readonly { readonly text: string; readonly values: Float32Array }[];
}

interface ComparisonsProps {
  readonly page: Page;
  readonly imported: readonly Imported[];
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** Compares imported results with ours: whether and where they differ, and which common mistakes explain them. */
export function Comparisons({ page, imported, onBack, onDone }: ComparisonsProps) {
  return (
    <div class="numbers">
      {imported.map((one) => (
        <Comparison key={one.result} page={page} imported={one} onDone={onDone} />
      ))}
      <div class="numbers__end">
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

/** Values. Larger arrays are compared in the chosen axis order only. */
const MAX_REORDERED = 2 ** 16;

interface ComparisonProps extends Pick<ComparisonsProps, 'page' | 'onDone'> {
  readonly imported: Imported;
}

function Comparison({ page, imported, onDone }: ComparisonProps) {
  const { client, scene, store } = page;
  const { result, values, others } = imported;
  // Inputs that were imported with the results may still be computing.
  const isCurrent = store.shown.value?.problem === store.problem.value;
  const content = isCurrent ? scene.value : null;
  const subject = useMemo(() => {
    if (!content) return null;
    const ask = (one: Float32Array): { readonly kind: 'compare_result' } & CompareResultAsk => ({
      ...{ kind: 'compare_result', pass: PASS_OF[result], user_result: one },
    });
    const reordered = values.length > MAX_REORDERED ? [] : others;
    const questions = [values, ...reordered.map((one) => one.values)].map(ask);
    return { of: values, revision: content.revision, content, questions };
  }, [content, result, values, others]);
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject);
  const [first, ...reordered] = answered?.answers.of('compare_result') ?? [];
  const ours = answered?.content.tensors[result];
  const compared = answered &&
    first &&
    ours && {
      ...{ imported, ours, comparison: first.answer, geometry: answered.content.geometry },
      onPick: (cell: Cell) => {
        page.look.pinAndShow(cell);
        onDone();
      },
    };
  const { copy, outcome } = useCopy();
  const report = () => {
    if (!compared) return;
    const { comparison } = compared;
    const { geometry, tensors, hides } = answered.content;
    const verdict = comparisonText(result, comparison);
    const text = import('./report').then(({ reportText }) =>
      reportText({ geometry, tensors, hides, result, values, comparison, verdict }),
    );
    void copy('Report', text, ' as Markdown');
  };
  const better = others[reordered.findIndex(({ answer }) => agreementOf(answer) !== null)];
  return (
    <section class="numbers__held" aria-label={`${result} compared`}>
      {!content && <p role="status">Computing the results to compare with…</p>}
      <PendingLine pending={pending} look={page.look} onCancel={cancel} onRetry={retry} />
      {compared && (
        <>
          <p class={agreementOf(compared.comparison) ? 'numbers__verdict' : 'numbers__verdict numbers__verdict--bad'}>
            {comparisonText(result, compared.comparison)}
          </p>
          <Agreements comparison={compared.comparison} />
          {better && agreementOf(compared.comparison) === null && (
            <p>
              They match in another order. Go back and read them as “{better.text}” instead of “{imported.text}”.
            </p>
          )}
          <Why page={page} result={result} comparison={compared.comparison} onOpened={onDone} />
          <Worst {...compared} />
          <ComparisonMaps {...compared} />
          <div class="numbers__end">
            <Button onClick={report}>Copy report</Button>
          </div>
          {outcome}
        </>
      )}
    </section>
  );
}

/** How many values match within each tolerance that adds some; nothing if all match within float32 rounding. */
function Agreements({ comparison }: { readonly comparison: ResultComparison }) {
  const all = comparison.difference.data.length;
  if (comparison.agreements[0]?.cells === all) return null;
  return (
    <div class="numbers__agreements">
      <ul>
        {tolerancesOf(comparison).map(({ how, cells }) => (
          <li key={how}>
            {cells} of {all} match {how}
          </li>
        ))}
      </ul>
      <p>This page computes in float32. float16, TF32 and bfloat16 have fewer bits and round more.</p>
    </div>
  );
}

interface WhyProps {
  readonly page: Page;
  readonly result: ResultName;
  readonly comparison: ResultComparison;
  readonly onOpened: () => void;
}

function Why({ page, result, comparison, onOpened }: WhyProps) {
  const { mistakes, factor } = comparison;
  if (agreementOf(comparison) !== null) return null;
  if (mistakes && mistakes.length > 0) {
    return (
      <div>
        <p>
          {mistakes.length === 1
            ? `One common mistake gives exactly these values of ${result}:`
            : `${mistakes.length} common mistakes give exactly these values of ${result}:`}
        </p>
        <MistakeList page={page} mistakes={mistakes} onOpened={onOpened} />
      </div>
    );
  }
  if (factor !== null) return <p>Your values are {formatExact(Math.fround(factor))} times ours, up to rounding.</p>;
  return (
    <p>
      {mistakes
        ? 'No common mistake explains these values, and they are not a constant multiple of ours.'
        : 'They are not a constant multiple of ours. Above a million products, common mistakes are not tried: compare a smaller problem.'}
    </p>
  );
}

/** "✗ 12 of 64 values of y differ." */
function comparisonText(result: string, comparison: ResultComparison): string {
  const all = comparison.difference.data.length;
  const values = all === 1 ? `The only value of ${result} matches` : `All ${all} values of ${result} match`;
  if (comparison.worst === null) return `✓ ${values} exactly.`;
  const agreement = agreementOf(comparison);
  if (agreement) return `✓ ${values} ${agreement.how}.`;
  const differ = all - (comparison.agreements[0]?.cells ?? 0);
  return `✗ ${differ} of ${all} ${all === 1 ? 'value' : 'values'} of ${result} ${differ === 1 ? 'differs' : 'differ'}.`;
}

/** An imported result beside ours. */
interface Compared {
  readonly geometry: Geometry;
  readonly imported: Imported;
  readonly ours: Tensor;
  readonly comparison: ResultComparison;
  /** Shows the cell in the view behind the dialog. */
  readonly onPick: (cell: Cell) => void;
}

const START: Focus = { n: 0, c: 0, k: 0 };

/** The cell with the largest difference. */
function Worst({ geometry, imported: { result, values }, ours, comparison, onPick }: Compared) {
  const { worst, difference } = comparison;
  if (worst === null) return null;
  const cell = { tensor: result, index: worst };
  const name = cellName(geometry, cell);
  const [yours = 0, here = 0, off = 0] = [values[worst], ours.data[worst], difference.data[worst]];
  return (
    <p class="numbers__end">
      <span>
        Largest difference at {name}: yours {formatExact(yours)}, ours {formatExact(here)}
        {Number.isFinite(off) && `, difference ${formatExact(off)}`}.
      </span>
      <Button onClick={() => onPick(cell)}>Show {name}</Button>
    </p>
  );
}

const ROOM = { beside: 280, alone: 400 };
const NOTHING = () => undefined;

/** The slice axes of a tensor: part of the focus, label, first index and count. */
function axesOf(g: Geometry, { result }: Imported, { k }: Focus) {
  if (result === 'db') return [];
  const filter = { axis: 'k', label: 'filter', first: 0, count: g.k } as const;
  const channels = { axis: 'c', label: 'channel' } as const;
  if (result === 'dw') return [filter, { ...channels, first: groupOfFilter(g, k) * g.group_c, count: g.group_c }];
  const image = { axis: 'n', label: 'image', first: 0, count: g.n } as const;
  return [image, result === 'y' ? filter : { ...channels, first: 0, count: g.c }];
}

/** The imported values, ours and the difference, at first in the slice with the largest difference. */
function ComparisonMaps({ geometry: g, imported, ours, comparison, onPick }: Compared) {
  const { result } = imported;
  const [chosen, setFocus] = useState<Focus>(() =>
    comparison.worst === null ? START : focusOn(g, { tensor: result, index: comparison.worst }, START),
  );
  // A filter of dw has the channels of its group only; x and dx show any channel with any filter.
  const focus = result === 'dw' ? validFocus(g, chosen) : chosen;
  const axes = axesOf(g, imported, focus).filter(({ count }) => count > 1);
  return (
    <>
      <div class="numbers__slices">
        {axes.map(({ axis, label, first, count }) => (
          <NumberField
            key={axis}
            label={label}
            value={focus[axis]}
            bounds={{
              ...{ min: first, minReason: `the first ${label} is ${first}` },
              ...{ max: first + count - 1, maxReason: `the last ${label} is ${first + count - 1}`, values: null },
            }}
            onChange={(value) => setFocus({ ...focus, [axis]: value })}
          />
        ))}
      </div>
      <div class="numbers__maps">
        <DifferenceMaps
          geometry={g}
          result={result}
          focus={focus}
          maps={[
            { subtitle: 'yours', label: `${result}, imported`, tensor: { data: imported.values } },
            { subtitle: 'ours', label: `${result}, computed here`, tensor: ours },
          ]}
          maxAbs={ours.stats.max_abs || comparison.user_stats.max_abs}
          difference={{
            subtitle: 'yours − ours',
            label: `${result}, difference`,
            tensor: comparison.difference,
            maxAbs: comparison.difference.stats.max_abs,
          }}
          room={ROOM}
          onHover={NOTHING}
          onPick={onPick}
        />
      </div>
    </>
  );
}
