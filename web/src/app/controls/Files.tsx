import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/controls/Button';
import { FileButton } from '../../ui/controls/FileButton';
import { useImport } from '../numbers/use-import';
import { useSaveArrays } from '../numbers/use-save-arrays';
import type { Page } from '../page/page';

interface FilesProps {
  readonly page: Page;
  /** The fields of images. */
  readonly children: ComponentChildren;
}

/** Opens images, imports arrays from a file, and copies or saves them. */
export function Files({ page, children }: FilesProps) {
  const numbers = useImport(page);
  const writer = useSaveArrays(page);
  return (
    <>
      <h3 class="files__title">Images and arrays</h3>
      {children}
      <div class="rail__buttons">
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
      </div>
      {numbers.sheet}
      {writer.sheet}
    </>
  );
}
