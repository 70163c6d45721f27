import type { ComponentChildren } from 'preact';
import { formatAligned, formatScientific } from '../../ui/quantities';
import { isConfirmed, type Precision, VERDICT } from '../kit/confirmed';
import { type Reading, readingAt, type Sweep } from './readings';

interface CheckTableProps {
  readonly sweeps: readonly Sweep[];
  readonly epsilon: number;
  /** The changed cell, "w[1,1]", and its gradient, "dw[1,1]". */
  readonly name: string;
  readonly gradient: string;
}

const DIGITS: Readonly<Record<Precision, number>> = { float32: 8, float64: 15 };

/** The check of one cell, line by line, in both precisions. */
export function CheckTable({ sweeps, epsilon, name, gradient }: CheckTableProps) {
  type Shown = (reading: Reading, precision: Precision) => ComponentChildren;
  /** `said`: the full label for screen readers; a narrow table shortens the visible one. */
  const row = (label: ComponentChildren, cell: Shown, said?: string) => (
    <tr key={said}>
      <th scope="row" aria-label={said}>
        {label}
      </th>
      {sweeps.map((sweep) => {
        const reading = readingAt(sweep, epsilon);
        return <td key={sweep.precision}>{reading && cell(reading, sweep.precision)}</td>;
      })}
    </tr>
  );
  const bends = sweeps.some((sweep) => readingAt(sweep, epsilon)?.slopes);
  return (
    <div class="check-table__room">
      <table class="check-table">
        <caption class="visually-hidden">The check of {gradient}, step by step</caption>
        <thead>
          <tr>
            <td />
            {sweeps.map(({ precision }) => (
              <th key={precision} scope="col">
                {precision}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['+', '−'] as const).map((sign) =>
            row(
              <>
                L at <CellName name={name} /> {sign} ε
              </>,
              ({ lossPlus, lossMinus }, precision) => {
                const [loss, other] = sign === '+' ? [lossPlus, lossMinus] : [lossMinus, lossPlus];
                return <Digits text={digits(loss, precision)} beside={digits(other, precision)} />;
              },
              `L at ${name} ${sign} ε`,
            ),
          )}
        </tbody>
        <tbody>
          {row('difference / 2ε', ({ numeric }, precision) => digits(numeric, precision))}
          {row(
            <>
              backward pass
              <span class="check-table__of">
                , <i>{gradient}</i>
              </span>
            </>,
            ({ analytic }, precision) => digits(analytic, precision),
            `backward pass, ${gradient}`,
          )}
        </tbody>
        {bends && (
          <tbody>
            {row('slope upwards', ({ slopes }, precision) => slopes && digits(slopes.above, precision))}
            {row('slope downwards', ({ slopes }, precision) => slopes && digits(slopes.below, precision))}
          </tbody>
        )}
        <tbody>
          {row('absolute error', ({ absolute, verdict }) => (
            <ErrorText error={absolute} verdict={verdict} decisive={verdict === VERDICT.withinRounding} />
          ))}
          {row('relative error', ({ relative, verdict }) => (
            <ErrorText error={relative} verdict={verdict} decisive={verdict !== VERDICT.withinRounding} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ErrorTextProps {
  readonly error: number;
  readonly verdict: number;
  /** The verdict depends on this error. */
  readonly decisive: boolean;
}

function ErrorText({ error, verdict, decisive: by }: ErrorTextProps) {
  const text = formatScientific(error, 2);
  if (!by || Number.isNaN(verdict)) return <>{text}</>;
  if (isConfirmed(verdict)) return <span class="check-table__good">{text} ✓</span>;
  return verdict === VERDICT.wrong ? (
    <span class="check-table__poor">{text} ✗</span>
  ) : (
    <span class="check-table__step">{text} ?</span>
  );
}

/** The name of the cell; hidden in a narrow table, which needs the room for digits. The title above the table has it. */
const CellName = ({ name }: { readonly name: string }) => (
  <span class="check-table__of">
    <i>{name}</i>{' '}
  </span>
);

/** The leading digits that both losses share cancel in their difference: they are drawn pale. */
function Digits({ text, beside }: { readonly text: string; readonly beside: string }) {
  let shared = 0;
  if (text.length === beside.length && !text.includes('·')) {
    while (shared < text.length && text[shared] === beside[shared]) shared += 1;
  }
  return (
    <>
      <span class="check-table__shared">{text.slice(0, shared)}</span>
      <span class="check-table__own">{text.slice(shared)}</span>
    </>
  );
}

/** Both losses get the same number of digits, so that they can be compared. */
function digits(value: number, precision: Precision): string {
  return formatAligned(value, DIGITS[precision]);
}
