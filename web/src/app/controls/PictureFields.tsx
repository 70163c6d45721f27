import { useRef } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import { SAMPLE_LABELS, SAMPLE_NAMES } from '../../sources/samples/names';
import { isPhoto, type Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { ImageIcon } from '../icons';
import type { PictureChannels } from '../picture-room';
import type { Pictures } from '../pictures';

interface PictureFieldsProps {
  readonly problem: Problem;
  readonly pictures: Pictures;
  /** Of the next picture. */
  readonly channels: PictureChannels;
  /** Why the last file could not be opened. */
  readonly error: ConvError | null;
  readonly onChannels: (channels: PictureChannels) => void;
  readonly onGroups: (groups: number) => void;
}

/** A picture as x: from a file, or drawn by the program. */
export function PictureFields(props: PictureFieldsProps) {
  const { problem, pictures, channels, error, onChannels, onGroups } = props;
  const input = useRef<HTMLInputElement>(null);
  const { desc, x } = problem;
  const shown = isPhoto(x.source) && (desc.c === 1 || desc.c === 3) ? desc.c : null;
  const reduced = pictures.originOf(x.source)?.reduced;
  return (
    <div class="picture-fields">
      <Button onClick={() => input.current?.click()}>
        <ImageIcon />
        Open an image
        <span class="picture-fields__hint" aria-hidden="true">
          drop, paste
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
        value={(shown ?? channels) === 1 ? 'grey' : 'rgb'}
        onChange={(choice) => {
          const wanted = choice === 'grey' ? 1 : 3;
          onChannels(wanted);
          if (shown !== null) pictures.recolour(wanted);
        }}
      />
      {shown === 3 && desc.k % 3 === 0 && <Groups groups={desc.groups} onGroups={onGroups} />}
      {reduced && (
        <p class="value-source__note">
          {x.source.kind === 'file' && x.source.name} was {pixels(reduced.from)}; it was reduced to {pixels(reduced.to)}
          .
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

/** What three channels make of the filters. */
const Groups = ({ groups, onGroups }: GroupsProps) => (
  <>
    <Segmented
      label="what a filter sees of an RGB picture"
      quiet
      options={[
        { value: '3', label: 'one colour each' },
        { value: '1', label: 'all colours' },
      ]}
      value={String(groups)}
      onChange={(choice) => onGroups(Number(choice))}
    />
    <p class="value-source__note">
      {groups === 3
        ? '3 channels in 3 groups: each filter sees one colour, and y has it filtered.'
        : '3 channels in 1 group: each filter has weights for all colours and adds them up.'}
    </p>
  </>
);
