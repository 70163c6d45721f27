import type { ComponentChildren } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { DENSE_LABEL, denseText, denseWindow, isDense } from '../../layers/conv/dense';
import type { Hideable, Lockable } from '../../look/look';
import type { LookStore } from '../../look/look-store';
import type { ConvDesc, ConvError, SizeName } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { PARTS, SIZE_PARTS, type SizePart } from '../../protocol/size-table';
import { SAMPLE_LABELS, SAMPLE_NAMES } from '../../sources/tensor-sources';
import { isPhoto } from '../../state/exchange';
import { Button } from '../../ui/controls/Button';
import { Checkbox, FileButton, Segmented } from '../../ui/controls/Choice';
import { useImport, useSaveArrays } from '../numbers/use-import';
import { ImageIcon, LINES } from '../page/icons';
import { imageActionsOf } from '../page/image-actions';
import type { Page } from '../page/page';
import { isOpen, SECTIONS, type SectionId, sectionOf, setOpen } from '../page/sections';
import { FieldError, LossField, PaddingFields, SizeFields, sectionState, ValueSource } from './SizeFields';
import './controls.css';

interface FilesProps {
  readonly page: Page;
  /** Why the last image could not be opened. */
  readonly error: ConvError | null;
}

/** Opens images, imports arrays from a file, and copies or saves them. */
function Files({ page, error }: FilesProps) {
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
  const { desc } = store.layer.value;
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
          { value: 1, label: '1 channel, gray' },
          { value: 3, label: '3 channels, RGB' },
        ]}
        value={shown ?? channels.value}
        onChange={(choice) => {
          channels.value = choice;
          if (shown !== null) images.recolor(channels.value);
        }}
      />
      {shown === 3 && desc.k % 3 === 0 && (
        <>
          <Segmented
            label="color channels per filter"
            quiet
            options={[
              { value: 3, label: 'one color each' },
              { value: 1, label: 'all colors' },
            ]}
            value={desc.groups}
            onChange={(groups) => store.setDesc({ groups }, { field: 'groups' })}
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

/** What a dense layer sets. */
const DENSE_PARTS = ['kernel', 'stride', 'dilation', 'padding'] as const;

/** Gives the kernel the size of x, and says that this is a dense layer. */
function DenseCard({ desc, onDense }: { desc: ConvDesc; onDense: (patch: Partial<ConvDesc>) => void }) {
  const known = isDense({ ...desc, padding: resolvePadding(desc) });
  return (
    <div class="value-source grid tight">
      {!known && <Button onClick={() => onDense(denseWindow(desc))}>{DENSE_LABEL}</Button>}
      <p class="value-source__note note">{denseText(known)}</p>
    </div>
  );
}

const pixels = ([w, h]: readonly [w: number, h: number]) => `${w} × ${h}`;

const partsOf = (section: string) => SIZE_PARTS.filter((part) => PARTS[part].section === section);
const SIZE_SECTIONS = { moves: partsOf('moves'), x: partsOf('x'), w: partsOf('w') };

/** Sizes of x that follow from the layer before. */
const FOLLOWING: ReadonlySet<SizePart> = new Set(['height', 'width', 'channels']);

export function Controls({ page }: { page: Page }) {
  const { store, look } = page;
  const problem = store.problem.value;
  const layer = store.layer.value;
  const { desc, b, fixed } = layer;
  const draft = store.draft.value;
  const error = draft && { ...draft.error, field: draft.error.field || draft.field };
  const refusal = page.images.refusal.value;
  const refused = refusal?.problem === problem ? refusal.error : null;
  const common = {
    desc,
    error,
    onChange: (patch: Partial<ConvDesc>, field: SizeName | 'padding_mode') =>
      store.setDesc(patch, { gesture: field, field }),
  };
  const note = (text: string | undefined) => text && <p class="value-source__note note">{text}</p>;
  const sizes = (section: keyof typeof SIZE_SECTIONS) =>
    SIZE_SECTIONS[section]
      .filter((part) => !FOLLOWING.has(part) || !fixed.x)
      .map((part) => (
        <LockedFields key={part} look={look} locks={part} hides={part}>
          {part === 'padding' ? <PaddingFields {...common} /> : <SizeFields {...common} part={part} />}
        </LockedFields>
      ));
  const values = (tensor: 'x' | 'w' | 'b' | 'dy', fields: ComponentChildren) => (
    <LockedFields look={look} locks={tensor} hides={`values.${tensor}`}>
      {fields}
    </LockedFields>
  );
  const wrong = (...tensors: string[]) => <FieldError error={error && tensors.includes(error.field) ? error : null} />;
  const of = (id: SectionId) => ({
    id,
    look,
    state: sectionState(id, layer, problem),
    // The field at fault is in view.
    wrong: (error && [error.field, sectionOf(error.field)].includes(id)) || (id === 'x' && refused !== null),
  });
  return (
    <>
      <Section {...of('moves')} parts={SIZE_SECTIONS.moves}>
        {sizes('moves')}
      </Section>
      <Section {...of('x')} parts={[...SIZE_SECTIONS.x, 'values.x']}>
        {sizes('x')}
        {note(fixed.x && `x is the ${fixed.x}.`)}
        {!fixed.x && values('x', <ValueSource tensor="x" store={store} />)}
        {!fixed.x && !look.hiddenParts.value.includes('values.x') && <Files page={page} error={refused} />}
        {wrong('x', 'image')}
      </Section>
      <Section {...of('w')} parts={[...SIZE_SECTIONS.w, 'values.w', 'values.b']}>
        {sizes('w')}
        {DENSE_PARTS.every((part) => !look.hiddenParts.value.includes(part) && !look.locked.value.includes(part)) && (
          <DenseCard desc={desc} onDense={(patch) => store.setDesc(patch, { field: 'kh' })} />
        )}
        {values('w', <ValueSource tensor="w" store={store} />)}
        {values(
          'b',
          <Checkbox
            label="bias b"
            checked={b !== null}
            onChange={(on) => (on ? store.setSource('b', { kind: 'constant', value: 1 }) : store.removeBias())}
          />,
        )}
        {wrong('w', 'b')}
      </Section>
      <Section {...of('dy')} parts={['values.dy']}>
        {note(fixed.dy && `dy is the ${fixed.dy}. At the end of the network:`)}
        {values('dy', <LossField store={store} />)}
        {wrong('dy')}
      </Section>
    </>
  );
}

function Section({
  id,
  look,
  parts,
  state,
  wrong,
  children,
}: {
  look: LookStore;
  /** The section is not rendered if all of them are hidden. */
  parts: readonly Hideable[];
  id: SectionId;
  /** The settings in one line, shown while the section is closed. */
  state: string;
  wrong: boolean;
  children: ComponentChildren;
}) {
  if (parts.every((part) => look.hiddenParts.value.includes(part))) return null;
  const section = SECTIONS.find((entry) => entry.id === id);
  const open = wrong || isOpen(id);
  return (
    <section class="rail__section" id={`controls-${id}`}>
      <h2>
        <button type="button" class="rail__head wrap lit" aria-expanded={open} onClick={() => setOpen(id, !open)}>
          {id !== 'moves' && (
            <span class="symbol" style={{ color: `var(--id-${id.replace('d', '')})` }}>
              {id}
            </span>
          )}
          {section?.title}
          {!open && (
            <>
              <span class="visually-hidden">: </span>
              <span class="rail__state note">{state}</span>
            </>
          )}
        </button>
      </h2>
      {open && <div class="grid tight">{children}</div>}
    </section>
  );
}

/** Controls that a link may lock or hide. Locked fields stay readable; a focusable lock gives the reason. */
function LockedFields({
  look,
  locks,
  hides,
  children,
}: {
  look: LookStore;
  /** Its names in links that lock or hide it. */
  locks: Lockable;
  hides: Hideable;
  children: ComponentChildren;
}) {
  const id = useId();
  if (look.hiddenParts.value.includes(hides)) return null;
  if (!look.locked.value.includes(locks)) return <>{children}</>;
  return (
    <div class="held">
      <fieldset class="held__inside grid tight" disabled>
        {children}
      </fieldset>
      <button
        type="button"
        class="held__lock soft"
        aria-disabled
        aria-label={`${locks === hides ? `the ${locks}` : locks}: locked`}
        aria-describedby={id}
      >
        <svg {...LINES} width="12" height="14" viewBox="0 0 12 14" stroke-width="1.5" aria-hidden="true">
          <rect x="1.5" y="6" width="9" height="7" rx="1.5" />
          <path d="M3.5 6V4a2.5 2.5 0 0 1 5 0v2" />
        </svg>
      </button>
      <span id={id} class="held__why caption">
        {look.exercise.value ? 'Locked during the exercise.' : 'Locked by this link.'}
      </span>
    </div>
  );
}
