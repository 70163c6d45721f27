import { useMemo, useState } from 'preact/hooks';
import { type Focus, focusOn, groupOfFilter, validFocus } from '../../geometry/grid';
import { cellName } from '../../geometry/labels';
import { type Cell, type Geometry, PASS_OF, type Tensor } from '../../protocol/problem';
import type { CompareResultAsk, ResultComparison } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { NumberField } from '../../ui/controls/NumberField';
import { formatExact } from '../../ui/numbers';
import { DifferenceMaps } from '../page/DifferenceMaps';
import type { Page } from '../page/page';
import { useCopy } from '../page/use-copy';
import { useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import type { Compared, Imported } from './judge-request';
import { MarkSign } from './Verdict';
import { markOf } from './verdict-text';

interface ComparisonProps {
  readonly page: Page;
  readonly imported: Imported;
  readonly onDone: () => void;
}

type ComparisonsProps = Omit<ComparisonProps, 'imported'> & {
  readonly imported: Compared;
  readonly onBack: () => void;
};

/** Shows imported results beside ours, cell by cell. The verdicts are those of the library. */
export function Comparisons({ page, imported, onBack, onDone }: ComparisonsProps) {
  return (
    <div class="numbers">
      {imported.map((one) => (
        <Comparison key={one.result} page={page} imported={one} onDone={onDone} />
      ))}
      <div class="numbers__end row wrap loose">
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

function Comparison({ page, imported, onDone }: ComparisonProps) {
  const { client, currentContent, store } = page;
  const { result, values, verdict } = imported;
  // Inputs that were imported with the results may still be computing.
  const isCurrent = store.shown.value?.problem === store.problem.value;
  const content = isCurrent ? currentContent.value : null;
  const subject = useMemo(() => {
    if (!content) return null;
    const ask: { readonly kind: 'compare_result' } & CompareResultAsk = {
      ...{ kind: 'compare_result', pass: PASS_OF[result], user_result: values },
    };
    return { of: values, revision: content.revision, layer: content.index, content, questions: [ask] };
  }, [content, result, values]);
  const { answered, ...asking } = useAnsweredSubject(client, subject);
  const [first] = answered?.answers.of('compare_result') ?? [];
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
    const { geometry, tensors, hides } = answered.content;
    const { comparison } = compared;
    const text = import('./report').then(({ reportText }) =>
      reportText({ geometry, tensors, hides, result, values, comparison, verdict }),
    );
    void copy('Report', text, ' as Markdown');
  };
  return (
    <section class="numbers__held grid loose" aria-label={`${result} compared`}>
      <div class="numbers__verdict grid">
        <MarkSign mark={markOf(verdict.verdict)} />
        <h3 class="symbol judged__name" style={{ color: `var(--id-${result.replace('d', '')})` }}>
          {result}
        </h3>
        <p>{verdict.sentence}</p>
      </div>
      {!content && <p role="status">Computing the results to compare with…</p>}
      <PendingLine {...asking} look={page.look} />
      {compared && (
        <>
          <Worst {...compared} />
          <ComparisonMaps {...compared} />
          <div class="numbers__end row wrap loose">
            <Button onClick={report}>Copy report with a script</Button>
          </div>
          {outcome}
        </>
      )}
    </section>
  );
}

/** An imported result beside ours. */
interface SideBySide {
  readonly geometry: Geometry;
  readonly imported: Imported;
  readonly ours: Tensor;
  readonly comparison: ResultComparison;
  /** Shows the cell in the view behind the dialog. */
  readonly onPick: (cell: Cell) => void;
}

const START: Focus = { n: 0, c: 0, k: 0 };

/** The cell with the largest difference. */
function Worst({ geometry, imported: { result, values }, ours, comparison, onPick }: SideBySide) {
  const { worst, difference } = comparison;
  if (worst === null) return null;
  const cell = { tensor: result, index: worst };
  const name = cellName(geometry, cell);
  const [yours = 0, here = 0, off = 0] = [values[worst], ours.data[worst], difference.data[worst]];
  return (
    <p class="numbers__end row wrap loose">
      <span>
        Largest difference at {name}: yours {formatExact(yours)}, ours {formatExact(here)}
        {Number.isFinite(off) && `, difference ${formatExact(off)}`}.
      </span>
      <Button onClick={() => onPick(cell)}>Show {name}</Button>
    </p>
  );
}

const ROOM = { beside: 280, alone: 400 };

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
function ComparisonMaps({ geometry: g, imported, ours, comparison, onPick }: SideBySide) {
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
      <div class="numbers__maps wrap">
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
          onHover={() => undefined}
          onPick={onPick}
        />
      </div>
    </>
  );
}
