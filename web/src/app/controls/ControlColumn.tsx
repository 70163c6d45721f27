import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CommandContext } from '../../commands/command';
import { perform } from '../../commands/perform';
import { Button } from '../../ui/controls/Button';
import { useRestoreFocus } from '../page/hooks';
import { CollapseIcon } from '../page/icons';
import type { Page } from '../page/page';
import { SECTIONS, type SectionId, setOpen } from '../page/sections';
import { Controls } from './Controls';

interface ControlColumnProps {
  readonly page: Page;
  readonly context: CommandContext;
  /** Above the controls. */
  readonly note: ComponentChildren;
  /** Below them. */
  readonly children: ComponentChildren;
}

/** The controls as a column, which collapses to icons; on a narrow page they are a sheet. */
export function ControlColumn({ page, context, note, children }: ControlColumnProps) {
  const { look } = page;
  const head = useRef<HTMLDivElement>(null);
  const goal = useRef<string | null>(null);
  const folded = look.controls.value === 'folded';
  // After expanding the column with an icon, scroll to its section.
  useEffect(() => {
    if (folded || !goal.current) return;
    document.getElementById(`controls-${goal.current}`)?.scrollIntoView({ block: 'start' });
    goal.current = null;
  }, [folded]);
  useRestoreFocus(folded, () => head.current?.querySelector('button'));
  const unfold = (section: SectionId | null) => {
    if (section) setOpen(section, true);
    goal.current = section;
    look.controls.value = 'open';
  };
  if (folded) {
    return (
      <div ref={head} class="controls__rail column">
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
      </div>
    );
  }
  return (
    <>
      <div ref={head} class="controls__head ends">
        <h2 class="controls__title">Controls</h2>
        <Button kind="icon" label="Hide controls" onClick={() => perform('controls', context)}>
          <CollapseIcon open />
        </Button>
      </div>
      {note}
      <Controls page={page} />
      {children}
    </>
  );
}
