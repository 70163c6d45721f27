import { useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { useImport } from '../numbers/use-import';
import { useSaveArrays } from '../numbers/use-save-arrays';
import type { Page } from '../page';

/** Imports arrays from a file; copies or saves them. */
export function NumberFields({ page }: { readonly page: Page }) {
  const input = useRef<HTMLInputElement>(null);
  const numbers = useImport(page);
  const writer = useSaveArrays(page);
  return (
    <div class="rail__buttons number-files">
      <Button onClick={() => input.current?.click()}>Import arrays</Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept=".npy,.npz,.json,.csv,.tsv,.txt,.safetensors"
        aria-label="array file"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Without this, choosing the same file again fires no event.
          event.currentTarget.value = '';
          if (file) numbers.open(file.name, file);
        }}
      />
      <Button label="Copy or save arrays" onClick={writer.open}>
        Copy or save
      </Button>
      {numbers.sheet}
      {writer.sheet}
    </div>
  );
}
