import { useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { useNumbers } from '../numbers/use-numbers';
import { useWriter } from '../numbers/use-writer';
import type { Page } from '../page';

/** One's own numbers: in from a file, out as text or a file. */
export function NumberFields({ page }: { readonly page: Page }) {
  const input = useRef<HTMLInputElement>(null);
  const numbers = useNumbers(page);
  const writer = useWriter(page);
  return (
    <div class="rail__buttons number-files">
      <Button onClick={() => input.current?.click()}>Open numbers</Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept=".npy,.npz,.json,.csv,.tsv,.txt,.safetensors"
        aria-label="file of numbers"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Choosing the same file again must count as a choice.
          event.currentTarget.value = '';
          if (file) numbers.open(file.name, file);
        }}
      />
      <Button label="Copy or save numbers" onClick={writer.open}>
        Copy or save
      </Button>
      {numbers.sheet}
      {writer.sheet}
    </div>
  );
}
