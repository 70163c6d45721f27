import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Preset } from '../../lessons/presets';
import type { Address } from '../../link/address';
import type { Problem } from '../../state/problem';
import type { Store } from '../../state/store-types';

export interface Examples {
  /** The open example; null once the problem changes. */
  readonly current: ReadonlySignal<Preset | null>;
  readonly open: (preset: Preset) => Promise<void>;
}

interface Opened {
  readonly preset: Preset;
  readonly problem: Problem;
}

export function createExamples(store: Store, address: Address): Examples {
  const opened = signal<Opened | null>(null);
  return {
    current: computed(() => (opened.value?.problem === store.problem.value ? (opened.value?.preset ?? null) : null)),
    async open(preset) {
      if (await address.open(preset.hash, 'example')) opened.value = { preset, problem: store.problem.peek() };
    },
  };
}
