import { useState } from 'preact/hooks';
import { RESULTS, type ResultName } from '../../protocol/problem';
import type { TensorVerdict } from '../../protocol/verdict';
import { Button } from '../../ui/controls/Button';
import { sentence } from '../../ui/quantities';
import { LessonLink } from '../lesson/LessonLink';
import { useCopy } from '../page/use-copy';
import { arrayName, type JudgedFile, type JudgedLayer, NO_CORRECTION } from './judge-request';
import { Alternatives, ArrayRoles, LayerActions } from './LayerActions';
import {
  arrayText,
  dyText,
  layerName,
  layerText,
  MARK_WORDS,
  markOf,
  misfitText,
  missingText,
  operandsText,
  resultsOf,
  type VerdictMark,
  worstText,
} from './verdict-text';
import './judged.css';

/** What the library says about the arrays of a file: the file, its layers, and the results of one of them. */
export function Verdict(props: JudgedFile) {
  const { name, opened, verdict, correction, onCorrect } = props;
  const { layers } = verdict;
  const [chosen, setChosen] = useState<string | null>(null);
  const { copy, outcome } = useCopy();
  const report = () =>
    copy(
      'Report',
      import('./report').then(({ verdictReport }) => verdictReport(name, opened, verdict)),
      ' as Markdown',
    );
  const wrong = verdict.first_wrong_forward || verdict.first_wrong_backward;
  const at = Math.max(
    0,
    layers.findIndex((layer) => layer.name === (chosen ?? wrong)),
  );
  const layer = layers[at];
  const ofLayer = layer && { ...props, layer };
  const uncorrected = <Button onClick={() => onCorrect(NO_CORRECTION)}>Check the file as it is</Button>;
  const mark = markOf(verdict.verdict);
  const { headline, firstWrong } = partsOf(verdict.sentence);
  return (
    <>
      <p class={`judged__sentence judged__sentence--${MARK_WORDS[mark].split(' ')[0]}`} role="status">
        <MarkSign mark={mark} />
        {headline}
      </p>
      {firstWrong !== '' && <p>{firstWrong}</p>}
      {layers.length > 1 && <Layers verdict={verdict} at={at} onChoose={setChosen} />}
      {ofLayer && (
        <section
          class="judged__layer grid loose"
          aria-label={layers.length > 1 ? layerName(ofLayer.layer, at) : 'results'}
        >
          {layers.length > 1 && <h3>{layerName(ofLayer.layer, at)}</h3>}
          <LayerFacts {...ofLayer} />
          <LayerResults {...ofLayer} />
          <Alternatives {...ofLayer} />
          <LayerActions {...ofLayer}>
            <Button onClick={() => void report()}>Copy report</Button>
            {correction !== NO_CORRECTION && uncorrected}
          </LayerActions>
          {outcome}
          <ArrayRoles {...ofLayer} />
        </section>
      )}
      <Unused {...props} />
      {!layer && uncorrected}
    </>
  );
}

/** The verdict, and the first wrong layers. */
function partsOf(text: string) {
  const at = text.indexOf('; the first wrong');
  if (at === -1) return { headline: text, firstWrong: '' };
  return { headline: `${text.slice(0, at)}.`, firstWrong: sentence(text.slice(at + 2)) };
}

/** A row for each layer: its marks, and a button that shows its results. */
function Layers({
  verdict: { layers, joins = [] },
  at,
  onChoose,
}: Pick<JudgedFile, 'verdict'> & { readonly at: number; readonly onChoose: (name: string) => void }) {
  const broken = joins.filter(({ relation }) => relation === 'differs');
  return (
    <>
      <div class="judged__layers">
        <table>
          <caption>Layers, in the forward order</caption>
          <thead>
            <tr>
              <th scope="col">layer</th>
              {RESULTS.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {layers.map((layer, index) => (
              <tr key={layer.name} class={index === at ? 'judged__chosen' : undefined}>
                <th scope="row">
                  <button type="button" aria-pressed={index === at} onClick={() => onChoose(layer.name)}>
                    {layerName(layer, index)}
                  </button>
                </th>
                {RESULTS.map((name) => {
                  const tensor = layer.tensors[name];
                  return <td key={name}>{tensor ? <MarkSign mark={markOf(tensor.verdict)} /> : '–'}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {broken.map(({ from, to, tensors }) => (
        <p key={`${from} ${to}`} class="judged__join">
          {tensors === 'dx -> dy' ? `dy of ${from} is not dx of ${to}.` : `x of ${to} is not y of ${from}.`}
        </p>
      ))}
    </>
  );
}

/** What the layer is, and how its geometry and dy are known. */
function LayerFacts({ opened, layer }: JudgedLayer) {
  const evidence = sentence(layer.evidence);
  const texts = [layerText(layer), evidence, dyText(layer), misfitText(opened, layer), missingText(layer)];
  return (
    <div class="judged__facts grid tight">
      {texts.filter(Boolean).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Names. */
const MOST_LISTED = 12;

/** Every array that plays no part. */
function Unused({ opened, verdict, correction }: JudgedFile) {
  const { roles } = correction;
  const used = new Set(roles ? Object.values(roles) : []);
  const names = roles
    ? opened.tensors.flatMap((_, index) => (used.has(index) ? [] : [arrayName(opened, index)]))
    : verdict.unused.filter(Boolean);
  const shown = names.slice(0, MOST_LISTED).join(', ');
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
  return (
    <>
      {names.length > 0 && (
        <p class="note">
          Not used: {shown}
          {more}.
        </p>
      )}
      {verdict.arguments && <p class="note">Arguments in the file: {verdict.arguments}.</p>}
    </>
  );
}

/** ✓, ✗ or ?, read aloud as a word. */
export const MarkSign = ({ mark }: { readonly mark: VerdictMark }) => (
  <span class={`judged__mark judged__mark--${MARK_WORDS[mark].split(' ')[0]}`}>
    <span aria-hidden="true">{mark}</span>
    <span class="visually-hidden">{MARK_WORDS[mark]}: </span>
  </span>
);

/** A row for each result of a layer: the verdict, and its details on demand. */
function LayerResults(of: JudgedLayer) {
  const { opened, layer } = of;
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
              <Lessons {...of} tensor={tensor} />
              <Details {...of} result={name} tensor={tensor} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OfResult extends JudgedLayer {
  readonly tensor: TensorVerdict;
}

function Details({ opened, layer, result, tensor }: OfResult & { readonly result: ResultName }) {
  const { cells, differing, format } = tensor;
  // Most sentences name the cell.
  const worst = tensor.sentence.includes('yours') ? null : worstText(opened, layer, result, tensor);
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
        Details<span class="visually-hidden"> of {result}</span>
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
function Lessons({ page, tensor: { lessons = [], names = [] }, onTaken }: OfResult) {
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
          onOpened={onTaken}
        />
      ))}
    </p>
  );
}
