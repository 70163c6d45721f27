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
/** Below a map of this width, in CSS pixels, there is not enough room for them beside the usual legend. */
const ROOM_FOR_BOTH = 264;

/** The same as the gestures, for those who have no wheel or cannot use one. */
export function ZoomButtons({ label, view, fitted, onChange }: ZoomButtonsProps) {
  const zoom = (factor: number) => onChange(zoomAt(view, fitted, factor, view.width / 2, view.height / 2));
  const whole = view.cell <= fitted.cell;
  return (
    <div class={view.width < ROOM_FOR_BOTH ? 'zoom zoom--narrow' : 'zoom'}>
      <button type="button" class="zoom__button" aria-label={`magnify ${label}`} onClick={() => zoom(STEP)}>
        +
      </button>
      <button
        type="button"
        class="zoom__button"
        aria-label={`reduce ${label}`}
        aria-disabled={whole}
        onClick={() => zoom(1 / STEP)}
      >
        −
      </button>
    </div>
  );
}
