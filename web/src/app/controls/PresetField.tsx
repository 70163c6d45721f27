import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { PRESET_GROUPS, type Preset } from '../../lessons/presets';
import type { Problem } from '../../state/problem';
import { readLink } from '../../state/read-link';
import type { Store } from '../../state/store-types';
import { Select } from '../../ui/controls/Choice';

const PRESETS = PRESET_GROUPS.flatMap(({ presets }) => presets);
const GROUPS = PRESET_GROUPS.map(({ label, presets }) => ({
  label,
  options: presets.map((preset) => ({ value: preset.id, label: labelOf(label, preset) })),
}));

/** Numbered examples need their book's name when the list is closed. */
function labelOf(group: string, { label }: Preset): string {
  return /^\d+$/.test(label) ? `${group.toLowerCase()} ${label}` : label;
}

interface Opened {
  readonly id: string;
  readonly problem: Problem;
}

/** Problems worth seeing, with a word on what to look at for as long as nothing was changed. */
export function PresetField({ store }: { readonly store: Store }) {
  const opened = useMemo(() => signal<Opened | null>(null), []);
  const current = opened.value?.problem === store.problem.value ? opened.value.id : '';
  const preset = PRESETS.find(({ id }) => id === current);
  return (
    <section class="rail__section">
      <Select
        label="example"
        options={[]}
        groups={GROUPS}
        value={current}
        placeholder="choose one …"
        onChange={(id) => {
          const chosen = PRESETS.find((candidate) => candidate.id === id);
          if (!chosen) return;
          void readLink(chosen.hash).then(store.openLink);
          opened.value = { id, problem: store.problem.value };
        }}
      />
      <p class="rail__hint">{preset?.hint ?? ''}</p>
    </section>
  );
}
