import type { LossName } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { DyEntry } from './dy-entry';

/** The gradient of a loss between y and a target of y's length (null: 0 everywhere). */
interface Loss<Name extends LossName> {
  readonly kind: Name;
  readonly target: Float32Array | null;
}

function loss<Name extends 'mse' | 'log_cosh'>(kind: Name): DyEntry<Loss<Name>> {
  const toward = (target: Float32Array | null): Loss<Name> => ({ kind, target });
  return {
    kind,
    make: () => toward(null),
    write: ({ target }) => (target === null ? { argument: '0' } : { values: target }),
    read({ argument, hasValues, values, shape }) {
      if (!hasValues) return argument === '0' ? toward(null) : null;
      const target = values(shapeSize(shape));
      return target && toward(target);
    },
    bare: () => toward(null),
    fault({ target }, y) {
      const cells = shapeSize(y);
      if (!target || target.length === cells) return null;
      return {
        wrong: `the target has ${target.length} values, but y has ${cells}`,
        right: `${kind} and a target of ${cells} values, one for each cell of y`,
      };
    },
    resize: ({ target }, { whole }) => toward(target && whole(target)),
    arrays: ({ target }) => (target ? [target] : []),
    send: ({ target }) => ({ kind, target }),
    loss: { name: kind, target: ({ target }) => target, toward },
  };
}

export const mse = loss('mse');

export const logCosh = loss('log_cosh');
