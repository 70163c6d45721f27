import { useEffect, useRef } from 'preact/hooks';
import { gridOf } from '../../geometry/grid';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry } from '../../protocol/problem';
import { type ColorScale, scaleEnd } from '../../ui/color-scale';
import { MiniMap } from '../../ui/grid/MiniMap';
import { marksOn, PHOTO } from '../../views/shared/plane';
import { colsOf, rowsOf } from '../../views/shared/stage/layout';
import { outlinesOf, useDerived, usePlaneData } from '../../views/shared/view-model';
import type { Page, SideTabProps } from '../page/page';
import { useCurrentView } from '../stage/current-view';
import './phone.css';
import { type ReadonlySignal, type Signal, useSignalEffect } from '@preact/signals';
import type { LookStore } from '../../look/look-store';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { Controls } from '../controls/Controls';
import { Icon } from '../page/icons';
import { sideTabsOf } from '../side/SidePanel';
import '../side/side.css';

const SIGNS: Readonly<Record<Mini, string>> = { x: '', w: '∗', y: '=' };

/** Small maps of x, w and y that stay visible on a narrow page while controls change. A tap scrolls to the panel. */
export function PhoneStrip({ page }: { page: Page }) {
  const { currentContent, look } = page;
  const { show } = useCurrentView();
  const goal = useRef<Mini | null>(null);
  const go = () => {
    const panel = goal.current && document.querySelector(`main .panel--${goal.current}`);
    if (!panel) return false;
    scrollTo(panel, 'start');
    goal.current = null;
    return true;
  };
  // The view with the panel may have been loading.
  useEffect(() => {
    if (show) go();
  });
  const content = show?.model.content.value ?? currentContent.value;
  return (
    <nav class="strip" aria-label="x, w and y at a glance">
      {content &&
        MINIS.map((tensor) => (
          <MiniTensor
            key={tensor}
            tensor={tensor}
            content={content}
            page={page}
            onGo={() => {
              if (look.sheet.peek() === 'full') look.sheet.value = 'half';
              goal.current = tensor;
              if (!go()) look.mode.value = 'board';
            }}
          />
        ))}
    </nav>
  );
}

function MiniTensor({
  tensor,
  content,
  page: { look, currentContent },
  onGo,
}: {
  tensor: Mini;
  content: Content;
  page: Page;
  onGo: () => void;
}) {
  const model = useCurrentView().show?.model ?? null;
  const { geometry: g, photo } = content;
  const values = content.tensors[tensor];
  const asPhoto = tensor === 'x' && photo;
  const { plane, data, photo: shot } = usePlaneData(g, tensor, look.focus.value, values, asPhoto);
  const transfer = look.transfer.value ?? (photo ? 'root' : 'linear');
  const scale: ColorScale = asPhoto ? PHOTO : { maxAbs: scaleEnd(values?.stats), ramp: 'signed', transfer };
  // Highlights of a newer problem may name cells that this one does not have.
  const marks = useDerived(
    () => marksOn(g, plane, content === currentContent.value ? outlinesOf(g, model, look) : null),
    [g, plane, look, content, currentContent, model],
  );
  const { row, col, channel } = gridOf(g, tensor).size;
  const size = `${row} × ${col}${channel > 1 ? ` × ${channel}` : ''}`;
  return (
    <>
      {SIGNS[tensor] && (
        <span class="strip__sign" aria-hidden="true">
          {SIGNS[tensor]}
        </span>
      )}
      <button
        type="button"
        class="strip__tensor column"
        aria-label={`${tensor}, ${size}: go to its panel`}
        onClick={onGo}
      >
        <span class="strip__head">
          <span class="strip__name" style={{ color: `var(--id-${tensor})` }}>
            {tensor}
          </span>{' '}
          {size}
        </span>
        <span class="strip__map">
          <MiniMap data={data} scale={scale} cell={miniCells(g)[tensor]} marks={marks} photo={shot} />
        </span>
      </button>
    </>
  );
}

const MINIS = ['x', 'w', 'y'] as const;
type Mini = (typeof MINIS)[number];

/** Size of a map in the strip, in CSS pixels: three maps and two signs fit on a page of 320. */
const MAX_WIDTH = 84;
const MAX_HEIGHT = 58;
const MAX_CELL = 14;
/** Limit for w next to a large x. */
const MAX_W_CELL = 10;

/** Cell sizes in CSS pixels. x and y share one, so that their sizes compare; w has it too unless that is too small. */
function miniCells(g: Geometry): Readonly<Record<Mini, number>> {
  const side = (tensor: Mini, most: number) =>
    Math.min(most, MAX_WIDTH / Math.max(1, colsOf(g, tensor)), MAX_HEIGHT / Math.max(1, rowsOf(g, tensor)));
  const shared = whole(Math.min(side('x', MAX_CELL), side('y', MAX_CELL)));
  return { x: shared, w: whole(Math.max(shared, side('w', MAX_W_CELL))), y: shared };
}

/** Lines between cells are sharp on whole pixels; below 3 pixels they are not drawn. */
const whole = (size: number) => (size >= 3 ? Math.floor(size) : size);

/** Scrolls an element between strip and sheet; `scroll-padding` in phone.css has their sizes. */
function scrollTo(element: Element | null, block: 'start' | 'nearest') {
  element?.scrollIntoView({
    block,
    inline: 'nearest',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
  });
}

/** Scrolls past the header, so that the strip is above a sheet of full height. */
function scrollStripToTop() {
  const strip = document.querySelector('.strip');
  if (strip) window.scrollBy(0, strip.getBoundingClientRect().top);
}

