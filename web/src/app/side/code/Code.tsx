import { useState } from 'preact/hooks';
import { PASSES } from '../../../protocol/problem';
import { checkSubject, type Given, RESULT_OF } from '../../../snippets/check';
import { LANGUAGES, type Language } from '../../../snippets/languages';
import { markLines, type Ways } from '../../../snippets/snippet';
import { Button } from '../../../ui/controls/Button';
import { Segmented } from '../../../ui/controls/Choice';
import { formatExact, MINUS } from '../../../ui/numbers';
import type { Content } from '../../../views/kit/scene';
import type { Page } from '../../page';
import { useStaged } from '../../stage/staged';
import { type Choice, choiceIn, choiceText } from './choice';
import { Listing } from './Listing';
import { placeOn } from './place';
import { copyText, saveText } from './take';
import './code.css';

const PASS_OPTIONS = PASSES.map((pass) => ({ value: pass, label: RESULT_OF[pass] }));
const LANGUAGE_OPTIONS = LANGUAGES.map(({ id, title }) => ({ value: id, label: title }));

/** The problem on the stage as code: a pass in a language, where the stage is in it, and a script that checks the page. */
export function Code({ page }: { readonly page: Page }) {
  const { entry, show } = useStaged();
  const [said, say] = useState('');
  if (!show) return null;
  const { picture } = show;
  const content = picture.content.value;
  const { geometry, tensors } = content;
  const staging = { mode: entry.id, picture, state: show.props.state, answers: show.props.answers };
  const spoken = placeOn(staging, null).pass;
  const choice = choiceIn(page.look.code.value);
  const pass = choice.result?.beside === spoken ? choice.result.pass : spoken;
  const choose = (change: Partial<Choice>) => {
    page.look.code.value = choiceText({ ...choice, ...change });
  };
  const { ways, known } = placeOn(staging, pass);
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
  const check = (take: (text: string) => string | Promise<string>) => withCheck(page, content, written, ways, take);
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
          onChange={(next) => choose({ result: { pass: next, beside: spoken } })}
        />
      </div>
      <p class="code__about">{written.about}</p>
      <p class="code__here">
        {at < 0
          ? 'Choose a cell, or a step of a player: its line is marked here.'
          : `Here: line ${at + 1}, ${lines[at]?.note ?? 'marked'}.`}
      </p>
      <Listing label={label} lines={lines} comment={written.comment} />
      <div class="code__buttons">
        <Button onClick={() => void copyText(code.map(({ text }) => text).join('\n'), 'The code').then(say)}>
          Copy the code
        </Button>
      </div>
      <p class="code__about">
        A check is a whole program with every bit of the numbers on this page. It computes y, dx, dw and db by itself
        and stops where the page had something else than rounding explains.
      </p>
      <div class="code__buttons">
        <Button onClick={() => void check((text) => copyText(text, 'The check')).then(say)}>
          Copy a runnable check
        </Button>
        <Button onClick={() => void check((text) => saveText(text, written.file)).then(say)}>Save it</Button>
      </div>
      <p class="code__said" role="status">
        {said}
      </p>
    </div>
  );
}

/** What `take` says of the check, or why there is none. */
async function withCheck(
  { store }: Page,
  content: Content,
  { check }: Language,
  ways: Ways,
  take: (text: string) => string | Promise<string>,
): Promise<string> {
  const result = store.shown.peek()?.result;
  if (result?.revision !== content.revision) return 'The page is computing: try again in a moment.';
  const ran = Object.fromEntries(
    PASSES.flatMap((pass) => {
      const algorithm = result.algorithms[pass]?.find(({ name }) => name === result.runs[pass]?.algorithm);
      return algorithm ? [[pass, { algorithm: algorithm.name, bound: algorithm.error_bound }]] : [];
    }),
  ) as Given['ran'];
  const { geometry, tensors } = content;
  const subject = checkSubject({ geometry, tensors, ran, hides: result.hides === true });
  return typeof subject === 'string' ? subject : take(check(subject, ways));
}
