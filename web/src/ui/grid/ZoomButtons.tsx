import type { Viewport } from './heat-canvas';
import { type Fitted, zoomAt } from './viewport';
import './zoom-buttons.css';

interface ZoomButtonsProps {
  readonly label: string;
  readonly view: Viewport;
  readonly fitted: Fitted;
  readonly onChange: (view: Viewport) => void;
}

const STEP = 2;
/** Below this width of the map, in CSS pixels, the buttons do not fit beside the usual legend. */
const ROOM_FOR_BOTH = 264;

/** Zoom without a wheel or gestures. */
export function ZoomButtons({ label, view, fitted, onChange }: ZoomButtonsProps) {
  const zoom = (factor: number) => onChange(zoomAt(view, fitted, factor, view.width / 2, view.height / 2));
  const whole = view.cell <= fitted.cell;
  return (
    <div class={view.width < ROOM_FOR_BOTH ? 'zoom zoom--narrow' : 'zoom'}>
      <button type="button" class="zoom__button" aria-label={`zoom in on ${label}`} onClick={() => zoom(STEP)}>
        +
      </button>
      <button
        type="button"
        class="zoom__button"
        aria-label={`zoom out of ${label}`}
        aria-disabled={whole}
        onClick={() => zoom(1 / STEP)}
      >
        −
      </button>
    </div>
  );
}
