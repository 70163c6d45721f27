import { shapeText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import type { Content, Tensors } from '../../protocol/messages';
import { PASSES, type Pass, RESULT_OF, type ResultName } from '../../protocol/problem';
import type { QuestionOf, ResultDifference } from '../../protocol/questions';
import type { Shown } from '../../state/exchange';
import { formatExact } from '../../ui/numbers';
import type { Answers } from '../../views/shared/answers';

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

export function describeDifferences(kept: Shown, now: Shown, answers: Answers | undefined): Differences {
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
