import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** From here on controls and grids stand side by side; the same width as in shell.css. */
const WIDE = '(min-width: 960px)';

/** The controls: beside the grids where there is room, else folded above them, so that a phone shows the grids first. */
export function Rail({ children }: { readonly children: ComponentChildren }) {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  if (wide) {
    return (
      <section class="rail" aria-label="Controls">
        {children}
      </section>
    );
  }
  return (
    <section class="rail" aria-label="Controls">
      <details class="rail__fold">
        <summary>Controls: sizes, numbers, pictures</summary>
        {children}
      </details>
    </section>
  );
}
