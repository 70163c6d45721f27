import { useMemo } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import type { LinkContent } from '../../link/field';
import { INPUT_FIELDS, SIZE_FIELDS } from '../../link/problem-fields';
import type { ComputeResult, Content } from '../../protocol/messages';
import { PASSES, RESULT_OF, type SizeName } from '../../protocol/problem';
import { SIZE_NAMES, SIZES } from '../../protocol/size-table';
import type { Problem } from '../../state/problem';
import { formatExact } from '../../ui/numbers';
import { Table } from '../../ui/Table';
import type { Page } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import type { OtherProblem } from './other-problem';

interface DifferencesProps {
  readonly page: Page;
  readonly other: OtherProblem;
  readonly result: ComputeResult | null;
  /** The other problem changed and these results are outdated. */
  readonly outdated: boolean;
}

/** Differences of two problems: settings, sizes of the results, and their values if the sizes match. */
export function Differences({ page, other, result, outdated: late }: DifferencesProps) {
  const { store, look } = page;
  const problem = store.problem.value;
  const hides = other.masked.length > 0;
  const chosen = useMemo(
    () => differencesOf(problem, other.problem, look.written.peek()),
    [problem, other.problem, look],
  );
  return (
    <div class={late ? 'compare__told compare__told--late' : 'compare__told'}>
      <Table
        name="compare__table"
        caption={chosen.length === 0 ? 'Both problems are the same.' : 'Settings'}
        headings={['', 'this problem', 'other problem']}
        rows={chosen.map(({ name, here, there }) => [name, here, there])}
      />
      {result && (chosen.length > 0 || hides) && <Results page={page} result={result} hides={hides} />}
    </div>
  );
}

/** Results of both problems; `values` are the other problem's, null if the sizes differ. */
const rowsOf = ({ tensors, geometry }: Content, result: ComputeResult) =>
  PASSES.flatMap((pass) => {
    const made = RESULT_OF[pass];
    const [ours, theirs] = [tensors[made], result.tensors[made]];
    if (!ours || !theirs) return [];
    const [here, there] = [shapeText(ours.shape), shapeText(theirs.shape)];
    const alike = here === there && geometry.layout === result.geometry.layout;
    return [{ pass, made, here, there, values: alike ? theirs.data : null }];
  });

interface ResultsProps {
  readonly page: Page;
  readonly result: ComputeResult;
  readonly hides: boolean;
}

function Results({ page: { client, scene, look }, result, hides }: ResultsProps) {
  const content = scene.value;
  const hidden = hides || look.masked.value.length > 0;
  const subject = useMemo(() => {
    if (!content || hidden) return null;
    const questions = rowsOf(content, result).flatMap(({ pass, values }) =>
      values ? [{ kind: 'compare_result', pass, user_result: values } as const] : [],
    );
    return { of: result, revision: content.revision, content, questions };
  }, [content, result, hidden]);
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject);
  // Until the next answer, show the last answer with its own sizes.
  const shown = answered?.content ?? content;
  const rows = useMemo(() => (shown ? rowsOf(shown, result) : []), [shown, result]);
  const answers = answered?.answers.of('compare_result') ?? [];
  const words = (pass: (typeof PASSES)[number], comparable: boolean): string => {
    if (!comparable) return 'different sizes';
    if (hidden) return 'values are hidden';
    const comparison = answers.find(({ question }) => question.pass === pass)?.answer;
    if (!comparison || !answered) return '…';
    if (comparison.worst === null) return 'same values';
    const off = formatExact(comparison.difference.data[comparison.worst] ?? 0);
    return `${off} at ${cellName(answered.content.geometry, { tensor: RESULT_OF[pass], index: comparison.worst })}`;
  };
  return (
    <>
      <Table
        name="compare__table"
        caption="Results"
        headings={['', 'this problem', 'other problem', 'largest difference, other − this']}
        rows={rows.map(({ pass, made, here, there, values }) => [made, here, there, words(pass, values !== null)])}
      />
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
    </>
  );
}

/** A setting that differs, named as in the controls. */
interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

const isSize = (key: string): key is SizeName => key in SIZES;

const NAMES: Readonly<Record<string, string>> = {
  ...{ kh: 'kernel rows', kw: 'kernel columns', n: 'images', weights: 'w', bias: 'b' },
  ...Object.fromEntries(PASSES.map((pass) => [pass, `algorithm of ${RESULT_OF[pass]}`])),
};
const nameOf = (key: string): string => NAMES[key] ?? (isSize(key) ? SIZES[key].label : key);

/** Defaults that a link omits. */
const OMITTED: Readonly<Record<string, string>> = {
  ...{ layout: 'nhwc', bias: 'none' },
  ...Object.fromEntries(SIZE_NAMES.map((name) => [SIZES[name].link.key ?? name, String(SIZES[name].link.initial)])),
};

function differencesOf(here: Problem, there: Problem, look: LinkContent['look']): readonly Difference[] {
  return [...SIZE_FIELDS, ...INPUT_FIELDS].flatMap((field) => {
    const [a, b] = [here, there].map((problem) => {
      const text = field.write({ problem, look }, { omit: () => undefined, pack: () => undefined });
      return typeof text === 'string' ? text : (OMITTED[field.key] ?? 'automatic');
    });
    if (a === undefined || b === undefined || a === b) return [];
    const [first, second] = [summary(a), summary(b)];
    const alike = first === second ? ', other values' : '';
    return [{ name: nameOf(field.key), here: first, there: `${second}${alike}` }];
  });
}

/** The source without its single values. */
function summary(text: string): string {
  const [source = '', values] = text.split('~', 2);
  const name = source.length > 24 ? `${source.slice(0, 23)}…` : source.replace(':', ' ');
  return values === undefined ? name : `${name}, edited`;
}
