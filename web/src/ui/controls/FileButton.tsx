import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './Button';

interface FileButtonProps {
  readonly children: ComponentChildren;
  /** The accessible name of the file field. */
  readonly label: string;
  /** Name endings and types, as in HTML. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** A button that opens a file. */
export function FileButton({ children, label, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Without this, choosing the same file again fires no event.
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
