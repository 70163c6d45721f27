import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import './sheet.css';

/** A modal dialog; Esc and a click outside close it. */
export function Sheet({
  title,
  children,
  wide = false,
  closer,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  wide?: boolean;
  /** Set to a function that closes the dialog from inside. */
  closer?: RefObject<(() => void) | null>;
  onClose: () => void;
}) {
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
        // The browser restores the focus; without a previous element it goes to the view.
        const { activeElement: active, body } = document;
        const lost = active === body || dialog.current?.contains(active);
        onClose();
        if (lost) document.getElementById('stage')?.focus({ preventScroll: true });
      }}
      // The shortcuts of the page, such as Esc and Ctrl+Z, do not apply in a dialog. A button of a closed dialog can have the focus
      // until the next frame, and a key that is pressed before it is for the page.
      onKeyDown={(event) => {
        if (dialog.current?.open) event.stopPropagation();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="sheet__content">
        <div class="ends">
          <h2 id={id}>{title}</h2>
          <Button label="Close" shortcut="Escape" kind="icon" onClick={close} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
