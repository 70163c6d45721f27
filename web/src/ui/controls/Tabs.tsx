import { type ComponentChildren, Fragment } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './tabs.css';
import '../scroll-row.css';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Tabs of a group follow one another. A closed group is one tab: it selects the member that was selected last. */
  readonly group?: string | undefined;
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

/** ARIA tabs: arrow keys move between all of them; only the selected tab is a tab stop and has its panel rendered. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const base = useId();
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];
  const row = useRef<HTMLDivElement>(null);
  useScrollRow(row, current?.id);
  const wanted = useRef<string | null>(null);
  const focusWanted = () => {
    const tab = row.current?.querySelector<HTMLElement>(`[data-tab~="${wanted.current}"]`);
    if (!tab) return;
    wanted.current = null;
    tab.focus();
  };
  // The tabs of a closed group are rendered after one of them was selected.
  useLayoutEffect(focusWanted);
  const move = (to: number) => {
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    // The locked tabs of a closed group are not rendered.
    const free = next.group && next.group !== current?.group ? freeOf(next.group) : null;
    const tab = next.locked && free ? free : next;
    onSelect(tab.id);
    wanted.current = tab.id;
    // A locked tab is not selected: nothing is rendered.
    if (tab.locked || tab === current) focusWanted();
  };
  const lastOf = useRef(new Map<string, string>());
  if (current?.group) lastOf.current.set(current.group, current.id);
  const freeOf = (group: string) => tabs.find((tab) => tab.group === group && !tab.locked);
  const button = ({ id, title, locked }: Omit<Tab, 'content'>, members: readonly Tab[] = []) => (
    <button
      key={id}
      type="button"
      role="tab"
      class="tabs__tab"
      id={`${base}-${id}`}
      data-tab={members.length > 0 ? members.map((tab) => tab.id).join(' ') : id}
      aria-selected={id === current?.id}
      aria-disabled={locked}
      title={locked ? 'Locked by this link' : members.map((tab) => tab.title).join(', ') || undefined}
      aria-controls={`${base}-panel`}
      tabIndex={id === current?.id ? 0 : -1}
      onClick={() => onSelect(id)}
    >
      {title}
    </button>
  );
  const closed = (group: string, members: readonly Tab[]) => {
    const last = members.find(({ id }) => id === lastOf.current.get(group));
    const opens = [last, ...members].find((tab) => tab && !tab.locked);
    return button({ id: opens?.id ?? group, title: group, locked: !opens }, members);
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
          // More than one: a closed group.
          const at = ((event.target as HTMLElement).dataset.tab ?? '').split(' ');
          const index = (id: string | undefined) => tabs.findIndex((tab) => tab.id === id);
          const ends: Readonly<Record<string, number>> = { Home: 0, End: tabs.length - 1 };
          const to = by === 0 ? ends[event.key] : by < 0 ? index(at[0]) - 1 : index(at.at(-1)) + 1;
          if (to === undefined) return;
          // Otherwise the key also scrolls the row.
          event.preventDefault();
          move(to);
        }}
      >
        {inGroups(tabs).map(({ group, members }) => {
          if (!group) return members.map((tab) => button(tab));
          if (!members.some((tab) => tab === current)) return closed(group, members);
          return (
            <Fragment key={group}>
              <span class="tabs__group">{group}</span>
              <div class="tabs__members">{members.map((tab) => button(tab))}</div>
            </Fragment>
          );
        })}
      </div>
      <div class="tabs__panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current?.id ?? ''}`}>
        {current?.content()}
      </div>
    </div>
  );
}

/** The tabs with neighbors of the same group together. */
function inGroups(tabs: readonly Tab[]): readonly { readonly group: string | undefined; readonly members: Tab[] }[] {
  const groups: { readonly group: string | undefined; readonly members: Tab[] }[] = [];
  for (const tab of tabs) {
    const last = groups.at(-1);
    if (last && last.group === tab.group) last.members.push(tab);
    else groups.push({ group: tab.group, members: [tab] });
  }
  return groups;
}

/** Width of the fade in CSS pixels, as in scroll-row.css. */
const FADE = 28;

/** For a row that scrolls horizontally: sets `data-cut` to the cut-off edges and scrolls the tab `chosen` into view. */
export function useScrollRow(row: { readonly current: HTMLElement | null }, chosen?: string): void {
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
    const sizes = new ResizeObserver(reveal);
    sizes.observe(element);
    const changes = new MutationObserver(mark);
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      element.removeEventListener('scroll', mark);
      sizes.disconnect();
      changes.disconnect();
    };
  }, [row, chosen]);
}
