import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import { BREAKPOINTS } from '../../ui/breakpoints';
import { Button } from '../../ui/controls/Button';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { FoldIcon } from '../icons';
import type { Page } from '../page';
import type { PictureChannels } from '../picture-room';
import type { Pictures } from '../pictures';
import { SECTIONS } from './sections';
import './control-column.css';

interface ControlColumnProps {
  readonly page: Page;
  readonly pictures: Pictures;
  readonly channels: Signal<PictureChannels>;
  readonly error: Signal<ConvError | null>;
}

/** The first picture needs none: they come right after it. */
const controls = late(async () => (await import('./Controls')).Controls);

/**
 * The controls: a column beside the stage, which folds to its symbols; on a narrow page folded above it, so that a phone
 * shows the grids first.
 */
export function ControlColumn({ page: { store, look }, pictures, channels, error }: ControlColumnProps) {
  const wide = useWide();
  const column = useRef<HTMLElement>(null);
  const goal = useRef<string | null>(null);
  const folded = wide && look.controls.value === 'folded';
  // Whoever opens the column by a symbol wants that part of it.
  useEffect(() => {
    if (folded || !goal.current) return;
    column.current?.querySelector(`#controls-${goal.current}`)?.scrollIntoView({ block: 'start' });
    goal.current = null;
  }, [folded]);
  const unfold = (section: string | null) => {
    goal.current = section;
    look.controls.value = 'open';
  };
  if (folded) {
    return (
      <section class="controls controls--folded" aria-label="Controls">
        <Button kind="icon" label="Show the controls" onClick={() => unfold(null)}>
          <FoldIcon open={false} />
        </Button>
        {SECTIONS.map(({ id, symbol, title }) => (
          <Button key={id} kind="icon" label={`Controls: ${title}`} onClick={() => unfold(id)}>
            <span class="symbol" style={{ color: `var(--id-${symbol.replace('d', '')}, currentColor)` }}>
              {symbol}
            </span>
          </Button>
        ))}
      </section>
    );
  }
  const Controls = controls();
  const fields = Controls ? (
    <Controls store={store} pictures={pictures} channels={channels} error={error} />
  ) : (
    <LateNotice what="What can be set" of={[controls]} />
  );
  return (
    <section ref={column} class="controls" aria-label="Controls">
      {wide ? (
        <>
          <div class="controls__head">
            <h2 class="controls__title">Controls</h2>
            <Button
              kind="icon"
              label="Fold the controls"
              onClick={() => {
                look.controls.value = 'folded';
              }}
            >
              <FoldIcon open />
            </Button>
          </div>
          {fields}
        </>
      ) : (
        <details class="rail__fold">
          <summary>Controls: sizes, numbers, pictures</summary>
          {fields}
        </details>
      )}
    </section>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(BREAKPOINTS.wide).matches);
  useEffect(() => {
    const query = matchMedia(BREAKPOINTS.wide);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return wide;
}
