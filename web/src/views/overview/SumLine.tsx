import { Fragment } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { positionOf } from '../../geometry/grid';
import { lossEntry } from '../../losses/entries';
import type { LossValue } from '../../protocol/messages';
import { lutIndex, lutOf, scaleEnd } from '../../ui/color-scale';
import { formatCell } from '../../ui/numbers';
import { playing } from '../../ui/scrubber/playing';
import { playerIn } from '../../ui/scrubber/Scrubber';
import { useTheme } from '../../ui/theme';
import { showsValues } from '../shared/fit';
import { accentOf } from '../shared/GridPanel';
import { ProductCells, productChars } from '../shared/ProductCells';
import { colsOf, rowsOf } from '../shared/stage/layout';
import { cellIn, fly, hideFor, isMotionReduced, stopMotion } from '../shared/travel';
import { useDerived, useGeometry, usePlane, useScale, useViewModel } from '../shared/view-model';
import { remarkOf, type Sum, sumOf, writtenSum } from '../shared/written-sum';
import './sum-line.css';

/** The sum behind the outlined cell; null before a hint, and for cells that are not computed. */
function useSum() {
  const { highlights, content, noHintYet } = useViewModel();
  return useDerived(() => {
    const { geometry, tensors } = content.value;
    const cell = noHintYet.value ? null : highlights.value?.cell;
    const sum = cell && sumOf(geometry, tensors, cell);
    return sum?.isHidden ? null : sum;
  }, [highlights, content, noHintYet]).value;
}

/** Font sizes of the line, the larger one in a line of that height, in CSS pixels; and the mean width of its characters in em. */
const FONT = { large: 22, small: 18, tall: 28 };
const CHARACTER = 0.52;
/** Width of a character of the remark in those of the sum, at most. */
const SMALLER = 0.75;
const LOSS_WIDTH = 112;
const GRADIENTS = ['dx', 'dw', 'db'];

/** In ms. */
const BEAT = 160;
/** Opacity of the terms where they meet, so that they do not cover each other. */
const MERGED = 0.1;
/** Steps per second of a player, at most; and the time since the step before, in ms, at least. */
const SLOW = 2;
const SLOW_MS = 450;
let last = Number.NEGATIVE_INFINITY;

/**
 * Shows how a step makes a cell of y: the products go from the window to the line, to their sum, and the sum to the cell. Nothing moves
 * while a player is fast, and in an export, which is in a dialog and records each step.
 */
function showStep(target: Element | null): void {
  const pause = performance.now() - last;
  last += pause;
  const speed = playing.peek() === 'player' && playerIn(document)?.speed;
  if (playing.peek() ? !speed || speed > SLOW : pause < SLOW_MS) return;
  const find = (selector: string) => document.querySelector(selector);
  const result = find('.sum__result');
  const products = document.querySelectorAll<HTMLElement>('.products__one--counts');
  if (products.length === 0 || isMotionReduced() || find('dialog[open]')) return;
  for (const product of products) {
    const term = find(`.sum__term[data-term="${product.dataset.term}"]`);
    fly(product, term ?? result, BEAT);
    fly(term, result, BEAT, BEAT, MERGED);
    hideFor([term], BEAT);
  }
  fly(result, target, BEAT, 2 * BEAT);
  hideFor([result], 2 * BEAT);
  hideFor([target], 3 * BEAT);
}

/** Values travel to the cell of a step, once all parts of the view show it. */
function useTravel(): void {
  const g = useGeometry();
  const { highlights, frameHighlights } = useViewModel();
  const cell = useDerived(() => highlights.value?.cell, [highlights]).value;
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => {
      stopMotion();
      if (!cell || frameHighlights.peek()?.cell !== cell) return;
      const { row, col } = positionOf(g, cell);
      showStep(cellIn(cell.tensor, row, col));
    });
    return () => cancelAnimationFrame(frame);
  }, [g, cell, frameHighlights]);
}

