import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Look } from '../../look/look';
import { Button } from '../../ui/controls/Button';

/** From here on controls and grids stand side by side; the same width as in shell.css. */
const WIDE = '(min-width: 960px)';

interface RailProps {
  /** Beside the grids they can be folded to their edge. */
  readonly fold: Signal<Look['controls']>;
  readonly children: ComponentChildren;
}

/** The controls: beside the grids where there is room, else folded above them, so that a phone shows the grids first. */
export function Rail({ fold, children }: RailProps) {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  if (wide && fold.value === 'folded') {
    const unfold = () => {
      fold.value = 'open';
    };
    return (
      <section class="rail rail--folded" aria-label="Controls">
        <Button kind="icon" label="Show the controls" onClick={unfold}>
          »
        </Button>
      </section>
    );
  }
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
