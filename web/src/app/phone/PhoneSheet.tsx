import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Cell } from '../../protocol/cell';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { Controls } from '../controls/Controls';
import type { SideTabProps } from '../page/side-tab';
import { SIDE_TABS, sideTabs } from '../side/SidePanel';
import { HeightIcon } from './HeightIcon';
import { scrollStripToTop } from './scroll';
import { useDrag } from './use-drag';
import { useScrollToPinned } from './use-scroll-to-pinned';
import './phone.css';

interface PhoneSheetProps extends SideTabProps {
  /** The last picked cell; a new object for each pick. */
  readonly tapped: ReadonlySignal<Cell | null>;
}

const CONTROLS = 'controls';

/**
 * The controls and the side panel in a bottom sheet of a narrow page: one line high, half the height, or all but the
 * strip. A tap on a cell raises it to half; unpinning the cell lowers it.
 */
export function PhoneSheet(props: PhoneSheetProps) {
  const { look } = props.page;
  const { sheet, controlling } = look;
  const element = useRef<HTMLDivElement>(null);
  useHeights(element, props);
  useScrollToPinned(look);
  const drag = useDrag(element, sheet);
  const height = sheet.value;
  const raised = height !== 'peek';
  const { selected: side, tabs } = sideTabs(props);
  const absent = look.absent.value;
  const selected = controlling.value ? CONTROLS : side.id;
  const choose = (id: string) => {
    const chosen = SIDE_TABS.find((tab) => tab.id === id);
    if (id === selected && raised) {
      sheet.value = 'peek';
      return;
    }
    if (chosen) look.side.value = chosen.id;
    controlling.value = !chosen;
    if (!raised) sheet.value = 'half';
  };
  return (
    <div ref={element} class={`phone-sheet phone-sheet--${height}`}>
      <div class="phone-sheet__grip" {...drag} />
      <div class="phone-sheet__buttons">
        {raised && (
          <Button
            kind="icon"
            label={height === 'half' ? 'Full height' : 'Half height'}
            onClick={() => {
              sheet.value = height === 'half' ? 'full' : 'half';
            }}
          >
            <HeightIcon to={height === 'half' ? 'full' : 'half'} />
          </Button>
        )}
        <span data-focus-target>
          <Button
            kind="icon"
            label={raised ? 'Lower the sheet' : 'Raise the sheet'}
            onClick={() => {
              sheet.value = raised ? 'peek' : 'half';
            }}
          >
            <HeightIcon to={raised ? 'peek' : 'up'} />
          </Button>
        </span>
      </div>
      <Tabs
        label="Controls and explanations"
        selected={selected}
        onSelect={choose}
        tabs={[
          ...(absent.includes(CONTROLS)
            ? []
            : [{ id: CONTROLS, title: 'Controls', content: () => <Controls key={CONTROLS} page={props.page} /> }]),
          ...tabs,
        ]}
      />
    </div>
  );
}

/** Raises and lowers the sheet, apart from its buttons. */
function useHeights(element: { readonly current: HTMLElement | null }, { page, tapped }: PhoneSheetProps): void {
  const { sheet, controlling, pinned, side, lesson } = page.look;
  useSignalEffect(() => {
    if (!tapped.value || !pinned.peek()) return;
    controlling.value = false;
    // The lesson tab shows the explanation too, and the code tab marks the line of the cell.
    if (side.peek() !== 'lesson' && side.peek() !== 'code') side.value = SIDE_TABS[0].id;
    if (sheet.peek() === 'peek') sheet.value = 'half';
  });
  useEffect(() => {
    // A link may have pinned a cell, or opened a lesson.
    if (pinned.peek() || lesson.peek()) sheet.value = 'half';
    let wasPinned = pinned.peek() !== null;
    const unwatch = [
      pinned.subscribe((cell) => {
        // A sheet that was raised before a cell was pinned stays up.
        const unpinned = wasPinned && !cell;
        wasPinned = cell !== null;
        if (unpinned && sheet.peek() === 'half' && !controlling.peek() && !lesson.peek()) sheet.value = 'peek';
      }),
      // Before rendering, because the focused element is about to be removed.
      sheet.subscribe((height) => {
        if (height === 'full') scrollStripToTop();
        if (height !== 'peek') return;
        const { activeElement: active } = document;
        const lost = element.current?.contains(active) && !active?.closest('[role="tab"], [data-focus-target]');
        if (lost) element.current?.querySelector<HTMLElement>('[data-focus-target] button')?.focus();
        controlling.value = false;
      }),
    ];
    // The shortcut that focuses the explanation raises the sheet: at peek height it is one line high.
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches('[data-explanation]') && sheet.peek() === 'peek') {
        sheet.value = 'half';
      }
    };
    const root = element.current;
    root?.addEventListener('focusin', onFocus);
    return () => {
      for (const stop of unwatch) stop();
      root?.removeEventListener('focusin', onFocus);
      sheet.value = 'peek';
      controlling.value = false;
    };
  }, [element, sheet, controlling, pinned, lesson]);
}
