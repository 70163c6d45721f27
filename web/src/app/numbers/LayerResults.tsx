import type { FileContents } from '../../formats/format';
import type { ResultName } from '../../protocol/problem';
import type { LayerVerdict, TensorVerdict } from '../../protocol/verdict';
import { LessonLink } from '../lesson/LessonLink';
import type { Page } from '../page/page';
import { arrayText, MARK_WORDS, markOf, operandsText, resultsOf, type VerdictMark, worstText } from './verdict-text';

/** ✓, ✗ or ?, read aloud as a word. */
export const MarkSign = ({ mark }: { readonly mark: VerdictMark }) => (
  <span class={`judged__mark judged__mark--${MARK_WORDS[mark].split(' ')[0]}`}>
    <span aria-hidden="true">{mark}</span>
    <span class="visually-hidden">{MARK_WORDS[mark]}: </span>
  </span>
);

interface LayerResultsProps {
  readonly page: Page;
  readonly opened: FileContents;
  readonly layer: LayerVerdict;
  /** Called when the lesson about a mistake was opened. */
  readonly onOpened: () => void;
}

/** A row for each result of a layer: the verdict, and its details on demand. */
export function LayerResults({ page, opened, layer, onOpened }: LayerResultsProps) {
  return (
    <table class="judged__results">
      <caption class="visually-hidden">Results</caption>
      <colgroup>
        <col class="judged__names" />
        <col />
      </colgroup>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">result</th>
          <th scope="col">verdict</th>
        </tr>
      </thead>
      <tbody>
        {resultsOf(layer).map(([name, tensor]) => (
          <tr key={name}>
            <th scope="row">
              <MarkSign mark={markOf(tensor.verdict)} />
              <span class="symbol judged__name" style={{ color: `var(--id-${name.replace('d', '')})` }}>
                {name}
              </span>
              <span class="judged__array note">{arrayText(opened, layer, name)}</span>
            </th>
            <td>
              <p>{tensor.sentence}</p>
              <Lessons page={page} tensor={tensor} onOpened={onOpened} />
              <Details opened={opened} layer={layer} name={name} tensor={tensor} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DetailsProps extends Pick<LayerResultsProps, 'opened' | 'layer'> {
  readonly name: ResultName;
  readonly tensor: TensorVerdict;
}

function Details({ opened, layer, name, tensor }: DetailsProps) {
  const { cells, differing, format } = tensor;
  // Most sentences name the cell.
  const worst = tensor.sentence.includes('yours') ? null : worstText(opened, layer, name, tensor);
  const operands = operandsText(opened, layer, tensor);
  const facts = [
    ['computed from', operands],
    ['cells that differ', cells && differing ? `${differing} of ${cells}` : ''],
    ['largest difference', worst ?? ''],
    ['precision', tensor.verdict === 'cannot_tell' || tensor.verdict === 'does_not_fit' ? '' : format],
  ].filter(([, text]) => text !== '');
  if (facts.length === 0) return null;
  return (
    <details class="judged__details">
      <summary class="note">
        Details<span class="visually-hidden"> of {name}</span>
      </summary>
      <dl class="facts grid tight small">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Links to the lessons about the mistakes that give a result. */
function Lessons({
  page,
  tensor,
  onOpened,
}: Pick<LayerResultsProps, 'page' | 'onOpened'> & Pick<DetailsProps, 'tensor'>) {
  const { lessons = [], names = [] } = tensor;
  if (lessons.length === 0) return null;
  return (
    <p class="judged__lessons">
      {lessons.map((step, index) => (
        <LessonLink
          key={step}
          page={page}
          step={step}
          about={(names[index] ?? '').replaceAll('_', ' ')}
          number={lessons.length > 1 ? index + 1 : undefined}
          onOpened={onOpened}
        />
      ))}
    </p>
  );
}
