import type { Pointer } from '../../lessons/lesson';
import type { StepRef } from '../../lessons/lessons';
import { HIDEABLE } from '../../look/look';
import { PADDING_MODES } from '../../protocol/problem';
import { PARTS, SIZE_PARTS } from '../../protocol/size-table';
import { pointersOf } from './pointers';

/** Parts that stay in every step. `hide` also reveals a hidden value. */
const STAYS: readonly string[] = ['side.lesson', 'lessons', 'undo', 'redo', 'copy-link', 'hide'];

/**
 * The parts of the page that a step does not speak of, by their names in links: other views, tabs, settings and commands. 'backward': all
 * gradients.
 */
export function besides({ lesson, step }: StepRef): readonly string[] {
  const named = pointersOf(step).flatMap(partsAt);
  const hasControls = named.some((part) => !part.startsWith('mode.'));
  const stays = [...STAYS, ...named, ...(hasControls ? ['controls'] : [])];
  return [...HIDEABLE.filter((part) => !stays.includes(part)), ...(lesson.forwardOnly ? ['backward'] : [])];
}

/** The parts that a pointer is in. */
function partsAt(pointer: Pointer): readonly string[] {
  const [kind, name = ''] = pointer.split(':');
  if (kind === 'tab') return [`mode.${name}`];
  if (kind === 'field') return SIZE_PARTS.filter((part) => name in PARTS[part].sizes);
  if (kind === 'controls') return name === 'w' ? ['values.w', 'values.b'] : [`values.${name}`];
  return kind === 'option' && PADDING_MODES.some((mode) => mode === name) ? ['padding'] : [];
}
