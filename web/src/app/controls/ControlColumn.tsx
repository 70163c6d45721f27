import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { deferred } from '../deferred/deferred';
import { useRestoreFocus } from '../page/hooks';
import { CollapseIcon } from '../page/icons';
import type { Page } from '../page/page';
import { SECTIONS, type SectionId, setOpen } from '../page/sections';
import './control-column.css';

/** The controls as a column, which collapses to icons. `note`: above the controls. */
export function ControlColumn({ page, note }: { page: Page; note: ComponentChildren }) {
  const { look } = page;
  const Controls = deferred.loaded.value?.Controls;
  const column = useRef<HTMLElement>(null);
  const goal = useRef<string | null>(null);
  const folded = look.controls.value === 'folded';
  // After expanding the column with an icon, scroll to its section.
  useEffect(() => {
    if (folded || !goal.current) return;
    column.current?.querySelector(`#controls-${goal.current}`)?.scrollIntoView({ block: 'start' });
    goal.current = null;
  }, [folded]);
  useRestoreFocus(folded, () => column.current?.querySelector('button'));
  const unfold = (section: SectionId | null) => {
    if (section) setOpen(section, true);
    goal.current = section;
    look.controls.value = 'open';
  };
  if (folded) {
    return (
      <section ref={column} class="controls controls--folded column" aria-label="Controls">
        <Button kind="icon" label="Show controls" onClick={() => unfold(null)}>
          <CollapseIcon open={false} />
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
  return (
    <section ref={column} class="controls" aria-label="Controls">
      <div class="controls__head ends">
        <h2 class="controls__title">Controls</h2>
        <Button
          kind="icon"
          label="Hide controls"
          onClick={() => {
            look.controls.value = 'folded';
          }}
        >
          <CollapseIcon open />
        </Button>
      </div>
      {note}
      {Controls && <Controls page={page} />}
    </section>
  );
}
