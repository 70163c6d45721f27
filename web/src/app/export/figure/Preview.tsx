import { useEffect, useState } from 'preact/hooks';
import type { Drawing } from '../../../drawing/drawing';
import { svgOf } from './files';

/** Shows the SVG of a drawing. */
export function Preview({ drawing }: { readonly drawing: Drawing }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(svgOf(drawing));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [drawing]);
  return (
    <div class="picture__preview">
      <img src={address} alt={`${drawing.title}. ${drawing.description}`} />
    </div>
  );
}
