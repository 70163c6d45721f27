import { useMemo } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import type { ComputeResult } from '../../protocol/messages';
import { PASSES } from '../../protocol/problem';
import { formatExact } from '../../ui/numbers';
import type { Content } from '../../views/kit/scene';
import type { Page } from '../page';
import { PendingLine } from '../questions/PendingLine';
import { usePicture } from '../questions/use-picture';
import { differencesOf } from './differences';
import type { Other } from './other';

interface DifferencesProps {
  readonly page: Page;
  readonly other: Other;
  /** What was computed of it. */
  readonly result: ComputeResult | null;
  /** It was changed, and these are of before. */
  readonly late: boolean;
}

const MADE = { forward: 'y', backward_data: 'dx', backward_weights: 'dw', backward_bias: 'db' } as const;

/** In what two problems differ: what was chosen, the sizes of what comes out, and its numbers where they can be compared. */
export function Differences({ page, other, result, late }: DifferencesProps) {
  const { store, look } = page;
  const problem = store.problem.value;
  const chosen = useMemo(
    () => differencesOf(problem, other.problem, look.written.peek()),
    [problem, other.problem, look],
  );
  return (
    <div class={late ? 'compare__told compare__told--late' : 'compare__told'}>
      <table class="compare__table">
        <caption>{chosen.length === 0 ? 'Both are the same problem.' : 'What was chosen'}</caption>
        {chosen.length > 0 && (
          <>
            <thead>
              <tr>
                <td />
                <th scope="col">this one</th>
                <th scope="col">the other</th>
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
      {result && chosen.length > 0 && <Results page={page} result={result} hides={other.masked.length > 0} />}
    </div>
  );
}

/** What comes out of both; `values` are the other's, where they can be compared. */
const rowsOf = ({ tensors, geometry }: Content, result: ComputeResult) =>
  PASSES.flatMap((pass) => {
    const made = MADE[pass];
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
      values ? [{ kind: 'hold', pass, brought: values } as const] : [],
    );
    return { of: result, revision: content.revision, content, questions };
  }, [content, result, hidden]);
  const { picture, pending, cancel, retry } = usePicture(client, subject);
  // What was answered stands beside the sizes that it is of, until the next answer.
  const shown = picture?.content ?? content;
  const rows = useMemo(() => (shown ? rowsOf(shown, result) : []), [shown, result]);
  const answers = picture?.answers.of('hold') ?? [];
  const words = (pass: (typeof PASSES)[number], comparable: boolean): string => {
    if (!comparable) return 'other sizes';
    if (hidden) return 'numbers are hidden';
    const held = answers.find(({ question }) => question.pass === pass)?.answer;
    if (!held || !picture) return '…';
    if (held.worst === null) return 'the same numbers';
    const off = formatExact(held.difference.data[held.worst] ?? 0);
    return `${off} at ${cellName(picture.content.geometry, { tensor: MADE[pass], index: held.worst })}`;
  };
  return (
    <>
      <table class="compare__table">
        <caption>What comes out</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">this one</th>
            <th scope="col">the other</th>
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
