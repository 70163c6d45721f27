import { Button } from '../../ui/controls/Button';
import { FileButton } from '../../ui/controls/FileButton';
import { useImport } from '../numbers/use-import';
import { useSaveArrays } from '../numbers/use-save-arrays';
import type { Page } from '../page/page';

/** Imports arrays from a file; copies or saves them. */
export function NumberFields({ page }: { readonly page: Page }) {
  const numbers = useImport(page);
  const writer = useSaveArrays(page);
  return (
    <div class="rail__buttons number-files">
      <FileButton
        label="array file"
        accept=".npy,.npz,.json,.csv,.tsv,.txt,.safetensors"
        onFile={(file) => numbers.open(file.name, file)}
      >
        Import arrays
      </FileButton>
      <Button label="Copy or save arrays" onClick={writer.open}>
        Copy or save
      </Button>
      {numbers.sheet}
      {writer.sheet}
    </div>
  );
}
