import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { LookStore } from '../../look/look-store';

type Height = LookStore['sheet'] extends Signal<infer H> ? H : never;

/** CSS pixels. A press that moves less is a tap. */
const TAP_SLOP = 6;

/** Dragging the grip moves the sheet, which snaps to the nearest height on release; a tap raises or lowers it. */
export function useDrag(element: { readonly current: HTMLElement | null }, sheet: Signal<Height>) {
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
