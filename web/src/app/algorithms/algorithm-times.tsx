import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { questionsOf } from '../../compute/questions';
import { PASSES, type Pass, RESULT_OF } from '../../protocol/problem';
import type { Comparison } from '../../protocol/questions';
import type { Shown } from '../../state/exchange';
import { Button } from '../../ui/controls/Button';
import { formatDuration, formatRatio } from '../../ui/quantities';
import { type Page, perPage } from '../page/page';
import { askedOf, useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';

/** One question a pass, so that a question about a cell waits for one pass at most. */
const QUESTIONS = PASSES.map((pass) => ({ kind: 'compare', pass, algorithms: 'all', timed: true }) as const);

/** The layer with timed algorithms; null: none. They stay while another tab is open. */
const timedOf = perPage(() => signal<Pick<Shown, 'revision' | 'index'> | null>(null));

/** Times of a pass, in milliseconds by algorithm. */
export type PassTimes = ReadonlyMap<string, number>;

/** The times of the algorithms of `result`, and the button that measures them. */
export function useAlgorithmTimes(page: Page, result: Shown | null) {
  const { client, look } = page;
  const timed = timedOf(page);
  const isHidden = look.masked.value.length > 0 || result?.hides === true;
  const { revision, index } = timed.value ?? {};
  const shown = !isHidden && result?.revision === revision && result?.index === index ? result : null;
  const subject = useMemo(
    () =>
      shown && {
        ...{ of: QUESTIONS, revision: shown.revision, layer: shown.index },
        ...{ content: shown, questions: QUESTIONS },
      },
    [shown],
  );
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject, { fillsIn: true });
  const times: Partial<Record<Pass, PassTimes>> = {};
  for (const { answer } of answered?.answers.of('compare') ?? []) times[answer.pass] = timesOf(answer);
  const start = () => {
    if (!result) return;
    if (subject) questionsOf(client).repeat(subject.revision, askedOf(subject));
    timed.value = result;
  };
  return { times, pending, isHidden, start, cancel, retry };
}

const timesOf = ({ rows }: Comparison): PassTimes =>
  new Map(rows.flatMap(({ algorithm, milliseconds, error }) => (error ? [] : [[algorithm, milliseconds] as const])));

interface AlgorithmTimesProps extends ReturnType<typeof useAlgorithmTimes> {
  /** The algorithm that the library chooses for each pass; missing while it is not known. */
  readonly choices: Readonly<Partial<Record<Pass, string>>>;
}

/** The button, and which algorithm of each pass is the fastest. */
export function AlgorithmTimes({ times, choices, pending, isHidden, start, cancel, retry }: AlgorithmTimesProps) {
  const timed = PASSES.flatMap((pass) => {
    const measured = times[pass];
    return measured ? [{ pass, measured }] : [];
  });
  return (
    <div class="times grid small">
      <div class="times__start row soft">
        <Button disabled={isHidden || pending?.status === 'asking'} onClick={start}>
          {timed.length > 0 ? 'Time again' : 'Time them'}
        </Button>
        <p>
          {isHidden
            ? 'Not available while values are hidden. Reveal them first.'
            : 'Runs each algorithm on your device.'}
        </p>
      </div>
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      <div role="status">
        {timed.length > 0 && (
          <ul class="grid tight plain">
            {timed.map(({ pass, measured }) => (
              <li key={pass}>
                <span class="symbol">{RESULT_OF[pass]}</span>:{' '}
                <Fastest times={measured} choice={choices[pass] ?? null} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

interface FastestProps {
  readonly times: PassTimes;
  readonly choice: string | null;
}

function Fastest({ times, choice }: FastestProps) {
  const best = fastestOf(times);
  const [name] = [...times].find(([, milliseconds]) => milliseconds === best) ?? [];
  if (name === undefined) return <>no algorithm could run.</>;
  const chosen = choice === null ? undefined : times.get(choice);
  if (chosen === best)
    return (
      <>
        <code>{choice}</code> is the fastest, {timeText(best)}, and the library’s choice.
      </>
    );
  return (
    <>
      <code>{name}</code> is the fastest, {timeText(best)}.
      {chosen !== undefined && (
        <>
          {' '}
          The library’s choice, <code>{choice}</code>, takes {timeText(chosen)}, {ratioText(chosen, best)}.
        </>
      )}
    </>
  );
}

export const fastestOf = (times: PassTimes): number => Math.min(...times.values());

/** "4.5 µs"; a clock that is too coarse gives 0. */
export const timeText = (milliseconds: number): string =>
  milliseconds > 0 ? formatDuration(milliseconds) : 'too short to time';

/** "1.4× the fastest", as the costs are relative to the lowest one. */
export function ratioText(milliseconds: number, fastest: number): string {
  if (milliseconds === fastest) return 'fastest';
  return fastest > 0 ? `${formatRatio(milliseconds / fastest)}× the fastest` : 'slower';
}
