import { signal } from '@preact/signals';
import type { SizeName } from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';
import { readStored, writeStored } from '../../storage/storage';

/** Sections of the controls, the ones that are changed most often first. */
export const SECTIONS = [
  { id: 'moves', symbol: '↔', title: 'padding, stride, dilation' },
  { id: 'x', symbol: 'x', title: 'input' },
  { id: 'w', symbol: 'w', title: 'kernel' },
  { id: 'dy', symbol: 'dy', title: 'upstream gradient' },
] as const;
export type SectionId = (typeof SECTIONS)[number]['id'];

const STORAGE_KEY = 'sections';
const stored = readStored('localStorage', STORAGE_KEY)?.split(' ') ?? ['moves'];

const opened = signal<readonly SectionId[]>(SECTIONS.map(({ id }) => id).filter((id) => stored.includes(id)));

/** The section that the current step of a lesson is about; it is open. */
export const pointedSection = signal<SectionId | null>(null);

export const isOpen = (id: SectionId): boolean => opened.value.includes(id) || pointedSection.value === id;

/** Opens or closes a section; this browser remembers it. */
export function setOpen(id: SectionId, open: boolean): void {
  const others = opened.peek().filter((other) => other !== id);
  opened.value = open ? [...others, id] : others;
  writeStored('localStorage', STORAGE_KEY, opened.peek().join(' '));
}

/** The section of a field of ConvDesc or of a tensor, as in errors; null: none. */
export function sectionOf(field: string): SectionId | null {
  const size = SIZES[field as SizeName];
  if (size) return size.section;
  if (field === 'padding_mode') return 'moves';
  if (field === 'image') return 'x';
  if (field === 'b') return 'w';
  return SECTIONS.find(({ id }) => id === field)?.id ?? null;
}
