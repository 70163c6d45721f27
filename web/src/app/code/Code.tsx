import { stepCount } from '../../geometry/steps';
import { numberOf } from '../../protocol/layers';
import type { Content } from '../../protocol/messages';
import { isTensor, PASSES, type Pass, RESULT_OF } from '../../protocol/problem';
import { type CheckInput, checkSubject } from '../../snippets/check';
import { LANGUAGES, type LanguageId } from '../../snippets/languages';
import { endLossOf, layersOf, networkCheckSubject } from '../../snippets/network';
import { SAVE_LAYER } from '../../snippets/save-layer';
import {
  DEFAULT_LOOP_ORDERS,
  indicesOfCell,
  indicesOfStep,
  type LoopOrders,
  loopOrderOfCell,
  markLines,
  passOfCell,
  passOfProcess,
} from '../../snippets/snippet';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { formatExact, MINUS } from '../../ui/numbers';
import { type Answers, framesIn } from '../../views/shared/answers';
import type { PlayerStep } from '../../views/shared/view-model';
import { useAlgorithms } from '../algorithms/AlgorithmsTab';
import { LayoutSwitch } from '../page/LayoutSwitch';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { type CurrentView, useCurrentView } from '../stage/current-view';
import './code.css';

/** All layers of a network, forward and back. */
const NETWORK = 'network';
type CodeResult = Pass | typeof NETWORK;

const ALL_RESULTS: readonly CodeResult[] = [...PASSES, NETWORK];
const nameOf = (result: CodeResult): string => (result === NETWORK ? NETWORK : RESULT_OF[result]);
const RESULT_OPTIONS = ALL_RESULTS.map((value) => ({ value, label: nameOf(value) }));
const NETWORK_LANGUAGES = LANGUAGES.filter(({ network }) => network)
  .map(({ title }) => title)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');
const LANGUAGE_OPTIONS = LANGUAGES.map(({ id, title }) => ({ value: id, label: title }));

