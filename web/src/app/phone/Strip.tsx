import { useEffect, useMemo, useRef } from 'preact/hooks';
import { gridOf } from '../../geometry/grid';
import type { Content } from '../../protocol/messages';
import type { Geometry } from '../../protocol/problem';
import { type ColorScale, scaleEnd } from '../../ui/color-scale';
import { MiniMap } from '../../ui/grid/MiniMap';
import { marksOn } from '../../views/kit/marks';
import { gridData, PHOTO, photoOf, planeOf } from '../../views/kit/plane';
import { colsOf, rowsOf } from '../../views/kit/stage/layout';
import { outlinesOf, useDerived } from '../../views/kit/view-model';
import type { Page } from '../page/page';
import { useCurrentView } from '../stage/current-view';
import './phone.css';

const SIGNS: Readonly<Record<Mini, string>> = { x: '', w: '∗', y: '=' };

/** Small maps of x, w and y that stay visible on a narrow page while controls change. A tap scrolls to the panel. */
export function PhoneStrip({ page }: { readonly page: Page }) {
  const { scene, look } = page;
  const { show } = useCurrentView();
  const goal = useRef<Mini | null>(null);
  const go = () => {
    const panel = goal.current && document.querySelector(`main .panel--${goal.current}`);
    if (!panel) return false;
    scrollTo(panel, 'start');
    goal.current = null;
    return true;
  };
  // The view with the panel may have been loading.
  useEffect(() => {
    if (show) go();
  });
  const content = show?.model.content.value ?? scene.value;
  return (
    <nav class="strip" aria-label="x, w and y at a glance">
      {content &&
        MINIS.map((tensor) => (
          <MiniTensor
            key={tensor}
            tensor={tensor}
            content={content}
            page={page}
            onGo={() => {
              if (look.sheet.peek() === 'full') look.sheet.value = 'half';
              goal.current = tensor;
              if (!go()) look.mode.value = 'board';
            }}
          />
        ))}
    </nav>
  );
}

interface MiniTensorProps {
  readonly tensor: Mini;
  readonly content: Content;
  readonly page: Page;
  readonly onGo: () => void;
}

function MiniTensor({ tensor, content, page: { look, scene }, onGo }: MiniTensorProps) {
  const model = useCurrentView().show?.model ?? null;
  const { geometry: g, photo } = content;
  const values = content.tensors[tensor];
  const { n, c, k } = look.focus.value;
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, values?.data ?? new Float32Array(0)), [plane, values]);
  const asPhoto = tensor === 'x' && photo;
  const shot = useMemo(
    () => (asPhoto && g.c === 3 && values ? photoOf(g, n, values.data) : undefined),
    [asPhoto, g, n, values],
  );
  const transfer = look.transfer.value ?? (photo ? 'root' : 'linear');
  const scale: ColorScale = asPhoto ? PHOTO : { maxAbs: scaleEnd(values?.stats), ramp: 'signed', transfer };
  // Highlights of a newer problem may name cells that this one does not have.
  const marks = useDerived(
    () => marksOn(g, plane, content === scene.value ? outlinesOf(g, model, look) : null),
    [g, plane, look, content, scene, model],
  );
  const { row, col, channel } = gridOf(g, tensor).size;
  const size = `${row} × ${col}${channel > 1 ? ` × ${channel}` : ''}`;
  return (
    <>
      {SIGNS[tensor] && (
        <span class="strip__sign" aria-hidden="true">
          {SIGNS[tensor]}
        </span>
      )}
      <button
        type="button"
        class="strip__tensor column"
        aria-label={`${tensor}, ${size}: go to its panel`}
        onClick={onGo}
      >
        <span class="strip__head">
          <span class="strip__name" style={{ color: `var(--id-${tensor})` }}>
            {tensor}
          </span>{' '}
          {size}
        </span>
        <span class="strip__map">
          <MiniMap data={data} scale={scale} cell={miniCells(g)[tensor]} marks={marks} photo={shot} />
        </span>
      </button>
    </>
  );
}

const MINIS = ['x', 'w', 'y'] as const;
type Mini = (typeof MINIS)[number];

/** Size of a map in the strip, in CSS pixels: three maps and two signs fit on a page of 320. */
const MAX_WIDTH = 84;
const MAX_HEIGHT = 58;
const MAX_CELL = 14;
/** Limit for w next to a large x. */
const MAX_W_CELL = 10;

/** Cell sizes in CSS pixels. x and y share one, so that their sizes compare; w has it too unless that is too small. */
function miniCells(g: Geometry): Readonly<Record<Mini, number>> {
  const side = (tensor: Mini, most: number) =>
    Math.min(most, MAX_WIDTH / Math.max(1, colsOf(g, tensor)), MAX_HEIGHT / Math.max(1, rowsOf(g, tensor)));
  const shared = whole(Math.min(side('x', MAX_CELL), side('y', MAX_CELL)));
  return { x: shared, w: whole(Math.max(shared, side('w', MAX_W_CELL))), y: shared };
}

/** Lines between cells are sharp on whole pixels; below 3 pixels they are not drawn. */
const whole = (size: number): number => (size >= 3 ? Math.floor(size) : size);

/** Scrolls an element between strip and sheet; `scroll-padding` in phone.css has their sizes. */
export function scrollTo(element: Element | null, block: 'start' | 'nearest'): void {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block, inline: 'nearest', behavior: reduced ? 'instant' : 'smooth' });
}

/** Scrolls past the header, so that the strip is above a sheet of full height. */
export function scrollStripToTop(): void {
  const strip = document.querySelector('.strip');
  if (strip) window.scrollBy(0, strip.getBoundingClientRect().top);
}
