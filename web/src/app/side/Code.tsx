import { PASSES } from '../../protocol/problem';
import { RESULT_OF } from '../../protocol/tensors';
import { type CheckInput, checkSubject } from '../../snippets/check';
import { LANGUAGES, type Language } from '../../snippets/languages';
import { type LoopOrders, type MarkedLine, markLines } from '../../snippets/snippet';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { formatExact, MINUS } from '../../ui/numbers';
import type { Content } from '../../views/kit/scene';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { useCurrentView } from '../stage/current-view';
import { useAlgorithms } from './AlgorithmsTab';
import { type CodeChoice, codeChoiceText, codePositionOf, parseCodeChoice } from './code-position';
import './code.css';

const PASS_OPTIONS = PASSES.map((pass) => ({ value: pass, label: RESULT_OF[pass] }));
const LANGUAGE_OPTIONS = LANGUAGES.map(({ id, title }) => ({ value: id, label: title }));

/** One pass as code in a language, with the current line marked, and a program that checks the results of the page. */
export function Code({ page }: { readonly page: Page }) {
  const { show } = useCurrentView();
  const { copy, say, outcome } = useCopy();
  const algorithms = useAlgorithms(page.client, page.store.shown.value?.result ?? null);
  if (!show) return null;
  const { model } = show;
  const content = model.content.value;
  const { geometry, tensors } = content;
  const staging = { view: show.view, model, state: show.props.state, answers: show.props.answers };
  const viewPass = codePositionOf(staging, null).pass;
  const choice = parseCodeChoice(page.look.code.value);
  const pass = choice.result?.viewPass === viewPass ? choice.result.pass : viewPass;
  const choose = (change: Partial<CodeChoice>) => {
    page.look.code.value = codeChoiceText({ ...choice, ...change });
  };
  const { ways, known } = codePositionOf(staging, pass);
  const written = LANGUAGES.find(({ id }) => id === choice.language) ?? LANGUAGES[0];
  const code = written.code({ geometry, bias: tensors.b !== undefined }, pass, ways);
  const lines = markLines(code, {
    geometry,
    known,
    valueAt({ tensor, index }) {
      const value = Object.entries(tensors).find(([name]) => name === tensor)?.[1].data[index];
      return value === undefined ? null : formatExact(value).replace(MINUS, '-');
    },
  });
  const at = lines.findIndex(({ marked }) => marked);
  const label = `${written.title} code for ${RESULT_OF[pass]}`;
  const check = (take: (text: string) => void) => {
    const checked = checkOf(algorithms, content, written, ways);
    if ('why' in checked) say(checked.why);
    else take(checked.text);
  };
  const save = (text: string) => {
    saveFile(written.file, new Blob([text], { type: 'text/plain' }));
    say(`Saved ${written.file}.`);
  };
  return (
    <div class="code">
      <div class="code__choices">
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
          options={PASS_OPTIONS}
          value={pass}
          onChange={(next) => choose({ result: { pass: next, viewPass } })}
        />
      </div>
      <p class="code__about">{written.description}</p>
      <p class="code__here">
        {at < 0 ? 'Pin a cell or play a step to mark its line.' : `Line ${at + 1}: ${lines[at]?.note ?? 'marked'}.`}
      </p>
      <Listing label={label} lines={lines} comment={written.comment} />
      <div class="code__buttons">
        <Button onClick={() => void copy('Code', code.map(({ text }) => text).join('\n'))}>Copy code</Button>
      </div>
      <p class="code__about">
        A check is a complete program with the exact values of this page. It computes y, dx, dw and db, and fails on any
        difference larger than rounding.
      </p>
      <div class="code__buttons">
        <Button onClick={() => check((text) => void copy('Check', text))}>Copy check</Button>
        <Button onClick={() => check(save)}>Save check</Button>
      </div>
      {outcome}
    </div>
  );
}

/** The check, or why it is not available. */
function checkOf(
  { result, lists }: Pick<ReturnType<typeof useAlgorithms>, 'result' | 'lists'>,
  content: Content,
  { check }: Language,
  ways: LoopOrders,
): { readonly text: string } | { readonly why: string } {
  if (!lists || result?.revision !== content.revision) return { why: 'Still computing. Try again in a moment.' };
  const ran = Object.fromEntries(
    PASSES.flatMap((pass) => {
      const algorithm = lists[pass].find(({ name }) => name === result.runs[pass]?.algorithm);
      return algorithm ? [[pass, { algorithm: algorithm.name, bound: algorithm.error_bound }]] : [];
    }),
  ) as CheckInput['computed'];
  const { geometry, tensors } = content;
  const subject = checkSubject({ geometry, tensors, computed: ran, hides: result.hides === true });
  return typeof subject === 'string' ? { why: subject } : { text: check(subject, ways) };
}

interface ListingProps {
  /** Accessible name. */
  readonly label: string;
  readonly lines: readonly MarkedLine[];
  readonly comment: '//' | '#';
}

/** Tokens: a comment to the end of the line, a name, or the text between. */
const TOKENS = /\/\/.*|#(?!include).*|[A-Za-z_]\w*|[^A-Za-z_/#]+|./g;
/** Tensors have the same colors as in the views; a derived one (padded, im2col) has the color of its source. */
const TENSOR = /^d?([xwyb])(_(col|padded|last|nchw|oihw|spread))?$/;

/** Code with the current line marked, and its values as a comment. */
function Listing({ label, lines, comment }: ListingProps) {
  return (
    <section class="listing" aria-label={label}>
      <pre>
        <code>
          {lines.map(({ text, note, marked }, at) => (
            // Lines have no other key.
            <span
              key={at}
              class={marked ? 'listing__line listing__line--here' : 'listing__line'}
              aria-current={marked ? 'step' : undefined}
              style={{ '--indent': text.search(/\S|$/) }}
            >
              {tokens(text)}
              {note !== null && <span class="listing__note">{`  ${comment} ${note}`}</span>}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}

const tokens = (text: string) =>
  (text.match(TOKENS) ?? []).map((token, i) => {
    const key = `${i} ${token}`;
    if (token.startsWith('//') || token.startsWith('#')) {
      return (
        <span key={key} class="listing__comment">
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