/** The sum of the outlined cell in one line, y[1,1] = 1·2 + 1·1 = 3, and the loss, unless dy is set directly. */
export function SumLine() {
  const { layout, content, noHintYet, hiddenParts } = useViewModel();
  const sum = useSum();
  useTravel();
  const { arrangement, line } = layout.value;
  const font = arrangement === 'stage' && line.height >= FONT.tall ? FONT.large : FONT.small;
  const loss = useDerived(() => content.value.loss, [content]).value;
  const hidden = hiddenParts.value;
  const gradients = GRADIENTS.filter((name) => !hidden.includes('backward') && !hidden.includes(name));
  const summed = ['y', ...gradients].join(', ').replace(/, (?=\w+$)/, ' or ');
  const room = (line.width - (loss ? LOSS_WIDTH : 0)) / (CHARACTER * font);
  return (
    <div class="sum row loose" style={{ fontSize: `${font}px` }}>
      {sum ? (
        <SumText sum={sum} room={room} />
      ) : (
        !playing.value && !noHintYet.value && <span class="note">Point at a cell of {summed} to see its sum.</span>
      )}
      {loss && <LossText loss={loss} />}
    </div>
  );
}

/** `room`: in characters. */
function SumText({ sum, room }: { sum: Sum; room: number }) {
  const { tensor, label } = sum;
  const { added, result, free } = writtenSum(sum, room);
  const remark = remarkOf(sum);
  return (
    <>
      <span class="sum__text">
        <i style={{ color: accentOf(tensor) }}>{tensor}</i>
        <small>{label.slice(tensor.length)}</small> ={' '}
        {added.map(({ index, factors }, i) => (
          <Fragment key={index}>
            {i > 0 && ' + '}
            <span class="sum__term" data-term={index}>
              {factors.map((factor, at) => (
                <Fragment key={factor.tensor}>
                  {at > 0 && '·'}
                  <span style={{ color: factor.tensor ? accentOf(factor.tensor) : undefined }}>{factor.text}</span>
                </Fragment>
              ))}
            </span>
          </Fragment>
        ))}
        {result !== null && (
          <>
            {added.length > 0 && ' = '}
            <b class="sum__result">{result}</b>
          </>
        )}
      </span>
      {remark && SMALLER * remark.length <= free && <span class="sum__remark note">{remark}</span>}
    </>
  );
}

/** "L = 17.2"; its name and target are in the tooltip. */
function LossText({ loss }: { loss: LossValue }) {
  const { label, noTarget } = lossEntry(loss.kind);
  const target = loss.target ? 'to your target' : `to ${noTarget}`;
  return (
    <strong
      class="loss small"
      title={`L = ${Number.isNaN(loss.value) ? '?' : loss.value}: ${label} ${target}; dy = dL/dy`}
    >
      <i>L</i> = {formatCell(loss.value, { digits: 3, chars: 8 })}
    </strong>
  );
}

/** Smaller cells have no products. In CSS pixels. */
const LEAST_CELL = 34;

/** The outlined window of x, with the products of the sum in its cells. */
export function WindowProducts() {
  const { content, layout } = useViewModel();
  const g = useGeometry();
  const plane = usePlane('x');
  const theme = useTheme();
  const sum = useSum();
  const x = useDerived(() => content.value.tensors.x, [content]).value;
  const scale = useScale(scaleEnd(x?.stats));
  const photo = useDerived(() => content.value.photo, [content]).value;
  const size = layout.value.cell.x;
  if (!sum || photo || size < LEAST_CELL || !showsValues(rowsOf(g, 'x'), colsOf(g, 'x'), size)) return null;
  if (sum.page.a !== 'x') return null;
  const lut = lutOf(theme, 'signed');
  const chars = productChars(size);
  const products = sum.terms.flatMap(({ index, factors: [a, b], isZero }) => {
    const at = sum.positionOf(index);
    if (!a || !b || at?.slice !== plane.slice || at.channel !== plane.channel) return [];
    const color = lutIndex(a.value, scale);
    const [value = '', weight = ''] = [a, b].map((factor) => formatCell(factor.value, { digits: 2, chars }));
    return [
      {
        ...{ term: index, row: at.row + g.padding.top, col: at.col + g.padding.left, counts: !isZero, value, weight },
        colors: { background: lut.css[color] ?? '', color: lut.ink[color] ?? '' },
      },
    ];
  });
  return <ProductCells products={products} size={size} />;
}
