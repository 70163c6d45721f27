import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useScrollRow } from '../scroll-row';
import './tabs.css';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Focusable, with a tooltip, but does not open. */
  readonly locked?: boolean;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** ARIA tabs: arrow keys move between them; only the selected tab is a tab stop and has its panel rendered. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const base = useId();
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  );
  const current = tabs[index];
  const row = useRef<HTMLDivElement>(null);
  useScrollRow(row, current?.id);
  const move = (to: number, list: HTMLElement) => {
    const tab = tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    onSelect(tab.id);
    list.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div
        ref={row}
        class="tabs__list"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          const by = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft');
          const at = tabs.findIndex(({ id }) => id === (event.target as HTMLElement).dataset.tab);
          const ends: Readonly<Record<string, number>> = { Home: 0, End: tabs.length - 1 };
          const to = by !== 0 ? at + by : ends[event.key];
          if (to === undefined) return;
          // Otherwise the key also scrolls the row.
          event.preventDefault();
          move(to, event.currentTarget);
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            class="tabs__tab"
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === current}
            aria-disabled={tab.locked}
            title={tab.locked ? 'Locked by this link' : undefined}
            aria-controls={`${base}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div class="tabs__panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current?.id ?? ''}`}>
        {current?.content()}
      </div>
    </div>
  );
}
