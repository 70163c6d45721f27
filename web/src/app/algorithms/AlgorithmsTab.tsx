import { signal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import { questionsOf } from '../../compute/questions';
import type { RunReport } from '../../protocol/messages';
import { PASSES, type Pass, RESULT_OF } from '../../protocol/problem';
import type { AlgorithmInfo, Comparison } from '../../protocol/questions';
import type { Shown } from '../../state/exchange';
import type { Store } from '../../state/store';
import { Button } from '../../ui/controls/Button';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatRatio,
  formatScientific,
} from '../../ui/quantities';
import { type Page, perPage, type SideTabProps } from '../page/page';
import { askedOf, useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import './algorithms.css';

/** One question a pass, so that a question about a cell waits for one pass at most. */
const QUESTIONS = PASSES.map((pass) => ({ kind: 'compare', pass, algorithms: 'all', timed: true }) as const);

/** The layer with timed algorithms; null: none. They stay while another tab is open. */
const timedOf = perPage(() => signal<Pick<Shown, 'revision' | 'index'> | null>(null));

/** Times of a pass, in milliseconds by algorithm. */
type PassTimes = ReadonlyMap<string, number>;

/** The times of the algorithms of `result`, and the button that measures them. */
function useAlgorithmTimes(page: Page, result: Shown | null) {
  const { client, look } = page;
  const timed = timedOf(page);
  const isHidden = look.hiddenCells.value.length > 0 || result?.hides === true;
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
  const { answered, ...asking } = useAnsweredSubject(client, subject, { fillsIn: true });
  const times: Partial<Record<Pass, PassTimes>> = {};
  for (const { answer } of answered?.answers.of('compare') ?? []) times[answer.pass] = timesOf(answer);
  const start = () => {
    if (!result) return;
    if (subject) questionsOf(client).retry(subject.revision, askedOf(subject), true);
    timed.value = result;
  };
  return { times, isHidden, start, asking };
}

const timesOf = ({ rows }: Comparison): PassTimes =>
  new Map(rows.flatMap(({ algorithm, milliseconds, error }) => (error ? [] : [[algorithm, milliseconds] as const])));

/** The button, and which algorithm of each pass is the fastest. */
function AlgorithmTimes({
  times,
  choices,
  isHidden,
  start,
  asking,
}: ReturnType<typeof useAlgorithmTimes> & {
  /** The algorithm that the library chooses for each pass; missing while it is not known. */
  choices: Readonly<Partial<Record<Pass, string>>>;
}) {
  const timed = PASSES.flatMap((pass) => {
    const measured = times[pass];
    return measured ? [{ pass, measured }] : [];
  });
  return (
    <div class="times grid small">
      <div class="times__start row soft">
        <Button disabled={isHidden || asking.pending?.status === 'asking'} onClick={start}>
          {timed.length > 0 ? 'Time again' : 'Time them'}
        </Button>
        <p>
          {isHidden
            ? 'Not available while values are hidden. Reveal them first.'
            : 'Runs each algorithm on your device.'}
        </p>
      </div>
      <PendingLine {...asking} />
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

function Fastest({ times, choice }: { times: PassTimes; choice: string | null }) {
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

const fastestOf = (times: PassTimes) => Math.min(...times.values());

/** "4.5 µs"; a clock that is too coarse gives 0. */
export const timeText = (milliseconds: number): string =>
  milliseconds > 0 ? formatDuration(milliseconds) : 'too short to time';

/** "1.4× the fastest", as the costs are relative to the lowest one. */
export function ratioText(milliseconds: number, fastest: number): string {
  if (milliseconds === fastest) return 'fastest';
  return fastest > 0 ? `${formatRatio(milliseconds / fastest)}× the fastest` : 'slower';
}

const QUESTION = { kind: 'algorithms' } as const;

/** A result with the library's lists of algorithms for its problem; null until the library has answered. */
export function useAlgorithms({ store, client }: Pick<Page, 'store' | 'client'>) {
  const result = store.shown.value;
  const subject = useMemo(
    () =>
      result && {
        ...{ of: QUESTION, revision: result.revision, layer: result.index },
        ...{ content: result, questions: [QUESTION] },
      },
    [result],
  );
  const { answered, ...rest } = useAnsweredSubject(client, subject, { fillsIn: true, urgent: true });
  return { ...rest, result: answered?.content ?? null, lists: answered?.answers.get(QUESTION) ?? null };
}

/** The algorithm and the time of each pass, and the alternatives. */
export function AlgorithmsTab({ page }: Pick<SideTabProps, 'page'>) {
  const { store, status } = page;
  const { result, lists, ...asking } = useAlgorithms(page);
  const timing = useAlgorithmTimes(page, result);
  const { variant } = status.value;
  if (!result) return null;
  const choices: Partial<Record<Pass, string>> = {};
  for (const pass of PASSES) {
    const choice = lists && choiceOf(lists[pass]);
    if (choice) choices[pass] = choice.name;
  }
  return (
    <>
      <AlgorithmTimes {...timing} choices={choices} />
      {PASSES.map((pass) => {
        const run = result.runs[pass];
        if (!run) return null;
        const algorithms = lists?.[pass] ?? [];
        return <PassAlgorithms key={pass} {...{ store, pass, run, algorithms }} times={timing.times[pass] ?? null} />;
      })}
      <PendingLine {...asking} />
      <div class="algorithms__key grid caption">
        <p>
          Costs are estimates for one thread and packed weights. The library chooses the same algorithm for any number
          of threads, so results are bit-identical.
        </p>
        <p>
          Error bound: |computed − exact| ≤ bound × Σ|a·b|, the sum of the absolute products and bias of the value.
          Winograd mixes neighboring outputs, so its bound uses the largest possible sum instead. That is the largest
          product times the number of terms, plus the largest bias. A NaN or infinity affects its whole Winograd tile (2
          × 2 or 4 × 4 values).
        </p>
        {variant && <p>WebAssembly, {variant === 'simd' ? '128-bit SIMD' : 'relaxed SIMD with fused multiply-add'}.</p>}
      </div>
    </>
  );
}

/** One pass. An unsupported algorithm can be chosen, too: the library says why it refuses, and the choice is undone. */
function PassAlgorithms({
  store,
  pass,
  run,
  algorithms,
  times,
}: {
  store: Store;
  pass: Pass;
  run: RunReport;
  /** Empty until the library has answered. */
  algorithms: readonly AlgorithmInfo[];
  /** Null: not timed. */
  times: PassTimes | null;
}) {
  const group = useId();
  const draft = store.draft.value;
  const forced = store.layer.value.algorithms[pass] ?? null;
  const rows = fitFirst(algorithms);
  const choice = choiceOf(rows);
  const cheapest = choice?.cost ?? 0;
  return (
    <details class="algorithms small" open={pass === 'forward' || forced !== null}>
      <summary class="algorithms__ran">
        <span class="symbol">{RESULT_OF[pass]}</span> by <code>{run.algorithm}</code> {ranIn(run)}
        {forced !== null && <span class="algorithms__tag">chosen by you</span>}
      </summary>
      <fieldset class="algorithms__list grid">
        <legend class="visually-hidden">Algorithm for {RESULT_OF[pass]}</legend>
        {draft?.field === pass && (
          <p class="algorithms__refusal" role="alert">
            {draft.error.message}
          </p>
        )}
        <label class="algorithm lit">
          <input type="radio" name={group} checked={forced === null} onChange={() => store.setAlgorithm(pass, null)} />
          <span class="algorithm__name">chosen by the library</span>
          <span class="algorithm__more soft">
            Lowest estimated cost, even if another algorithm rounds less.
            {choice && ` Here: ${choice.name}, ${boundText(choice)}.`}
          </span>
        </label>
        {rows.map((row) => {
          const { name, description, supported, reason, cost, workspace_floats } = row;
          const id = `${group}-${name}`;
          const facts = supported
            ? [costText(cost, cheapest), memoryText(workspace_floats), boundText(row)]
            : [`Not available: ${reason}.`];
          return (
            <label key={name} class={supported ? 'algorithm lit' : 'algorithm lit algorithm--unfit'}>
              <input
                type="radio"
                name={group}
                checked={name === forced}
                aria-labelledby={`${id}-name`}
                aria-describedby={times ? `${id}-time ${id}-more` : `${id}-more`}
                onChange={() => store.setAlgorithm(pass, name)}
              />
              <span class="algorithm__name">
                <code id={`${id}-name`}>{name}</code>
                {name === run.algorithm && <span class="algorithms__tag">ran</span>}
              </span>
              {times && <Time id={`${id}-time`} {...{ times, name }} isChoice={name === choice?.name} />}
              <span class="algorithm__more soft" id={`${id}-more`}>
                {description}
                <span class="algorithm__facts">
                  {facts.map((fact) => (
                    <span key={fact}>{fact}</span>
                  ))}
                </span>
              </span>
            </label>
          );
        })}
      </fieldset>
    </details>
  );
}

/** The time of an algorithm, and how it compares. */
function Time({
  id,
  times,
  name,
  isChoice,
}: {
  id: string;
  times: PassTimes;
  name: string;
  /** The library chooses it. */
  isChoice: boolean;
}) {
  const own = times.get(name);
  return (
    <span class="algorithm__time" id={id}>
      {own === undefined ? (
        'not timed'
      ) : (
        <>
          <strong>{timeText(own)}</strong> {ratioText(own, fastestOf(times))}
          {isChoice && ', the library’s choice'}
        </>
      )}
    </span>
  );
}

/** The algorithm that the library chooses. */
function choiceOf(list: readonly AlgorithmInfo[]) {
  const supported = list.filter((row) => row.supported);
  const cheapest = Math.min(...supported.map(({ cost }) => cost));
  return supported.find(({ cost }) => cost === cheapest);
}

/** Unsupported algorithms last; otherwise the library's order, because a description may refer to the one before. */
export const fitFirst = (list: readonly AlgorithmInfo[]): readonly AlgorithmInfo[] =>
  [...list].sort((a, b) => Number(b.supported) - Number(a.supported));

const ranIn = ({ milliseconds, threads }: RunReport) =>
  `in ${formatMilliseconds(milliseconds)}${threads > 1 ? ` on ${threads} threads` : ''}`;

/** An estimated cost relative to the lowest one for this problem. */
export function costText(cost: number, cheapest: number): string {
  const times = cost / cheapest;
  // A difference below 5 % is not visible in two digits; 0 / 0 if there is nothing to compute.
  if (!(times >= 1.05)) return cost > cheapest ? 'near the lowest cost' : 'lowest cost';
  return `${times < 10 ? times.toFixed(1) : formatCount(Math.round(times))}× the lowest cost`;
}

/** Memory besides the tensors; a float has 4 bytes. */
export const memoryText = (floats: number): string =>
  floats === 0 ? 'no extra memory' : `${formatBytes(floats * 4)} extra`;

/** A bound of 0 is that of the reference, which the other bounds are relative to. The notes below the list explain the sums. */
export function boundText({ error_bound, mixes_cells }: Pick<AlgorithmInfo, 'error_bound' | 'mixes_cells'>): string {
  if (error_bound === 0) return 'rounded once';
  const bound = `error ≤ ${formatScientific(error_bound * 2 ** -24, 2)}`;
  return mixes_cells ? `${bound} × largest possible sum` : `${bound} × Σ|a·b|`;
}
