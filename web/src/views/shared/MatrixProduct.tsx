import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusOn, isMatrix, PLAIN_FORM, positionOf } from '../../geometry/grid';
import { sourcesOf, targetsOf } from '../../geometry/links';
import type { MapView } from '../../ui/grid/HeatGrid';
import { panBy } from '../../ui/grid/viewport';
import { type Answers, stageIn } from './answers';
import { AROUND, gridFit, READABLE } from './fit';
import { accentOf } from './GridPanel';
import {
  type Axes,
  cornerTensors,
  entryOf,
  formulaOf,
  isPartial,
  type Operand,
  type Product,
  partText,
  productSentence,
  shownProduct,
  subtitleOf,
  symbolOf,
  tensorCellOf,
} from './matrix-product';
import { stepHighlights } from './plane';
import { StagePanel } from './StagePanel';
import { LayoutBox } from './stage/LayoutBox';
import { wholeStage } from './stage/layout';
import { TensorPanel } from './TensorPanel';
import { useDerived, useGeometry, useRelit, useViewModel, ViewModelProvider } from './view-model';
import './matrix-product.css';

/** Least width of a corner with text. */
const WIDE = 190;

/** The entry that the outlines and the sentence are about. */
function useEntry(product: Product) {
  const { content, highlights, focus } = useViewModel();
  return useDerived(
    () => entryOf(content.value, product, highlights.value?.cell ?? null, focus.value.k),
    [content, highlights, focus, product],
  );
}

/** The sentence about the marked entry. */
export function ProductWords({ product }: { product: Product }) {
  const g = useGeometry();
  const { layout } = useViewModel();
  const entry = useEntry(product);
  const words = useDerived(() => {
    const group = positionOf(g, entry.value).slice;
    const sentence = productSentence(g, shownProduct(g, product, layout.value), entry.value);
    return `${g.groups > 1 ? `Group ${group}: ` : ''}${sentence}`;
  }, [g, product, layout, entry]);
  return <p class="player-words small">{words}</p>;
}

/** The first visible row and column of the result and product of a sum, and the cell size. */
interface Shared extends Axes {
  readonly cell: number;
}