interface PhoneSheetProps extends SideTabProps {
  /** The last picked cell; a new object for each pick. */
  readonly tapped: ReadonlySignal<Cell | null>;
}

const CONTROLS = 'controls';

/** Controls and side panel in a bottom sheet: one line high, half the height, or all but the strip. */
export function PhoneSheet(props: PhoneSheetProps) {
  const { look } = props.page;
  const { sheet, controlling } = look;
  const element = useRef<HTMLDivElement>(null);
  useHeights(element, props);
  useScrollToPinned(look);
  const drag = useDrag(element, sheet);
  const height = sheet.value;
  const raised = height !== 'peek';
  const heightButton = (label: string, to: Height, icon: keyof typeof CHEVRONS = to) => (
    <Button
      kind="icon"
      label={label}
      onClick={() => {
        sheet.value = to;
      }}
    >
      <Icon path={CHEVRONS[icon]} />
    </Button>
  );
  const { selected: side, tabs, select } = sideTabsOf(props);
  const selected = controlling.value ? CONTROLS : side;
  const choose = (id: string) => {
    if (id === selected && raised) {
      sheet.value = 'peek';
      return;
    }
    controlling.value = !select(id);
    if (!raised) sheet.value = 'half';
  };
  const controls = { id: CONTROLS, title: 'Controls', content: () => <Controls key={CONTROLS} page={props.page} /> };
  return (
    <div ref={element} class={`phone-sheet column overlay phone-sheet--${height}`}>
      <div class="phone-sheet__grip" {...drag} />
      <div class="phone-sheet__buttons row wrap">
        {raised && heightButton(`${height === 'half' ? 'Full' : 'Half'} height`, height === 'half' ? 'full' : 'half')}
        <span data-focus-target>
          {raised ? heightButton('Lower the sheet', 'peek') : heightButton('Raise the sheet', 'half', 'up')}
        </span>
      </div>
      <Tabs
        label="Controls and explanations"
        selected={selected}
        onSelect={choose}
        tabs={look.hiddenParts.value.includes(CONTROLS) ? tabs : [controls, ...tabs]}
      />
    </div>
  );
}

/** Raises and lowers the sheet, apart from its buttons. */
function useHeights(element: { readonly current: HTMLElement | null }, { page, tapped }: PhoneSheetProps) {
  const { sheet, controlling, pinned, side, lesson } = page.look;
  useSignalEffect(() => {
    if (!tapped.value || !pinned.peek()) return;
    controlling.value = false;
    // The lesson tab shows the explanation too, and the code tab marks the line of the cell.
    if (side.peek() !== 'lesson' && side.peek() !== 'code') side.value = 'explain';
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

const CHEVRONS = {
  up: 'm5 12.5 5-5 5 5',
  peek: 'm5 7.5 5 5 5-5',
  full: 'm5 9 5-5 5 5M5 15l5-5 5 5',
  half: 'm5 5 5 5 5-5M5 11l5 5 5-5',
} as const;

type Height = LookStore['sheet'] extends Signal<infer H> ? H : never;

/** CSS pixels. A press that moves less is a tap. */
const TAP_SLOP = 6;

/** Dragging the grip moves the sheet, which snaps to the nearest height on release; a tap raises or lowers it. */
function useDrag(element: { readonly current: HTMLElement | null }, sheet: Signal<Height>) {
  const start = useRef<{ readonly y: number; readonly height: number; moved: boolean } | null>(null);
  const drop = () => {
    start.current = null;
    if (element.current) element.current.style.height = '';
  };
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { y: event.clientY, height: element.current?.offsetHeight ?? 0, moved: false };
    },
    onPointerMove({ clientY }: PointerEvent) {
      const from = start.current;
      if (!from || !element.current) return;
      from.moved ||= Math.abs(clientY - from.y) > TAP_SLOP;
      if (!from.moved) return;
      // A sheet at peek height renders one line only.
      if (sheet.peek() === 'peek') sheet.value = 'half';
      element.current.style.height = `${from.height + from.y - clientY}px`;
    },
    onPointerUp({ clientY }: PointerEvent) {
      const from = start.current;
      drop();
      if (!from) return;
      if (from.moved) sheet.value = nearest((from.height + from.y - clientY) / window.innerHeight);
      else sheet.value = sheet.peek() === 'peek' ? 'half' : 'peek';
    },
    onPointerCancel: drop,
  };
}

/** The limits are halfway between the three heights. */
const nearest = (part: number): Height => (part < 0.28 ? 'peek' : part < 0.66 ? 'half' : 'full');

/** Scrolls a pinned cell above the sheet, once for each cell, so that the user can scroll away. */
function useScrollToPinned({ highlights, pinned, sheet }: LookStore) {
  const lastScrolled = useRef('');
  useSignalEffect(() => {
    const highlight = highlights.value;
    if (!pinned.value || sheet.value === 'peek') lastScrolled.current = '';
    else if (highlight?.pinned && sheet.value === 'half') {
      const { tensor, index } = highlight.cell;
      if (lastScrolled.current === `${tensor} ${index}`) return;
      lastScrolled.current = `${tensor} ${index}`;
      // In the next frame the mark is drawn and the page has its final height.
      const panel = `main .panel--${tensor.replace('_padded', '')}`;
      requestAnimationFrame(() => scrollTo(document.querySelector(`${panel} .mark--focus`), 'nearest'));
    }
  });
}
