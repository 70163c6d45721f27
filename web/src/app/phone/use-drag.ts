import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { LookStore } from '../../look/look-store';

type Height = LookStore['sheet'] extends Signal<infer H> ? H : never;

/** A press that moves less than this, in CSS pixels, is a tap. */
const SLOP = 6;

/** A finger on the grip: the sheet follows it and stays at the height that is nearest; a tap raises it or lowers it. */
export function useDrag(element: { readonly current: HTMLElement | null }, sheet: Signal<Height>) {
  const held = useRef<{ readonly y: number; readonly height: number; moved: boolean } | null>(null);
  const drop = () => {
    held.current = null;
    if (element.current) element.current.style.height = '';
  };
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { y: event.clientY, height: element.current?.offsetHeight ?? 0, moved: false };
    },
    onPointerMove({ clientY }: PointerEvent) {
      const from = held.current;
      if (!from || !element.current) return;
      from.moved ||= Math.abs(clientY - from.y) > SLOP;
      if (!from.moved) return;
      // All of it is there while it is drawn up.
      if (sheet.peek() === 'peek') sheet.value = 'half';
      element.current.style.height = `${from.height + from.y - clientY}px`;
    },
    onPointerUp({ clientY }: PointerEvent) {
      const from = held.current;
      drop();
      if (!from) return;
      if (from.moved) sheet.value = nearest((from.height + from.y - clientY) / window.innerHeight);
      else sheet.value = sheet.peek() === 'peek' ? 'half' : 'peek';
    },
    onPointerCancel: drop,
  };
}

/** Half way between a line and half the window, and between that and nearly all of it. */
const nearest = (part: number): Height => (part < 0.28 ? 'peek' : part < 0.66 ? 'half' : 'full');