/** A matrix product: c = a · b in a row, or b above c and a before it, so that row and column meet in it. */
export function MatrixProduct({
  product,
  answers,
  children,
}: {
  product: Product;
  answers: Answers;
  /** Text above the left factor, where it has room. */
  children: ComponentChildren;
}) {
  const g = useGeometry();
  const { layout: stageLayout, focus, highlights: pointed } = useViewModel();
  const layout = stageLayout.value;
  const shared = useSignal<Shared | null>(null);
  const entry = useEntry(product);
  const group = useDerived(() => positionOf(g, entry.value).slice, [g, entry]).value;
  const lit = useDerived(() => {
    const targets = targetsOf(g, entry.value).filter(({ tensor }) => isMatrix(tensor));
    return stepHighlights(entry.value, sourcesOf(g, entry.value), targets);
  }, [g, entry]);
  const related = useDerived(() => {
    const cell = tensorCellOf(g, entry.value);
    const highlights = cell && stepHighlights(cell, sourcesOf(g, cell));
    return { highlights, focus: pointed.value && cell ? focusOn(g, cell, focus.value) : focus.value };
  }, [g, entry, focus, pointed]);
  const tensorModel = useRelit(related);
  const shown = shownProduct(g, product, layout);
  const { a, b, c, cell, seen, all, inRow } = shown;
  const inPart = isPartial(shown);
  const panel = (operand: Operand, place: 'left' | 'above' | 'result') => {
    const tensor = stageIn(answers, operand.name);
    if (!tensor) return null;
    const down = place === 'above' ? 'inner' : 'rows';
    const across = place === 'left' ? 'inner' : 'cols';
    const [rows, cols] = [all[down], all[across]];
    const [height, width] = [seen[down] * cell, seen[across] * cell];
    return (
      <div class={`matrix-product__${place}`}>
        <StagePanel
          name={operand.name}
          tensor={tensor}
          slice={group}
          channel={0}
          plain
          form={{ ...PLAIN_FORM, transposed: operand.transposed }}
          title={symbolOf(operand)}
          subtitle={subtitleOf(g, operand, width)}
          accent={accentOf(operand.name)}
          lit={lit}
          legend={cell < READABLE}
          fit={inPart ? { kind: 'map', width, height, least: cell } : gridFit(rows, cols, cell)}
          overview={inPart ? (map) => <SharedView {...{ map, shared, down, across }} /> : undefined}
        />
      </div>
    );
  };
  const sign = (text: string) => (
    <span class="matrix-product__sign" aria-hidden="true">
      {text}
    </span>
  );
  const isWide = seen.inner * cell >= WIDE && layout.arrangement === 'stage';
  const [first, ...others] = isWide ? cornerTensors(g, shown) : [];
  const widthOf = (count: number) => `${Math.max(shown.title, count * cell) + AROUND.frame}px`;
  const widths = { '--left': widthOf(seen.inner), '--right': widthOf(seen.cols) };
  const part = inPart && <p class={inRow ? 'matrix-product__part soft' : ''}>{partText(shown)}</p>;
  if (inRow) {
    return (
      <LayoutBox box={wholeStage(layout)}>
        <div class="matrix-product matrix-product--row" style={widths}>
          {part}
          {panel(c, 'result')}
          {sign('=')}
          {panel(a, 'left')}
          {sign('·')}
          {panel(b, 'above')}
        </div>
      </LayoutBox>
    );
  }
  return (
    <LayoutBox box={wholeStage(layout)}>
      <div class="matrix-product" style={widths}>
        <div class="matrix-product__corner soft">
          <p class="matrix-product__formula">{formulaOf(shown)}</p>
          {first && (
            <ViewModelProvider value={tensorModel}>
              <div class="matrix-product__tensors">
                <TensorPanel tensor={first} size={cell} subtitle="" />
                <div>
                  {others.map((name) => (
                    <TensorPanel key={name} tensor={name} size={cell} subtitle="" />
                  ))}
                </div>
              </div>
            </ViewModelProvider>
          )}
          {isWide && !first && children}
          {part}
        </div>
        {sign('·')}
        {panel(b, 'above')}
        {panel(a, 'left')}
        {sign('=')}
        {panel(c, 'result')}
      </div>
    </LayoutBox>
  );
}

/** Time in ms after a map was moved by another in which its changes are echoes, not moves of its own. */
const ECHO = 200;

/** Moves the maps of a product together: an axis that two of them share starts with the same row or column in both. */
function SharedView({
  map,
  shared,
  down,
  across,
}: {
  map: MapView;
  shared: Signal<Shared | null>;
  /** The axes of the product that the rows and the columns of the map are. */
  down: keyof Axes;
  across: keyof Axes;
}) {
  const now = useRef(map);
  now.current = map;
  const moved = useRef(Number.NEGATIVE_INFINITY);
  const first = useRef(map.view);
  const { view } = map;
  useEffect(() => {
    if (view === first.current || performance.now() - moved.current < ECHO) return;
    const { row, col, cell } = view;
    shared.value = { rows: 0, cols: 0, inner: 0, ...shared.peek(), [down]: row, [across]: col, cell };
  }, [view, down, across, shared]);
  useEffect(
    () =>
      shared.subscribe((wanted) => {
        const { view: seen, fitted, onChange } = now.current;
        if (!wanted || (wanted[down] === seen.row && wanted[across] === seen.col && wanted.cell === seen.cell)) return;
        const { cell } = wanted;
        const [right, below] = [(seen.col - wanted[across]) * cell, (seen.row - wanted[down]) * cell];
        moved.current = performance.now();
        onChange(panBy({ ...seen, cell }, fitted, right, below));
      }),
    [shared, down, across],
  );
  return null;
}
