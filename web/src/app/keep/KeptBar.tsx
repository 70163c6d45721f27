import { useEffect, useMemo } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import { decoded } from '../../link/text';
import { writeLink } from '../../link/write-link';
import { DEFAULT_LOOK, type ModeId } from '../../look/look';
import type { Content, Tensors } from '../../protocol/messages';
import { PASSES, type Pass, RESULT_OF, type ResultName, type SizeName } from '../../protocol/problem';
import type { QuestionOf, ResultDifference } from '../../protocol/questions';
import { SIZE_NAMES, SIZES } from '../../protocol/size-table';
import type { Shown } from '../../state/exchange';
import type { Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import type { Answers } from '../../views/shared/answers';
import type { Page } from '../page/page';
import { problemLine } from '../page/problem-line';
import './kept-bar.css';

const OPTIONS = [
  { value: false, label: 'values' },
  { value: true, label: 'difference', hint: 'y, dx, dw and db: the current result minus the kept one' },
] as const;

interface KeptBarProps {
  readonly page: Page;
  readonly kept: Shown;
  readonly view: ModeId;
  /** Of the view; missing while it is not drawn. */
  readonly answers: Answers | undefined;
}

/** What was kept, what has changed since, and the choice to show the difference on the Overview. */
export function KeptBar({ page, kept, view, answers }: KeptBarProps) {
  const { store, look, currentContent } = page;
  const { result, showsDifference } = page.kept;
  const problem = store.problem.value;
  const now = currentContent.value;
  const changes = useMemo(() => changesOf(kept.problem, problem), [kept, problem]);
  const isShown = showsDifference.value && view === 'board';
  const isLocked = [...look.locked.value, ...look.hiddenParts.value].includes('mode.board');
  useEffect(() => {
    // Another result has no difference yet.
    if (kept === currentContent.peek()) showsDifference.value = false;
  }, [kept, currentContent, showsDifference]);
  const drop = () => {
    result.value = null;
    showsDifference.value = false;
    document.getElementById('stage')?.focus({ preventScroll: true });
  };
  const words = isShown && now ? describeDifferences(kept, now, answers) : null;
  return (
    <section class="kept small" aria-labelledby="kept-title">
      <div class="kept__head row wrap">
        <h2 id="kept-title" class="kept__title small">
          Kept
        </h2>
        <p role="status">{problemLine(kept)}</p>
        <p class="kept__changes soft">
          {changes.length === 0 ? (
            'Nothing has changed since. '
          ) : (
            <>
              Changed since:{' '}
              {changes.map(({ name, before, after }) => (
                <span key={name} class="kept__change">
                  {name} {before} → {after}
                </span>
              ))}
            </>
          )}
        </p>
        {(view === 'board' || !isLocked) && (
          <Segmented
            label="show of the results"
            quiet
            options={OPTIONS}
            value={isShown}
            onChange={(isDifference) => {
              showsDifference.value = isDifference;
              if (isDifference && view !== 'board') look.openMode('board');
            }}
          />
        )}
        <Button onClick={drop}>Drop</Button>
      </div>
      {words && (
        <p class="kept__words">
          {words.missing.map((sentence) => (
            <span key={sentence}>{sentence} </span>
          ))}
          {words.largest.length > 0 && 'Largest differences: '}
          {words.largest.map((text) => (
            <span key={text} class="kept__change">
              {text}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

/** Which results have a difference from those that were kept. The library computes it. */

/** Why no result has a difference; null: each result with the sizes of the kept one has one. */
function obstacle(kept: Content, now: Content & Pick<Shown, 'hides'>): string | null {
  if (now.hides) return 'There is no difference to show while values are hidden.';
  if (kept.index !== now.index) return 'There is no difference to show: the kept result is that of another layer.';
  return kept.geometry.layout === now.geometry.layout
    ? null
    : `There is no difference to show: the kept result is in ${kept.geometry.layout.toUpperCase()}.`;
}

/** The kept result of a pass, if its difference can be shown; or its other sizes. */
function earlierOf(kept: Content, now: Content, pass: Pass) {
  const [earlier, current] = [kept.tensors[RESULT_OF[pass]], now.tensors[RESULT_OF[pass]]];
  if (!earlier || !current) return null;
  const [before, after] = [shapeText(earlier.shape), shapeText(current.shape)];
  return before === after ? { values: earlier.data } : { before, after };
}

/** The questions about the differences. */
export const differencesAsked = (kept: Shown, now: Shown): readonly QuestionOf<'difference'>[] =>
  obstacle(kept, now)
    ? []
    : PASSES.flatMap((pass) => {
        const earlier = earlierOf(kept, now, pass);
        return earlier?.values ? [{ kind: 'difference', pass, earlier: earlier.values } as const] : [];
      });

/** The differences, by result. */
export const differencesIn = (answers: Answers): Tensors =>
  Object.fromEntries(
    answers.of('difference').map(({ question, answer }) => [RESULT_OF[question.pass], answer.difference]),
  );

/** What the bar says about the differences. */
interface Differences {
  /** Sentences about results without a difference. */
  readonly missing: readonly string[];
  /** The largest difference of each result that has one: "y[3,2] −120". */
  readonly largest: readonly string[];
}

function describeDifferences(kept: Shown, now: Shown, answers: Answers | undefined): Differences {
  const why = obstacle(kept, now);
  if (why) return { missing: [why], largest: [] };
  const missing = PASSES.flatMap((pass) => {
    const sizes = earlierOf(kept, now, pass);
    return sizes?.before === undefined
      ? []
      : [`${RESULT_OF[pass]} has no difference to show: it was ${sizes.before} and is ${sizes.after}.`];
  });
  const largest = (answers?.of('difference') ?? []).map(({ question, answer }) =>
    largestOf(now, RESULT_OF[question.pass], answer),
  );
  return { missing, largest };
}

function largestOf({ geometry }: Content, result: ResultName, { difference, worst }: ResultDifference): string {
  if (worst === null) return `${result} has not changed`;
  return `${cellName(geometry, { tensor: result, index: worst })} ${formatExact(difference.data[worst] ?? 0)}`;
}

/** A setting that changed, named as in the controls. */
interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const isSize = (key: string): key is SizeName => key in SIZES;

const NAMES: Readonly<Record<string, string>> = {
  ...{ kh: 'kernel rows', kw: 'kernel columns', n: 'images', weights: 'w', bias: 'b' },
  ...Object.fromEntries(PASSES.map((pass) => [pass, `algorithm of ${RESULT_OF[pass]}`])),
};
const nameOf = (key: string): string =>
  NAMES[key] ?? (isSize(key) ? SIZES[key].label : key.replace('layer.', 'layer '));

/** Defaults that a link omits. */
const OMITTED: Readonly<Record<string, string>> = {
  ...{ layout: 'nhwc', bias: 'none' },
  ...Object.fromEntries(SIZE_NAMES.map((name) => [SIZES[name].link.key ?? name, String(SIZES[name].link.initial)])),
  ...Object.fromEntries(PASSES.map((pass) => [pass, 'automatic'])),
};

/** The fields of the problem in a link, by key. */
function fieldsOf(problem: Problem): ReadonlyMap<string, string> {
  const parts = writeLink({ problem, look: DEFAULT_LOOK }).hash.split('&');
  return new Map(
    parts.map((part) => {
      const [key = '', text = ''] = part.split('=', 2);
      return [key, decoded(text) ?? text];
    }),
  );
}

/** The settings in which two problems differ. */
function changesOf(earlier: Problem, problem: Problem): readonly Change[] {
  const [before, after] = [fieldsOf(earlier), fieldsOf(problem)];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [was, is] = [before, after].map((texts) => texts.get(key) ?? OMITTED[key] ?? 'none') as [string, string];
    if (was === is) return [];
    const [first, second] = [summary(was), summary(is)];
    return [{ name: nameOf(key), before: first, after: first === second ? `${second}, other values` : second }];
  });
}

/** The source without its single values. */
function summary(text: string): string {
  const [source = '', values] = text.split('~', 2);
  const name = source.length > 24 ? `${source.slice(0, 23)}…` : source.replaceAll(/[:;]/g, ' ');
  return values === undefined ? name : `${name}, edited`;
}
