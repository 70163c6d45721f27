import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Tensor } from '../../protocol/problem';
import { ColourLegend } from '../../ui/ColourLegend';
import { GridFigure } from '../../ui/grid/GridFigure';
import { forgetPaint, paintLater } from '../../ui/grid/paint-queue';
import { photoPixels, valuePixels } from '../../ui/grid/pixels';
import { theme } from '../../ui/theme';
import { cellOfSpot, gridData, planeOf } from '../kit/plane';
import type { Scene, SceneEvents } from '../kit/scene';

interface OverlayMapProps {
  readonly scene: Scene;
  readonly x: Tensor;
  readonly dx: Tensor;
  /** Side of a cell in CSS pixels. */
  readonly size: number;
  readonly events: SceneEvents;
}

/**
 * dx laid over the photo. The colours of dx fade into the page where it is 0, so that multiplied with the picture (or,
 * on a dark page, added to its light) they leave it as it is there.
 */
export function OverlayMap({ scene, x, dx, size, events }: OverlayMapProps) {
  const { geometry: g, focus, transfer } = scene;
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = theme.value;
  const plane = useMemo(() => planeOf(g, 'dx', focus), [g, focus]);
  const values = useMemo(() => gridData(plane, dx.data), [plane, dx]);
  const photo = useMemo(() => {
    const channel = (c: number) => gridData(planeOf(g, 'x', { ...focus, c: Math.min(c, g.c - 1) }), x.data);
    return { red: channel(0), green: channel(1), blue: channel(2) };
  }, [g, focus, x]);
  const scale = { maxAbs: dx.stats.max_abs, ramp: 'signed', transfer } as const;

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const below = new OffscreenCanvas(1, 1);
    const above = new OffscreenCanvas(1, 1);
    const compose = () => {
      const context = target.getContext('2d');
      if (!context) return;
      context.imageSmoothingEnabled = false;
      context.globalCompositeOperation = 'copy';
      context.drawImage(below, 0, 0);
      context.globalCompositeOperation = tone === 'dark' ? 'screen' : 'multiply';
      context.drawImage(above, 0, 0);
    };
    const overlay = valuePixels(above, values, scale, tone, 1, compose);
    paintLater(
      target,
      photoPixels(below, photo, () => paintLater(target, overlay)),
    );
    return () => forgetPaint(target);
  }, [values, photo, tone, scale.maxAbs, transfer]);

  const cellUnder = (event: { readonly offsetX: number; readonly offsetY: number }) =>
    cellOfSpot(g, plane, { row: Math.floor(event.offsetY / size), col: Math.floor(event.offsetX / size) });
  return (
    <div class="panel">
      <GridFigure title="dx" subtitle="over x" size={`${g.h} × ${g.w}`} accent="var(--id-x)" twin>
        <div class="panel__frame">
          <canvas
            ref={canvas}
            class="dy-view__overlay"
            role="img"
            aria-label={`dx, channel ${focus.c}, laid over the photo x`}
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
        </div>
      </GridFigure>
      <ColourLegend scale={scale} marker={null} />
    </div>
  );
}
