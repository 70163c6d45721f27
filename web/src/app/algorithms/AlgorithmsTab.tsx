import { useId, useMemo } from 'preact/hooks';
import type { RunReport } from '../../protocol/messages';
import { PASSES, type Pass, RESULT_OF } from '../../protocol/problem';
import type { AlgorithmInfo } from '../../protocol/questions';
import { openOf } from '../../state/problem';
import type { Store } from '../../state/store';
import { formatBytes, formatCount, formatMilliseconds, formatScientific } from '../../ui/quantities';
import type { Page, SideTabProps } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { PendingLine } from '../questions/PendingLine';
import { AlgorithmTimes, fastestOf, type PassTimes, ratioText, timeText, useAlgorithmTimes } from './algorithm-times';
import './algorithms.css';

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
  const { result, lists, pending, cancel, retry } = useAlgorithms(page);
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
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
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

interface PassAlgorithmsProps {
  readonly store: Store;
  readonly pass: Pass;
  readonly run: RunReport;
  /** Empty until the library has answered. */
  readonly algorithms: readonly AlgorithmInfo[];
  /** Null: not timed. */
  readonly times: PassTimes | null;
}

/** One pass. An unsupported algorithm can be chosen, too: the library says why it refuses, and the choice is undone. */
function PassAlgorithms({ store, pass, run, algorithms, times }: PassAlgorithmsProps) {
  const group = useId();
  const draft = store.draft.value;
  const forced = openOf(store.problem.value).algorithms[pass] ?? null;
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

interface TimeProps {
  readonly id: string;
  readonly times: PassTimes;
  readonly name: string;
  /** The library chooses it. */
  readonly isChoice: boolean;
}

/** The time of an algorithm, and how it compares. */
function Time({ id, times, name, isChoice }: TimeProps) {
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
function choiceOf(list: readonly AlgorithmInfo[]): AlgorithmInfo | undefined {
  const supported = list.filter((row) => row.supported);
  const cheapest = Math.min(...supported.map(({ cost }) => cost));
  return supported.find(({ cost }) => cost === cheapest);
}

/** Unsupported algorithms last; otherwise the library's order, because a description may refer to the one before. */
export const fitFirst = (list: readonly AlgorithmInfo[]): readonly AlgorithmInfo[] =>
  [...list].sort((a, b) => Number(b.supported) - Number(a.supported));

const ranIn = ({ milliseconds, threads }: RunReport): string =>
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
