import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useScrollRow } from '../scroll-row';
import './tabs.css';

export interface TabTitle {
  readonly id: string;
  readonly title: string;
  /** Tooltip. */
  readonly hint?: string | undefined;
  /** Focusable, with a tooltip, but does not open. */
  readonly locked?: boolean | undefined;
  /** The names in `data-tab`, if not the id. */
  readonly names?: string | undefined;
}

interface TabListProps {
  readonly label: string;
  readonly tabs: readonly TabTitle[];
  /** The id of a tab; another: no tab is selected. */
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** The id of the panel. The id of a tab is this with the tab's id, as in "panel-dx". */
  readonly panel: string;
}

/** ARIA tabs: arrow keys move between them; only the selected one is a tab stop. */
export function TabList({ label, tabs, selected, onSelect, panel }: TabListProps) {
  const row = useRef<HTMLDivElement>(null);
  useScrollRow(row, selected);
  const move = (to: number) => {
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    document.getElementById(`${panel}-${next.id}`)?.focus();
  };
  const isTabStop = (id: string) => (tabs.some((tab) => tab.id === selected) ? id === selected : id === tabs[0]?.id);
  return (
    <div
      ref={row}
      class="tabs__list"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const at = tabs.findIndex(({ id }) => `${panel}-${id}` === (event.target as HTMLElement).id);
        const by = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft');
        const ends: Readonly<Record<string, number>> = { Home: 0, End: tabs.length - 1 };
        const to = by === 0 ? ends[event.key] : at + by;
        if (to === undefined) return;
        // Otherwise the key also scrolls the row.
        event.preventDefault();
        move(to);
      }}
    >
      {tabs.map(({ id, title, hint, locked, names }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tabs__tab"
          id={`${panel}-${id}`}
          data-tab={names ?? id}
          aria-selected={id === selected}
          aria-disabled={locked}
          title={locked ? 'Locked by this link' : hint}
          aria-controls={panel}
          tabIndex={isTabStop(id) ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

export interface Tab extends TabTitle {
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs and their panel; only the selected tab has its panel rendered. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const panel = useId();
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];
  return (
    <div class="tabs">
      <TabList label={label} tabs={tabs} selected={current?.id} onSelect={onSelect} panel={panel} />
      <div class="tabs__panel" role="tabpanel" id={panel} aria-labelledby={`${panel}-${current?.id ?? ''}`}>
        {current?.content()}
      </div>
    </div>
  );
}
