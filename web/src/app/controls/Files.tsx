import { useMemo } from 'preact/hooks';
import type { ConvError } from '../../protocol/problem';
import { SAMPLE_LABELS, SAMPLE_NAMES } from '../../sources/tensor-sources';
import { isPhoto } from '../../state/exchange';
import { openOf } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { FileButton, Segmented } from '../../ui/controls/Choice';
import { useImport, useSaveArrays } from '../numbers/use-import';
import { ImageIcon } from '../page/icons';
import { imageActionsOf } from '../page/image-actions';
import type { Page } from '../page/page';
import { FieldError } from './SizeFields';

interface FilesProps {
  readonly page: Page;
  /** Why the last image could not be opened. */
  readonly error: ConvError | null;
}

/** Opens images, imports arrays from a file, and copies or saves them. */
export function Files({ page, error }: FilesProps) {
  const numbers = useImport(page);
  const writer = useSaveArrays(page);
  return (
    <>
      <h3 class="files__title note">Images and arrays</h3>
      {!page.look.locked.value.includes('x') && <ImageFields page={page} error={error} />}
      <div class="rail__buttons row wrap tight">
        <FileButton
          label="array file"
          accept=".npy,.npz,.json,.csv,.tsv,.txt,.safetensors"
          multiple
          onFile={(_, all) => numbers.open(all)}
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

/** An image as x: from a file, or generated. */
function ImageFields({ page, error }: FilesProps) {
  const { store } = page;
  const { channels } = page.images;
  const { x } = store.problem.value;
  const { desc } = openOf(store.problem.value);
  const images = useMemo(() => imageActionsOf(page), [page]);
  const shown = isPhoto(x.source) && (desc.c === 1 || desc.c === 3) ? desc.c : null;
  const reduced = images.originOf(x.source)?.reduced;
  return (
    <div class="picture-fields grid">
      <FileButton
        label="image file"
        accept="image/png,image/jpeg,image/webp,image/*"
        onFile={(file) => images.openFile(file, file.name, channels.value)}
      >
        <ImageIcon />
        Open an image
        <span class="picture-fields__hint note" aria-hidden="true">
          drop, paste
        </span>
      </FileButton>
      <div class="rail__buttons row wrap tight">
        {SAMPLE_NAMES.map((name) => (
          <Button key={name} onClick={() => images.openSample(name, channels.value)}>
            {SAMPLE_LABELS[name]}
          </Button>
        ))}
      </div>
      <Segmented
        label="image colors"
        quiet
        options={[
          { value: 'gray', label: '1 channel, gray' },
          { value: 'rgb', label: '3 channels, RGB' },
        ]}
        value={(shown ?? channels.value) === 1 ? 'gray' : 'rgb'}
        onChange={(choice) => {
          channels.value = choice === 'gray' ? 1 : 3;
          if (shown !== null) images.recolor(channels.value);
        }}
      />
      {shown === 3 && desc.k % 3 === 0 && (
        <>
          <Segmented
            label="color channels per filter"
            quiet
            options={[
              { value: '3', label: 'one color each' },
              { value: '1', label: 'all colors' },
            ]}
            value={String(desc.groups)}
            onChange={(choice) => store.setDesc({ groups: Number(choice) }, { field: 'groups' })}
          />
          <p class="value-source__note note">
            {desc.groups === 3
              ? '3 groups: each filter reads one color channel.'
              : '1 group: each filter has weights for all three colors and adds the results.'}
          </p>
        </>
      )}
      {reduced && (
        <p class="value-source__note note">
          {x.source.kind === 'file' && x.source.name} was reduced from {pixels(reduced.from)} to {pixels(reduced.to)}.
        </p>
      )}
      <FieldError error={error} />
    </div>
  );
}

const pixels = ([w, h]: readonly [w: number, h: number]): string => `${w} × ${h}`;
