import { useMemo } from 'preact/hooks';
import type { CompareResultAsk, ResultComparison } from '../../protocol/questions';
import { PASS_OF, type ResultName } from '../../protocol/tensors';
import { Button } from '../../ui/controls/Button';
import { MistakeList } from '../lesson/predict/Predict';
import type { Page } from '../page/page';
import { PendingLine } from '../questions/PendingLine';
import { useAnsweredSubject } from '../questions/use-answered-subject';
import { ComparisonMaps, Worst } from './ComparisonMaps';
import { agreementOf, comparisonText, factorText } from './comparison-words';
import type { Imported } from './imported';

interface ComparisonsProps {
  readonly page: Page;
  readonly imported: readonly Imported[];
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** Compares imported results with ours: whether and where they differ, and which common mistakes explain them. */
export function Comparisons({ page, imported, onBack, onDone }: ComparisonsProps) {
  return (
    <div class="numbers">
      {imported.map((one) => (
        <Comparison key={one.result} page={page} imported={one} onDone={onDone} />
      ))}
      <div class="numbers__end">
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

/** Values. Larger arrays are compared in the chosen axis order only. */
const MAX_REORDERED = 2 ** 16;

interface ComparisonProps {
  readonly page: Page;
  readonly imported: Imported;
  readonly onDone: () => void;
}

function Comparison({ page, imported, onDone }: ComparisonProps) {
  const { client, scene, store } = page;
  const { result, values, others } = imported;
  // Inputs that were imported with the results may still be computing.
  const isCurrent = store.shown.value?.problem === store.problem.value;
  const content = isCurrent ? scene.value : null;
  const subject = useMemo(() => {
    if (!content) return null;
    const ask = (one: Float32Array): { readonly kind: 'compare_result' } & CompareResultAsk => ({
      ...{ kind: 'compare_result', pass: PASS_OF[result], user_result: one },
    });
    const reordered = values.length > MAX_REORDERED ? [] : others;
    const questions = [values, ...reordered.map((one) => one.values)].map(ask);
    return { of: values, revision: content.revision, content, questions };
  }, [content, result, values, others]);
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject);
  const [comparison, ...reordered] = answered?.answers.of('compare_result') ?? [];
  const ours = answered?.content.tensors[result];
  const better = reordered.findIndex(({ answer }) => agreementOf(answer) !== null);
  return (
    <section class="numbers__held" aria-label={`${result} compared`}>
      {!content && <p role="status">Computing the results to compare with…</p>}
      <PendingLine pending={pending} look={page.look} onCancel={cancel} onRetry={retry} />
      {answered && comparison && ours && (
        <>
          <p class={agreementOf(comparison.answer) ? 'numbers__verdict' : 'numbers__verdict numbers__verdict--bad'}>
            {comparisonText(result, comparison.answer)}
          </p>
          <Agreements comparison={comparison.answer} />
          {agreementOf(comparison.answer) === null && better >= 0 && (
            <p>
              They match in another order. Go back and read them as “{others[better]?.text}” instead of “{imported.text}
              ”.
            </p>
          )}
          <Why page={page} result={result} comparison={comparison.answer} onOpened={onDone} />
          <Worst
            page={page}
            geometry={answered.content.geometry}
            imported={imported}
            ours={ours}
            comparison={comparison.answer}
            onDone={onDone}
          />
          <ComparisonMaps
            page={page}
            geometry={answered.content.geometry}
            imported={imported}
            ours={ours}
            comparison={comparison.answer}
            onDone={onDone}
          />
        </>
      )}
    </section>
  );
}

/** How many values match within each tolerance; nothing if all match exactly. */
function Agreements({ comparison: { agreements, difference } }: { readonly comparison: ResultComparison }) {
  const all = difference.data.length;
  if (agreements[0]?.cells === all) return null;
  return (
    <div class="numbers__agreements">
      <ul>
        {agreements.map(({ how, cells }) => (
          <li key={how}>
            {cells} of {all} match {how}
          </li>
        ))}
      </ul>
      <p>This page computes in float32. float16, TF32 and bfloat16 have fewer bits and round more.</p>
    </div>
  );
}

interface WhyProps {
  readonly page: Page;
  readonly result: ResultName;
  readonly comparison: ResultComparison;
  readonly onOpened: () => void;
}

function Why({ page, result, comparison, onOpened }: WhyProps) {
  const { mistakes, factor } = comparison;
  if (agreementOf(comparison) !== null) return null;
  if (mistakes && mistakes.length > 0) {
    return (
      <div>
        <p>
          {mistakes.length === 1
            ? `One common mistake gives exactly these values of ${result}:`
            : `${mistakes.length} common mistakes give exactly these values of ${result}:`}
        </p>
        <MistakeList page={page} mistakes={mistakes} onOpened={onOpened} />
      </div>
    );
  }
  if (factor !== null) return <p>{factorText(factor)}</p>;
  return (
    <p>
      {mistakes
        ? 'No common mistake explains these values, and they are not a constant multiple of ours.'
        : 'They are not a constant multiple of ours. Above a million products, common mistakes are not tried: compare a smaller problem.'}
    </p>
  );
}
