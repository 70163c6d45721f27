import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { PRESET_GROUPS, type PresetGroup, type PresetId } from '../../lessons/presets';
import type { Address } from '../../link/address';
import type { Problem } from '../../state/problem';
import type { Store } from '../../state/store-types';
import { Select } from '../../ui/controls/Choice';

const GROUPS = PRESET_GROUPS.map(({ label, presets }: PresetGroup) => ({
  label,
  options: presets.map((preset) => ({ value: preset.id as PresetId | '', label: labelOf(label, preset.label) })),
}));

/** Numbered examples need their book's name when the list is closed. */
function labelOf(group: string, label: string): string {
  return /^\d+$/.test(label) ? `${group.toLowerCase()} ${label}` : label;
}

interface Opened {
  readonly id: PresetId | '';
  /** What to look at; without an id, why the last choice could not be opened. */
  readonly text: string;
  readonly problem: Problem;
}

/** Problems worth seeing, with a word on what to look at for as long as nothing was changed. */
export function PresetField({ store, address }: { readonly store: Store; readonly address: Address }) {
  const opened = useMemo(() => signal<Opened | null>(null), []);
  const current = opened.value?.problem === store.problem.value ? opened.value : null;
  const open = async (id: PresetId) => {
    try {
      const { LESSONS } = await import('../../lessons/lessons');
      const { hint, hash } = LESSONS[id];
      if (await address.open(hash, 'example')) opened.value = { id, text: hint, problem: store.problem.value };
    } catch (cause) {
      const text = `the example could not be fetched: ${cause}`;
      opened.value = { id: '', text, problem: store.problem.value };
    }
  };
  return (
    <section class="rail__section">
      <Select
        label="example"
        options={[]}
        groups={GROUPS}
        value={current?.id ?? ''}
        placeholder="choose one …"
        onChange={(id) => {
          if (id) void open(id);
        }}
      />
      {current?.id === '' ? (
        <p class="field-message" role="alert">
          {current.text}
        </p>
      ) : (
        <p class="rail__hint">{current?.text ?? ''}</p>
      )}
    </section>
  );
}
