import { GRADIENTS, type Lesson, type Pointer, type Step } from '../../lessons/lesson';
import type { StepRef } from '../../lessons/lessons';
import { HIDEABLE } from '../../look/look';
import { PADDING_MODES } from '../../protocol/problem';
import { PARTS, SIZE_PARTS } from '../../protocol/size-table';
import { pointersOf } from './pointers';

/** Parts that stay in every step. `hide` also reveals a hidden value. */
const STAYS: readonly string[] = ['side.lesson', 'undo', 'redo', 'copy-link', 'hide'];

/** Put aside in every lesson: the way to the lessons. */
export const ALWAYS: readonly string[] = ['lessons'];

/**
 * The parts of the page that a step does not speak of: other views, tabs, settings and commands by their names in links, and gradients.
 * 'backward': the whole backward pass, with the loss.
 */
export function besides({ lesson, step }: StepRef): readonly string[] {
  const named = pointersOf(step).flatMap(partsAt);
  const hasControls = named.some((part) => !part.startsWith('mode.'));
  const stays = [...STAYS, ...named, ...(hasControls ? ['controls'] : [])];
  return [...HIDEABLE.filter((part) => !stays.includes(part)), ...gradientsBeside(lesson, step)];
}

const hasLoss = (link: string): boolean => /&dy=(mse|log_cosh)/.test(link);

function gradientsBeside(lesson: Lesson, { gradients = lesson.gradients, link }: Step): readonly string[] {
  const away = GRADIENTS.filter((name) => !gradients.includes(name));
  return gradients.length === 0 && !hasLoss(link) ? ['backward', ...away] : away;
}

/** The parts that a pointer is in. */
function partsAt(pointer: Pointer): readonly string[] {
  const [kind, name = ''] = pointer.split(':');
  if (kind === 'tab') return [`mode.${name}`];
  if (kind === 'field') return SIZE_PARTS.filter((part) => name in PARTS[part].sizes);
  if (kind === 'controls') return name === 'w' ? ['values.w', 'values.b'] : [`values.${name}`];
  return kind === 'option' && PADDING_MODES.some((mode) => mode === name) ? ['padding'] : [];
}