/** One pass as code in a language, with the current line marked, and a program that checks the results of the page. */
export function Code({ page }: { page: Page }) {
  const { show } = useCurrentView();
  const { copy, say, outcome } = useCopy();
  const algorithms = useAlgorithms(page);
  if (!show) return null;
  const { model } = show;
  const content = model.content.value;
  const { geometry, tensors } = content;
  const number = numberOf(content.layers, content.index);
  const viewPass = codePositionOf(show, null).pass;
  const choice = parseCodeChoice(page.look.code.value);
  const own = choice.result?.viewPass === viewPass ? choice.result.pass : null;
  const result = own ?? (page.look.mode.value === NETWORK ? NETWORK : viewPass);
  const pass = result === NETWORK ? viewPass : result;
  const choose = (change: Partial<CodeChoice>) => {
    page.look.code.value = codeChoiceText({ ...choice, ...change });
  };
  const { ways, known } = codePositionOf(show, pass);
  const written = LANGUAGES.find(({ id }) => id === choice.language) ?? LANGUAGES[0];
  const layers = result === NETWORK && written.network ? layersOf(content) : null;
  const code =
    (layers && written.network?.code(layers)) ??
    written.code({ geometry, bias: tensors.b !== undefined, loss: endLossOf(content) }, pass, ways);
  const lines = markLines(code, {
    geometry,
    known: layers ? {} : known,
    valueAt({ tensor, index }) {
      const value = isTensor(tensor) ? tensors[tensor]?.data[index] : undefined;
      return value === undefined ? null : formatExact(value).replace(MINUS, '-');
    },
  });
  const about =
    result === NETWORK
      ? `${written.title} shows one layer${number && `: layer ${number}, which is open`}. For all layers, choose ${NETWORK_LANGUAGES}.`
      : number && `Layer ${number} of the network.`;
  // The package for JavaScript has no losses.
  const checksLoss = (layers ? layers.at(-1)?.loss : content.loss) && written.id !== 'javascript';
  const helper = SAVE_LAYER[written.id];
  const at = lines.findIndex(({ marked }) => marked);
  const check = (take: (text: string) => void) => {
    const { result, lists } = algorithms;
    if (result?.revision !== content.revision || (!layers && !lists)) {
      return say('Still computing. Try again in a moment.');
    }
    // A text says why there is no check.
    if (layers && written.network) {
      const subject = networkCheckSubject(content, result.hides);
      return typeof subject === 'string' ? say(subject) : take(written.network.check(subject));
    }
    const computed = computedBy(result, lists);
    const subject = checkSubject({ geometry, tensors, computed, hides: result.hides, loss: content.loss });
    return typeof subject === 'string' ? say(subject) : take(written.check(subject, ways));
  };
  const save = (text: string) => {
    saveFile(written.file, new Blob([text], { type: 'text/plain' }));
    say(`Saved ${written.file}.`);
  };
  return (
    <div class="code grid">
      <div class="code__choices wrap">
        <Segmented
          label="language"
          quiet
          options={LANGUAGE_OPTIONS}
          value={written.id}
          onChange={(id) => choose({ language: id })}
        />
        <Segmented
          label="result"
          quiet
          options={RESULT_OPTIONS}
          value={result}
          onChange={(next) => choose({ result: { pass: next, viewPass } })}
        />
        <LayoutSwitch page={page} quiet />
      </div>
      <p class="code__about note">{written.description}</p>
      {!layers && about && <p class="code__about note">{about}</p>}
      {!layers && (
        <p class="code__here note">
          {at < 0 ? 'Pin a cell or play a step to mark its line.' : `Line ${at + 1}: ${lines[at]?.note ?? 'marked'}.`}
        </p>
      )}
      <section class="listing" aria-label={`${written.title} code for ${layers ? 'the network' : RESULT_OF[pass]}`}>
        <pre>
          <code>
            {lines.map(({ text, note, marked }, number) => (
              // Lines have no other key.
              <span
                key={number}
                class={marked ? 'listing__line listing__line--here' : 'listing__line'}
                aria-current={marked ? 'step' : undefined}
                style={{ '--indent': text.search(/\S|$/) }}
              >
                {tokens(text)}
                {note !== null && <span class="listing__note small">{`  ${written.comment} ${note}`}</span>}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      </section>
      <div class="row wrap">
        <Button onClick={() => void copy('Code', code.map(({ text }) => text).join('\n'))}>Copy code</Button>
      </div>
      <p class="code__about note">
        {layers
          ? 'A check is a complete program with the exact values of this page. It runs each layer with its own input and dy'
          : 'A check is a complete program with the exact values of this page. It computes y, dx, dw and db'}
        {checksLoss ? ', also the loss and dy' : ''}, and fails on any difference larger than rounding.
      </p>
      <div class="row wrap">
        <Button onClick={() => check((text) => void copy('Check', text))}>Copy check</Button>
        <Button onClick={() => check(save)}>Save check</Button>
      </div>
      {helper !== undefined && (
        <>
          <p class="code__about note">
            Your own layer: a helper in Python saves x, w, b, y, the gradients and the arguments of one training step.
            Drop the file on this page to compare it.
          </p>
          <div class="row wrap">
            <Button onClick={() => void copy('Helper', helper)}>Copy helper</Button>
          </div>
        </>
      )}
      {outcome}
    </div>
  );
}

/** The algorithm of each pass, and the error bound of its results. */
const computedBy = ({ runs }: Pick<Content, 'runs'>, lists: ReturnType<typeof useAlgorithms>['lists']) =>
  Object.fromEntries(
    PASSES.flatMap((pass) => {
      const algorithm = lists?.[pass].find(({ name }) => name === runs[pass]?.algorithm);
      return algorithm ? [[pass, { algorithm: algorithm.name, bound: algorithm.error_bound }]] : [];
    }),
  ) as CheckInput['computed'];

/** Tokens: a comment to the end of the line, a name, or the text between. */
const TOKENS = /\/\/.*|#(?!include).*|[A-Za-z_]\w*|[^A-Za-z_/#]+|./g;
/** Tensors have the same colors as in the views; a derived one (padded, im2col) has the color of its source. */
const TENSOR = /^d?([xwyb])\d?(_(col|padded|last|nchw|oihw|hwio|depthwise|spread))?$/;

const tokens = (text: string) =>
  (text.match(TOKENS) ?? []).map((token, i) => {
    const key = `${i} ${token}`;
    if (token.startsWith('//') || token.startsWith('#')) {
      return (
        <span key={key} class="soft">
          {token}
        </span>
      );
    }
    const tensor = TENSOR.exec(token)?.[1];
    return tensor ? (
      <span key={key} class="listing__tensor" style={{ '--accent': `var(--id-${tensor})` }}>
        {token}
      </span>
    ) : (
      token
    );
  });

export interface CodeChoice {
  readonly language: LanguageId;
  /** Valid while the view is at the pass `viewPass`; null: follow the view. */
  readonly result: { readonly pass: CodeResult; readonly viewPass: Pass } | null;
}

/** Parses "numpy.dw.y" or "numpy.network.y". Missing and unknown parts get their defaults. */
export function parseCodeChoice(text: string | null): CodeChoice {
  const [name, ...results] = text?.split('.') ?? [];
  const { id: language } = LANGUAGES.find(({ id }) => id === name) ?? LANGUAGES[0];
  const [pass, viewPass] = results.map((result) => ALL_RESULTS.find((candidate) => nameOf(candidate) === result));
  return { language, result: pass && viewPass && viewPass !== NETWORK ? { pass, viewPass } : null };
}

export function codeChoiceText({ language, result }: CodeChoice): string | null {
  if (result) return `${language}.${nameOf(result.pass)}.${RESULT_OF[result.viewPass]}`;
  return language === LANGUAGES[0].id ? null : language;
}

/** The iteration of the loops and its pass: of the current cell, else of the player. `chosen`: a pass to show. */
function codePositionOf(
  { view, model, props: { state, answers } }: NonNullable<CurrentView['show']>,
  chosen: Pass | null,
) {
  const { geometry: g } = model.content.value;
  const spoken = model.userHighlights.value;
  const pinned = spoken?.pinned ? spoken.cell : null;
  const frame = view.stepOf?.(state) ?? playerStepIn(answers);
  const framePass = frame && passOfProcess(frame.process);
  const viewPass = (pinned && passOfCell(pinned)) ?? framePass ?? view.pass ?? 'forward';
  const pass = chosen ?? viewPass;
  const process = pinned ? loopOrderOfCell(pass, pinned) : framePass === pass ? frame?.process : undefined;
  const ways: LoopOrders = process ? { ...DEFAULT_LOOP_ORDERS, [pass]: process } : DEFAULT_LOOP_ORDERS;
  if (spoken) return { pass: viewPass, ways, known: indicesOfCell(g, spoken.cell) };
  const at = frame && framePass === pass ? Math.min(frame.steps, stepCount(g, frame.process)) : 0;
  const known = frame ? indicesOfStep(g, frame.process, at, model.focus.value) : {};
  return { pass: viewPass, ways, known };
}

function playerStepIn(answers: Answers): PlayerStep | null {
  const [partial] = framesIn(answers);
  if (partial) return partial;
  const rows = answers.of('fold').flatMap(({ question: { positions } }) => (positions === 'all' ? [] : [positions]));
  return rows.length > 0 ? { process: 'dx_col2im', steps: Math.max(...rows) } : null;
}
