import { useMemo } from 'preact/hooks';
import type { Pass } from '../../protocol/problem';
import type { Held, HoldAsk } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page';
import { Ideas } from '../predict/Ideas';
import { PendingLine } from '../questions/PendingLine';
import { usePicture } from '../questions/use-picture';
import type { Brought } from './brought';
import { HeldMaps, Worst } from './HeldMaps';
import { agreementOf, factorText, verdictText } from './held-words';
import type { ResultName } from './offers';

interface ComparisonsProps {
  readonly page: Page;
  readonly brought: readonly Brought[];
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** Results from outside beside ours: whether they agree, where not, and which wrong model gives them. */
export function Comparisons({ page, brought, onBack, onDone }: ComparisonsProps) {
  return (
    <div class="numbers">
      {brought.map((one) => (
        <Comparison key={one.made} page={page} brought={one} onDone={onDone} />
      ))}
      <div class="numbers__end">
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}

const PASSES: Readonly<Record<ResultName, Pass>> = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
};

/** Larger ones are compared in the reading that was chosen only. */
const MOST_READ_ANEW = 2 ** 16;

interface ComparisonProps {
  readonly page: Page;
  readonly brought: Brought;
  readonly onDone: () => void;
}

function Comparison({ page, brought, onDone }: ComparisonProps) {
  const { client, scene, store } = page;
  const { made, values, others } = brought;
  // The numbers that were taken with these may still be on their way.
  const isCurrent = store.shown.value?.problem === store.problem.value;
  const content = isCurrent ? scene.value : null;
  const subject = useMemo(() => {
    if (!content) return null;
    const ask = (one: Float32Array): { readonly kind: 'hold' } & HoldAsk => ({
      ...{ kind: 'hold', pass: PASSES[made], brought: one },
    });
    const anew = values.length > MOST_READ_ANEW ? [] : others;
    const questions = [values, ...anew.map((one) => one.values)].map(ask);
    return { of: values, revision: content.revision, content, questions };
  }, [content, made, values, others]);
  const { picture, pending, cancel, retry } = usePicture(client, subject);
  const [held, ...anew] = picture?.answers.of('hold') ?? [];
  const ours = picture?.content.tensors[made];
  const better = anew.findIndex(({ answer }) => agreementOf(answer) !== null);
  return (
    <section class="numbers__held" aria-label={`${made} compared`}>
      {!content && <p role="status">What is to be compared with has not been computed yet.</p>}
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      {picture && held && ours && (
        <>
          <p class={agreementOf(held.answer) ? 'numbers__verdict' : 'numbers__verdict numbers__verdict--bad'}>
            {verdictText(made, held.answer)}
          </p>
          <Agreements held={held.answer} />
          {agreementOf(held.answer) === null && better >= 0 && (
            <p>
              In another order they agree: go back and read them as “{others[better]?.text}”. Here they were read as “
              {brought.text}”.
            </p>
          )}
          <Why page={page} made={made} held={held.answer} onOpened={onDone} />
          <Worst
            page={page}
            geometry={picture.content.geometry}
            brought={brought}
            ours={ours}
            held={held.answer}
            onDone={onDone}
          />
          <HeldMaps
            page={page}
            geometry={picture.content.geometry}
            brought={brought}
            ours={ours}
            held={held.answer}
            onDone={onDone}
          />
        </>
      )}
    </section>
  );
}

/** How many agree, the more the less exactly one looks; nothing where all agree as exactly as can be. */
function Agreements({ held: { agreements, difference } }: { readonly held: Held }) {
  const all = difference.data.length;
  if (agreements[0]?.cells === all) return null;
  return (
    <div class="numbers__agreements">
      <ul>
        {agreements.map(({ how, cells }) => (
          <li key={how}>
            {cells} of {all} agree {how}
          </li>
        ))}
      </ul>
      <p>This page computes in float32, numbers of 32 bits; float16, TF32 and bfloat16 are shorter and round more.</p>
    </div>
  );
}

interface WhyProps {
  readonly page: Page;
  readonly made: ResultName;
  readonly held: Held;
  readonly onOpened: () => void;
}

function Why({ page, made, held, onOpened }: WhyProps) {
  const { mistakes, factor } = held;
  if (agreementOf(held) !== null) return null;
  if (mistakes && mistakes.length > 0) {
    return (
      <div>
        <p>
          {mistakes.length === 1
            ? `One usual mistake gives just these numbers for ${made}:`
            : `${mistakes.length} usual mistakes give just these numbers for ${made}; it may have been any of them:`}
        </p>
        <Ideas page={page} mistakes={mistakes} onOpened={onOpened} />
      </div>
    );
  }
  if (factor !== null) return <p>{factorText(factor)}</p>;
  return (
    <p>
      {mistakes
        ? 'No usual mistake gives these numbers, and they are not ours times one factor.'
        : 'They are not ours times one factor. With more than a million products the usual mistakes are not tried: compare a smaller problem.'}
    </p>
  );
}
