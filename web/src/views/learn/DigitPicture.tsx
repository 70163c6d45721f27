import { useLayoutEffect, useRef } from 'preact/hooks';
import { DIGITS } from '../../protocol/digits';
import { lutIndex, lutOf, type Ramp } from '../../ui/color-scale';
import { useTheme } from '../../ui/theme';

/** Values of an image of 8 x 8, one pixel each; the style sheet enlarges them. `most`: the value at the end of the ramp. */
export function DigitPicture({
  pixels,
  label,
  ramp = 'gray',
  most = 1,
}: {
  pixels: Float32Array;
  /** '': the picture is decoration. */
  label: string;
  ramp?: Ramp;
  most?: number;
}) {
  const element = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  useLayoutEffect(() => {
    const context = element.current?.getContext('2d');
    if (!context) return;
    const { rgba } = lutOf(theme, ramp);
    const colors = Uint32Array.from(
      pixels,
      (value) => rgba[lutIndex(value, { maxAbs: most, ramp, transfer: 'linear' })] ?? 0,
    );
    const image = new ImageData(new Uint8ClampedArray(colors.buffer), DIGITS.side, DIGITS.side);
    context.putImageData(image, 0, 0);
  }, [pixels, theme, ramp, most]);
  return (
    <canvas
      ref={element}
      class="digit"
      width={DIGITS.side}
      height={DIGITS.side}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' })}
    />
  );
}
