import { type FileContents, shapeText } from '../../formats/format';
import {
  type ArraysOfLayer,
  type FileVerdict,
  type LayerChoice,
  type LayerVerdict,
  ROLES,
  type Role,
} from '../../protocol/verdict';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { arrayName, type Correction } from './judge-request';
import { sentence } from './verdict-text';

interface CorrectionsProps {
  readonly opened: FileContents;
  readonly layer: LayerVerdict;
  readonly onCorrect: (correction: Correction) => void;
}

/** The arrays of a file that are no arguments. */
function arraysOf(opened: FileContents, { layers, unused }: FileVerdict): readonly number[] {
  const used = new Set(layers.flatMap(({ arrays }) => Object.values(arrays)));
  return opened.tensors.flatMap((_, index) =>
    used.has(index) || unused.includes(arrayName(opened, index)) ? [index] : [],
  );
}

/** The other geometries, or assignments of the arrays, that fit as well. Choosing one checks the file again. */
export function Alternatives({
  opened,
  layer,
  verdict,
  onCorrect,
}: CorrectionsProps & { readonly verdict: FileVerdict }) {
  const { alternatives = [], choices = [], told_apart_by = '' } = layer;
  if (alternatives.length === 0) return null;
  const choose = (one: LayerChoice) => {
    if (one.arrays) return onCorrect({ roles: one.arrays, geometry: null });
    if (!one.geometry) return;
    const arrays = arraysOf(opened, verdict);
    onCorrect({ roles: null, geometry: { layer: layer.name, geometry: one.geometry, arrays } });
  };
  return (
    <div class="judged__alternatives grid tight">
      <p>
        <strong>Others fit as well.</strong> {sentence(told_apart_by)}
      </p>
      <ul>
        {alternatives.map((words) => {
          const choice = choices.find((one) => one.words === words);
          return (
            <li key={words}>
              {words}
              {choice && (
                <Button label={`Use ${words}`} onClick={() => choose(choice)}>
                  Use this
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const NONE = '-';

/** Which array is which tensor, to be corrected. */
export function ArrayRoles({
  opened,
  layer,
  correction,
  onCorrect,
}: CorrectionsProps & { readonly correction: Correction }) {
  const { arrays } = layer;
  const options = [
    { value: NONE, label: 'none' },
    ...opened.tensors.map(({ shape }, index) => ({
      value: String(index),
      label: `${arrayName(opened, index)} ${shapeText(shape)}`,
    })),
  ];
  const choose = (role: Role, value: string) => {
    const index = value === NONE ? null : Number(value);
    const others = (Object.entries(arrays) as [Role, number][]).filter(([name, at]) => name !== role && at !== index);
    const roles: ArraysOfLayer = { ...Object.fromEntries(others), ...(index !== null && { [role]: index }) };
    onCorrect({ roles, geometry: null });
  };
  return (
    <details class="judged__roles" open={correction.roles !== null}>
      <summary>Which array is which tensor</summary>
      <div class="judged__selects">
        {ROLES.map((role) => (
          <Select
            key={role}
            label={role}
            options={options}
            value={String(arrays[role] ?? NONE)}
            onChange={(value) => choose(role, value)}
          />
        ))}
      </div>
    </details>
  );
}
