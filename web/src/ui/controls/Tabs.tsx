import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { observeSize } from '../observe-size';
import './tabs.css';

export interface TabTitle {
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  /** Why it does not open, as its tooltip; it stays focusable. */
  readonly locked?: string | undefined;
  /** The names in `data-tab`, if not the id. */
  readonly names?: string | undefined;
}

/** ARIA tabs: arrow keys move between them; only the selected one is a tab stop. */
export function TabList({
  label,
  tabs,
  selected,
  onSelect,
  panel,
}: {
  label: string;
  tabs: readonly TabTitle[];
  /** The id of a tab; another: no tab is selected. */
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** The id of the panel. The id of a tab is this with the tab's id, as in "panel-dx". */
  panel: string;
}) {
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
          class="tabs__tab soft"
          id={`${panel}-${id}`}
          data-tab={names ?? id}
          aria-selected={id === selected}
          aria-disabled={locked !== undefined}
          title={locked ?? hint}
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

/** Tabs and their panel; only the selected tab has its panel rendered. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  const panel = useId();
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];
  return (
    <div class="tabs">
      <TabList {...{ label, tabs, onSelect, panel }} selected={current?.id} />
      <div class="tabs__panel" role="tabpanel" id={panel} aria-labelledby={`${panel}-${current?.id ?? ''}`}>
        {current?.content()}
      </div>
    </div>
  );
}

/** Width of the fade in CSS pixels, as in tabs.css. */
const FADE = 28;

/** For a row that scrolls horizontally: sets `data-cut` to the cut-off edges and scrolls the tab `chosen` into view. */
function useScrollRow(row: { readonly current: HTMLElement | null }, chosen?: string): void {
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const cut = [scrollLeft > 1 && 'left', scrollWidth - clientWidth - scrollLeft > 1 && 'right'].filter(Boolean);
      if (cut.length > 0) element.dataset.cut = cut.join(' ');
      else delete element.dataset.cut;
    };
    const reveal = () => {
      const tab = element.querySelector(`[data-tab="${chosen}"]`)?.getBoundingClientRect();
      const { left, right } = element.getBoundingClientRect();
      if (tab) element.scrollLeft += Math.min(0, tab.left - left - FADE) + Math.max(0, tab.right - right + FADE);
      mark();
    };
    reveal();
    element.addEventListener('scroll', mark, { passive: true });
    const unobserve = observeSize(element, reveal);
    const changes = new MutationObserver(mark);
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      element.removeEventListener('scroll', mark);
      unobserve();
      changes.disconnect();
    };
  }, [row, chosen]);
}
