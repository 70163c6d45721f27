import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Hideable, Lockable } from '../../look/look';
import type { LookStore } from '../../look/look-store';
import type { ConvDesc, SizeName } from '../../protocol/problem';
import { PARTS, SIZE_PARTS, type SizePart } from '../../protocol/size-table';
import { openOf } from '../../state/problem';
import { Checkbox } from '../../ui/controls/Choice';
import { LINES } from '../page/icons';
import type { Page } from '../page/page';
import { isOpen, SECTIONS, type SectionId, sectionOf, setOpen } from '../page/sections';
import { Files } from './Files';
import { FieldError, PaddingFields, SizeFields } from './SizeFields';
import { DySourceField, sectionState, ValueSource } from './ValueSource';
import './controls.css';

const partsOf = (section: string): readonly SizePart[] => SIZE_PARTS.filter((part) => PARTS[part].section === section);
const SIZE_SECTIONS = { moves: partsOf('moves'), x: partsOf('x'), w: partsOf('w') };

/** Sizes of x that follow from the layer before. */
const FOLLOWING: ReadonlySet<SizePart> = new Set(['height', 'width', 'channels']);

export function Controls({ page }: { readonly page: Page }) {
  const { store, look } = page;
  const problem = store.problem.value;
  const { desc, b, fixed } = openOf(problem);
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
    state: sectionState(id, problem),
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
        {!fixed.x && !look.absent.value.includes('values.x') && <Files page={page} error={refused} />}
        {wrong('x', 'image')}
      </Section>
      <Section {...of('w')} parts={[...SIZE_SECTIONS.w, 'values.w', 'values.b']}>
        {sizes('w')}
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
        {values('dy', <DySourceField store={store} />)}
        {wrong('dy')}
      </Section>
    </>
  );
}

interface SectionProps {
  readonly look: LookStore;
  /** The section is not rendered if all of them are hidden. */
  readonly parts: readonly Hideable[];
  readonly id: SectionId;
  /** The settings in one line, shown while the section is closed. */
  readonly state: string;
  readonly wrong: boolean;
  readonly children: ComponentChildren;
}

function Section({ id, look, parts, state, wrong, children }: SectionProps) {
  if (parts.every((part) => look.absent.value.includes(part))) return null;
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

interface LockedFieldsProps {
  readonly look: LookStore;
  /** Its names in links that lock or hide it. */
  readonly locks: Lockable;
  readonly hides: Hideable;
  readonly children: ComponentChildren;
}

/** Controls that a link may lock or hide. Locked fields stay readable; a focusable lock gives the reason. */
function LockedFields({ look, locks, hides, children }: LockedFieldsProps) {
  const id = useId();
  if (look.absent.value.includes(hides)) return null;
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
