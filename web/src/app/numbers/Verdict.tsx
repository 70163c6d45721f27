import { useState } from 'preact/hooks';
import type { FileContents, FileTensor } from '../../formats/format';
import { RESULTS } from '../../protocol/problem';
import type { FileVerdict, LayerVerdict } from '../../protocol/verdict';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page/page';
import { useCopy } from '../page/use-copy';
import type { Compared } from './Comparisons';
import { Alternatives, ArrayRoles } from './Corrections';
import { arrayName, type Correction, NO_CORRECTION } from './judge-request';
import { LayerActions } from './LayerActions';
import { LayerResults, MarkSign } from './LayerResults';
import { dyText, layerName, layerText, MARK_WORDS, markOf, misfitText, missingText, sentence } from './verdict-text';
import './judged.css';

interface VerdictProps {
  readonly page: Page;
  /** Of the file; '' for a pasted text. */
  readonly name: string;
  readonly opened: FileContents;
  readonly verdict: FileVerdict;
  readonly read: ReadonlyMap<number, FileTensor>;
  readonly correction: Correction;
  readonly onCorrect: (correction: Correction) => void;
  readonly onCompare: (compared: Compared) => void;
  readonly onTaken: () => void;
}

/** What the library says about the arrays of a file: the file, its layers, and the results of one of them. */
export function Verdict(props: VerdictProps) {
  const { page, name, opened, verdict, correction, onCorrect } = props;
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
      {layer && (
        <section class="judged__layer grid loose" aria-label={layers.length > 1 ? layerName(layer, at) : 'results'}>
          {layers.length > 1 && <h3>{layerName(layer, at)}</h3>}
          <LayerFacts opened={opened} layer={layer} />
          <LayerResults page={page} opened={opened} layer={layer} onOpened={props.onTaken} />
          <Alternatives opened={opened} layer={layer} verdict={verdict} onCorrect={onCorrect} />
          <LayerActions {...props} layer={layer}>
            <Button onClick={() => void report()}>Copy report</Button>
            {correction !== NO_CORRECTION && (
              <Button onClick={() => onCorrect(NO_CORRECTION)}>Check the file as it is</Button>
            )}
          </LayerActions>
          {outcome}
          <ArrayRoles opened={opened} layer={layer} correction={correction} onCorrect={onCorrect} />
        </section>
      )}
      <Unused opened={opened} verdict={verdict} correction={correction} />
      {!layer && <Button onClick={() => onCorrect(NO_CORRECTION)}>Check the file as it is</Button>}
    </>
  );
}

/** The verdict, and the first wrong layers. */
function partsOf(text: string) {
  const at = text.indexOf('; the first wrong');
  if (at === -1) return { headline: text, firstWrong: '' };
  return { headline: `${text.slice(0, at)}.`, firstWrong: sentence(text.slice(at + 2)) };
}

interface LayersProps {
  readonly verdict: FileVerdict;
  readonly at: number;
  readonly onChoose: (name: string) => void;
}

/** A row for each layer: its marks, and a button that shows its results. */
function Layers({ verdict: { layers, joins = [] }, at, onChoose }: LayersProps) {
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
function LayerFacts({ opened, layer }: { readonly opened: FileContents; readonly layer: LayerVerdict }) {
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
function Unused({ opened, verdict, correction }: Pick<VerdictProps, 'opened' | 'verdict' | 'correction'>) {
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
