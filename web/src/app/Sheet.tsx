import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../ui/controls/Button';
import './sheet.css';

interface SheetProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** Is given what closes it from inside. */
  readonly closer?: RefObject<(() => void) | null>;
  readonly onClose: () => void;
}

/** A dialog over the page, which Esc and a click beside it close. */
export function Sheet({ title, children, wide = false, closer, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = () => dialog.current?.close();
  useEffect(() => {
    dialog.current?.showModal();
    if (closer) closer.current = () => dialog.current?.close();
  }, [closer]);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'sheet sheet--wide' : 'sheet'}
      aria-labelledby={id}
      onClose={() => {
        // The browser goes back to where one was, but that may have been nowhere.
        const { activeElement: active, body } = document;
        const lost = active === body || dialog.current?.contains(active);
        onClose();
        if (lost) document.getElementById('stage')?.focus({ preventScroll: true });
      }}
      // What Esc and Ctrl+Z mean to the page is not meant here.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="sheet__content">
        <div class="sheet__head">
          <h2 id={id}>{title}</h2>
          <Button label="Close" shortcut="Escape" kind="icon" onClick={close}>
            ×
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
