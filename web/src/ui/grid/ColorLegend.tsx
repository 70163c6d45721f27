import type { ReadonlySignal } from '@preact/signals';
import { type ColorScale, onMap, rampGradient } from '../color-scale';
import { formatCell, hasHiddenValues, MINUS } from '../numbers';
import { theme } from '../theme';
import '../color-legend.css';

interface ColorLegendProps {
  readonly scale: ColorScale;
  /** The value under the pointer. */
  readonly marker?: ReadonlySignal<number | null> | undefined;
}

/** Both ends, one with a sign, and a 0 fit the narrowest legend. */
const END = { digits: 3, chars: 5 };

export function ColorLegend({ scale, marker }: ColorLegendProps) {
  if (hasHiddenValues.value && scale.maxAbs === 0) return null;
  const signed = scale.ramp === 'signed';
  const end = formatCell(scale.maxAbs, END);
  return (
    <div class="legend" aria-hidden="true">
      <div class="legend__bar" style={{ backgroundImage: rampGradient(theme.value, scale, onMap(scale.ramp)) }}>
        {scale.maxAbs !== 0 && <Marker marker={marker} scale={scale} />}
      </div>
      <div class="legend__ticks caption">
        <span>{signed && scale.maxAbs > 0 ? MINUS + end : '0'}</span>
        {signed && <span>0</span>}
        <span>{end}</span>
      </div>
    </div>
  );
}

/** A component of its own, so that a hover re-renders nothing else. */
function Marker({ marker, scale: { maxAbs: end, ramp } }: ColorLegendProps) {
  const value = marker?.value ?? null;
  if (value === null || Number.isNaN(value)) return null;
  const start = ramp === 'signed' ? -end : 0;
  const share = (Math.max(start, Math.min(end, value)) - start) / (end - start);
  return <span class="legend__marker" style={{ left: `${share * 100}%` }} />;
}
