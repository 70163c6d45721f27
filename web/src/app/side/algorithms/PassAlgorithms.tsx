import { useId } from 'preact/hooks';
import type { RunReport } from '../../../protocol/messages';
import type { Pass } from '../../../protocol/problem';
import type { AlgorithmInfo } from '../../../protocol/questions';
import { RESULT_OF } from '../../../protocol/tensors';
import { boundText, costText, fitFirst, memoryText, ranIn } from './words';
import './algorithms.css';

interface PassAlgorithmsProps {
  readonly pass: Pass;
  readonly run: RunReport;
  /** Empty until the library has answered. */
  readonly algorithms: readonly AlgorithmInfo[];
  readonly forced: string | null;
  /** Why the last chosen algorithm was refused. */
  readonly refusal: string | null;
  readonly onChoose: (name: string | null) => void;
}

/** One pass: the algorithm that ran, and a choice of all its algorithms. */
export function PassAlgorithms({ pass, run, algorithms, forced, refusal, onChoose }: PassAlgorithmsProps) {
  const group = useId();
  const rows = fitFirst(algorithms);
  const cheapest = Math.min(...rows.filter(({ supported }) => supported).map(({ cost }) => cost));
  const choice = rows.find(({ supported, cost }) => supported && cost === cheapest);
  return (
    <details class="algorithms" open={pass === 'forward' || forced !== null}>
      <summary class="algorithms__ran">
        <span class="symbol">{RESULT_OF[pass]}</span> by <code>{run.algorithm}</code> {ranIn(run)}
        {forced !== null && <span class="algorithms__tag">chosen by you</span>}
      </summary>
      <fieldset class="algorithms__list">
        <legend class="visually-hidden">Algorithm for {RESULT_OF[pass]}</legend>
        {refusal !== null && (
          <p class="algorithms__refusal" role="alert">
            {refusal}
          </p>
        )}
        <label class="algorithm">
          <input type="radio" name={group} checked={forced === null} onChange={() => onChoose(null)} />
          <span class="algorithm__name">chosen by the library</span>
          <span class="algorithm__more">
            Lowest estimated cost, even if another algorithm rounds less.
            {choice && ` Here: ${choice.name}, ${boundText(choice)}.`}
          </span>
        </label>
        {rows.map((row) => (
          <Row
            key={row.name}
            row={row}
            cheapest={cheapest}
            group={group}
            chosen={row.name === forced}
            ran={row.name === run.algorithm}
            onChoose={onChoose}
          />
        ))}
      </fieldset>
    </details>
  );
}

interface RowProps {
  readonly row: AlgorithmInfo;
  readonly cheapest: number;
  readonly group: string;
  readonly chosen: boolean;
  readonly ran: boolean;
  readonly onChoose: (name: string) => void;
}

/** An unsupported algorithm can be selected: the library then refuses with a reason, and the choice is undone. */
function Row({ row, cheapest, group, chosen, ran, onChoose }: RowProps) {
  const id = useId();
  const { name, description, supported, reason, cost, workspace_floats } = row;
  return (
    <label class={supported ? 'algorithm' : 'algorithm algorithm--unfit'}>
      <input
        type="radio"
        name={group}
        checked={chosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-more`}
        onChange={() => onChoose(name)}
      />
      <span class="algorithm__name">
        <code id={`${id}-name`}>{name}</code>
        {ran && <span class="algorithms__tag">ran</span>}
      </span>
      <span class="algorithm__more" id={`${id}-more`}>
        {description}
        <span class="algorithm__facts">
          {supported ? (
            [costText(cost, cheapest), memoryText(workspace_floats), boundText(row)].map((fact) => (
              <span key={fact}>{fact}</span>
            ))
          ) : (
            <span>Not available: {reason}.</span>
          )}
        </span>
      </span>
    </label>
  );
}
