import { GROUPS, type Preset } from './preset';

const FILES = import.meta.glob<{ readonly preset: Preset }>('./presets/*.ts', { eager: true });

/** All presets by the names of their files. */
export const PRESETS: Readonly<Record<string, Preset>> = Object.fromEntries(
  Object.entries(FILES).map(([path, { preset }]) => [path.replace(/^.*\/|\.ts$/g, ''), preset]),
);

/** Presets by group, in display order. */
export const PRESET_GROUPS = GROUPS.map(({ id, title }) => ({
  title,
  presets: Object.values(PRESETS)
    .filter(({ group }) => group === id)
    .sort((a, b) => a.order - b.order),
}));
