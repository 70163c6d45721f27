import type { ComponentChildren } from 'preact';
import type { ConvError } from '../../protocol/errors';
import { SAMPLE_LABELS, SAMPLE_NAMES } from '../../sources/tensor-sources';
import { isPhoto, type Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { FileButton, Segmented } from '../../ui/controls/Choice';
import { useImport, useSaveArrays } from '../numbers/use-import';
import { ImageIcon } from '../page/icons';
import type { ImageActions } from '../page/image-actions';
import type { ImageChannels } from '../page/image-context';
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

interface ImageFieldsProps {
  readonly problem: Problem;
  readonly images: ImageActions;
  /** Of the next image. */
  readonly channels: ImageChannels;
  /** Why the last file could not be opened. */
  readonly error: ConvError | null;
  readonly onChannels: (channels: ImageChannels) => void;
  readonly onGroups: (groups: number) => void;
}

/** An image as x: from a file, or generated. */
export function ImageFields(props: ImageFieldsProps) {
  const { problem, images, channels, error, onChannels, onGroups } = props;
  const { desc, x } = problem;
  const shown = isPhoto(x.source) && (desc.c === 1 || desc.c === 3) ? desc.c : null;
  const reduced = images.originOf(x.source)?.reduced;
  return (
    <div class="picture-fields">
      <FileButton
        label="image file"
        accept="image/png,image/jpeg,image/webp,image/*"
        onFile={(file) => images.openFile(file, file.name, channels)}
      >
        <ImageIcon />
        Open an image
        <span class="picture-fields__hint" aria-hidden="true">
          drop, paste
        </span>
      </FileButton>
      <div class="rail__buttons">
        {SAMPLE_NAMES.map((name) => (
          <Button key={name} onClick={() => images.openSample(name, channels)}>
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
        value={(shown ?? channels) === 1 ? 'gray' : 'rgb'}
        onChange={(choice) => {
          const chosen = choice === 'gray' ? 1 : 3;
          onChannels(chosen);
          if (shown !== null) images.recolor(chosen);
        }}
      />
      {shown === 3 && desc.k % 3 === 0 && <Groups groups={desc.groups} onGroups={onGroups} />}
      {reduced && (
        <p class="value-source__note">
          {x.source.kind === 'file' && x.source.name} was reduced from {pixels(reduced.from)} to {pixels(reduced.to)}.
        </p>
      )}
      {error && (
        <p class="field-message" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

const pixels = ([w, h]: readonly [w: number, h: number]): string => `${w} × ${h}`;

interface GroupsProps {
  readonly groups: number;
  readonly onGroups: (groups: number) => void;
}

/** Whether each filter reads one color channel or all of them. */
const Groups = ({ groups, onGroups }: GroupsProps) => (
  <>
    <Segmented
      label="color channels per filter"
      quiet
      options={[
        { value: '3', label: 'one color each' },
        { value: '1', label: 'all colors' },
      ]}
      value={String(groups)}
      onChange={(choice) => onGroups(Number(choice))}
    />
    <p class="value-source__note">
      {groups === 3
        ? '3 groups: each filter reads one color channel.'
        : '1 group: each filter has weights for all three colors and adds the results.'}
    </p>
  </>
);
