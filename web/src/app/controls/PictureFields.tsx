import { useRef } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import { SAMPLE_LABELS, SAMPLE_NAMES } from '../../sources/pictures';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { ImageIcon } from '../icons';
import type { PictureChannels, Pictures } from '../pictures';

interface PictureFieldsProps {
  readonly pictures: Pictures;
  readonly channels: PictureChannels;
  /** Why the last file could not be opened. */
  readonly error: ConvError | null;
  readonly onChannels: (channels: PictureChannels) => void;
}

/** A picture as x: from a file, or drawn by the program. */
export function PictureFields({ pictures, channels, error, onChannels }: PictureFieldsProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="picture-fields">
      <Button onClick={() => input.current?.click()}>
        <ImageIcon />
        Open an image
        <span class="picture-fields__hint" aria-hidden="true">
          or drop, paste
        </span>
      </Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="image/png,image/jpeg,image/webp,image/*"
        aria-label="image file"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Choosing the same file again must count as a choice.
          event.currentTarget.value = '';
          if (file) pictures.openFile(file, file.name, channels);
        }}
      />
      <div class="rail__buttons">
        {SAMPLE_NAMES.map((name) => (
          <Button key={name} onClick={() => pictures.openSample(name, channels)}>
            {SAMPLE_LABELS[name]}
          </Button>
        ))}
      </div>
      <Segmented
        label="colours of a picture"
        quiet
        options={[
          { value: 'grey', label: '1 channel, grey' },
          { value: 'rgb', label: '3 channels, RGB' },
        ]}
        value={channels === 1 ? 'grey' : 'rgb'}
        onChange={(choice) => onChannels(choice === 'grey' ? 1 : 3)}
      />
      {error && (
        <p class="field-message" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}
