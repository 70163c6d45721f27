import type { ComponentChildren } from 'preact';
import { formatAligned, formatScientific } from '../../ui/quantities';
import { isConfirmed, type Precision } from '../kit/confirmed';
import { type Reading, readingAt, type Sweep } from './readings';

interface CheckTableProps {
  readonly sweeps: readonly Sweep[];
  readonly epsilon: number;
  /** The nudged cell, "w[1,1]", and its gradient, "dw[1,1]". */
  readonly name: string;
  readonly gradient: string;
}

/** Significant digits that a precision can have. */
const DIGITS: Readonly<Record<Precision, number>> = { float32: 8, float64: 15 };

/** The experiment, line by line, in both precisions. */
export function CheckTable({ sweeps, epsilon, name, gradient }: CheckTableProps) {
  type Shown = (reading: Reading, precision: Precision) => ComponentChildren;
  /** `said`: the whole label, of which a narrow table leaves something out. */
  const row = (label: ComponentChildren, cell: Shown, said?: string) => (
    <tr>
      <th scope="row" aria-label={said}>
        {label}
      </th>
      {sweeps.map((sweep) => {
        const reading = readingAt(sweep, epsilon);
        return <td key={sweep.precision}>{reading && cell(reading, sweep.precision)}</td>;
      })}
    </tr>
  );
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
          {row(
            <>
              L at <Nudged name={name} /> + ε
            </>,
            ({ lossPlus, lossMinus }, precision) => (
              <Digits text={digits(lossPlus, precision)} beside={digits(lossMinus, precision)} />
            ),
            `L at ${name} + ε`,
          )}
          {row(
            <>
              L at <Nudged name={name} /> − ε
            </>,
            ({ lossPlus, lossMinus }, precision) => (
              <Digits text={digits(lossMinus, precision)} beside={digits(lossPlus, precision)} />
            ),
            `L at ${name} − ε`,
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
        <tbody>
          {row('absolute error', ({ absolute }) => formatScientific(absolute, 2))}
          {row('relative error', ({ relative }, precision) => (
            <span class={isConfirmed(precision, relative) ? 'check-table__good' : 'check-table__poor'}>
              {formatScientific(relative, 2)} {isConfirmed(precision, relative) ? '✓' : '✗'}
            </span>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name of the cell stands above the table: in a narrow one it makes way for the digits. */
const Nudged = ({ name }: { readonly name: string }) => (
  <span class="check-table__of">
    <i>{name}</i>{' '}
  </span>
);

/** The digits that both losses share are lost in their difference: they stand back. */
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

/** A loss and its neighbour get the same number of digits, so that one sees which of them differ. */
function digits(value: number, precision: Precision): string {
  return formatAligned(value, DIGITS[precision]);
}
