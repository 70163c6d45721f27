import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import './menu.css';

/** Least distance from the edges of the window and from the button, in CSS pixels. */
const GAP = { edge: 8, button: 4 };

/** A button that opens a box below itself, or above where only that has room. The arrow keys open it, too. */
export function Popover({
  button: face,
  buttonClass,
  label,
  role,
  align,
  first = 'button',
  ...rest
}: {
  button: ComponentChildren;
  buttonClass: string;
  label: string;
  role: 'menu' | 'group';
  /** The edge that it shares with the button. */
  align: 'left' | 'right';
  /** The element that gets the focus; by default the first button. */
  first?: string;
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLElement>, list: HTMLElement) => void;
  /** `close` returns the focus to the button. */
  children: (close: () => void) => ComponentChildren;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    list.current?.hidePopover();
    button.current?.focus();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !list.current?.contains(relatedTarget)) list.current?.hidePopover();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (list.current) rest.onKeyDown?.(event, list.current);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={buttonClass}
        aria-haspopup={role === 'menu' ? role : 'dialog'}
        aria-expanded={open}
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {face}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        // A press on text inside keeps the focus inside: otherwise it would go to the nearest ancestor that takes it.
        tabIndex={-1}
        {...{ role, 'aria-label': label, onFocusOut, onKeyDown }}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') setOpen(true);
        }}
        onToggle={({ newState }) => {
          // Not before: the browser returns the focus from an element inside.
          if (newState === 'closed') setOpen(false);
          if (newState !== 'open' || !list.current || !button.current) return;
          place(list.current, button.current.getBoundingClientRect(), align);
          list.current.querySelector<HTMLElement>(first)?.focus();
        }}
      >
        {open && rest.children(close)}
      </div>
    </>
  );
}

/** Places the box in the document, so that it scrolls with the button. */
function place(box: HTMLElement, { top, bottom, left, right }: DOMRect, align: 'left' | 'right') {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const { style } = box;
  const [under, over] = [height - bottom, top].map((room) => room - GAP.edge - GAP.button) as [number, number];
  const isAbove = box.offsetHeight > under && over > under;
  style.maxHeight = `${isAbove ? over : Math.max(under, height / 3)}px`;
  const start = align === 'left' ? left : right - box.offsetWidth;
  style.left = `${scrollX + Math.max(GAP.edge, Math.min(start, width - GAP.edge - box.offsetWidth))}px`;
  // Above, its lower edge stays where it is when its contents change.
  style.top = isAbove ? 'auto' : `${scrollY + bottom + GAP.button}px`;
  style.bottom = isAbove ? `${height - top - scrollY + GAP.button}px` : 'auto';
}
