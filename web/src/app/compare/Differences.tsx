import { useMemo } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import type { ComputeResult, Content } from '../../protocol/messages';
import { PASSES } from '../../protocol/problem';
import { RESULT_OF } from '../../protocol/tensors';
import { formatExact } from '../../ui/numbers';
import type { Page } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import { differencesOf } from './differences';
import type { OtherProblem } from './other-problem';

interface DifferencesProps {
  readonly page: Page;
  readonly other: OtherProblem;
  /** The results of the other problem. */
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
      <table class="compare__table">
        <caption>{chosen.length === 0 ? 'Both problems are the same.' : 'Settings'}</caption>
        {chosen.length > 0 && (
          <>
            <thead>
              <tr>
                <td />
                <th scope="col">this problem</th>
                <th scope="col">other problem</th>
              </tr>
            </thead>
            <tbody>
              {chosen.map(({ name, here, there }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{here}</td>
                  <td>{there}</td>
                </tr>
              ))}
            </tbody>
          </>
        )}
      </table>
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
    const [here, there] = [ours, theirs].map(({ shape }) => shapeText(shape));
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
      <table class="compare__table">
        <caption>Results</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">this problem</th>
            <th scope="col">other problem</th>
            <th scope="col">largest difference, other − this</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ pass, made, here, there, values }) => (
            <tr key={made}>
              <th scope="row">{made}</th>
              <td>{here}</td>
              <td>{there}</td>
              <td>{words(pass, values !== null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
    </>
  );
}
