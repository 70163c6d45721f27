import { useEffect, useMemo, useRef } from 'preact/hooks';
import { scaleEnd } from '../../ui/color-scale';
import { cancelPaint, type PaintJob, paintLater, photoPixels, valuePixels } from '../../ui/grid/pixels';
import { useTheme } from '../../ui/theme';
import { showsValues } from '../kit/fit';
import { Panel } from '../kit/Panel';
import { cellOfSpot, gridData, planeOf } from '../kit/plane';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { useDerived, useGeometry, useScale, useViewModel } from '../kit/view-model';

const EMPTY = new Float32Array(0);

/**
 * dx blended over the photo x. The color of 0 is that of the page, so that blending (multiply, or screen in the dark theme)
 * leaves the photo unchanged where dx is 0.
 */
export function OverlayMap() {
  const g = useGeometry();
  const { content, focus, layout, events } = useViewModel();
  const x = useDerived(() => content.value.tensors.x, [content]).value;
  const dx = useDerived(() => content.value.tensors.dx, [content]).value;
  const { n, c, k } = focus.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = useTheme();
  const plane = useMemo(() => planeOf(g, 'dx', { n, c, k }), [g, n, c, k]);
  const values = useMemo(() => gridData(plane, dx?.data ?? EMPTY), [plane, dx]);
  const photo = useMemo(() => {
    const channel = (of: number) => gridData(planeOf(g, 'x', { n, k, c: Math.min(of, g.c - 1) }), x?.data ?? EMPTY);
    return { red: channel(0), green: channel(1), blue: channel(2) };
  }, [g, n, k, x]);
  const scale = useScale(scaleEnd(dx?.stats));

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const below = new OffscreenCanvas(1, 1);
    const above = new OffscreenCanvas(1, 1);
    function* compose(context: CanvasRenderingContext2D): PaintJob {
      yield* photoPixels(below, photo);
      yield* valuePixels(above, values, scale, tone);
      context.imageSmoothingEnabled = false;
      context.globalCompositeOperation = 'copy';
      context.drawImage(below, 0, 0);
      context.globalCompositeOperation = tone === 'dark' ? 'screen' : 'multiply';
      context.drawImage(above, 0, 0);
    }
    const context = target.getContext('2d');
    if (context) paintLater(target, compose(context));
    return () => cancelPaint(target);
  }, [values, photo, tone, scale]);
  if (!x || !dx) return null;

  const size = layout.value.cell.x;
  const cellUnder = (event: { readonly offsetX: number; readonly offsetY: number }) =>
    cellOfSpot(g, plane, { row: Math.floor(event.offsetY / size), col: Math.floor(event.offsetX / size) });
  return (
    <LayoutBox box={layout.value.slots.dx}>
      <Panel
        tensor="dx"
        title="dx"
        subtitle="over x"
        size={`${g.h} × ${g.w}`}
        scale={scale}
        legend={!showsValues(g.h, g.w, size)}
        indent={g.padding.left * size}
      >
        <canvas
          ref={canvas}
          class="dy-overlay"
          role="img"
          aria-label={`dx, channel ${c}, over the photo x`}
          width={g.w}
          height={g.h}
          style={{ width: `${g.w * size}px`, height: `${g.h * size}px` }}
          onPointerMove={(event) => events.onHover(cellUnder(event))}
          onPointerLeave={() => events.onHover(null)}
          onClick={(event) => {
            const cell = cellUnder(event);
            if (cell) events.onPick(cell);
          }}
        />
      </Panel>
    </LayoutBox>
  );
}
