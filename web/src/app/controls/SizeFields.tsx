import { useState } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import type { ConvDesc, SizeName } from '../../protocol/problem';
import { flat } from '../../protocol/shapes';
import { type SizePart, sizesOf } from '../../protocol/size-table';
import { DescField, patchOf } from './DescField';
import { LinkedFieldsToggle } from './LinkToggle';

interface SizeFieldsProps {
  readonly part: SizePart;
  readonly desc: ConvDesc;
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName) => void;
}

/** The numbers of a part: one field while all are equal, unless the user splits it. */
export function SizeFields({ part, desc, error, onChange }: SizeFieldsProps) {
  const [split, setSplit] = useState(false);
  const [first, ...rest] = sizesOf(part).map(({ name }) => name);
  if (!first) return null;
  const common = { desc, error, onChange };
  if (rest.length === 0) return <DescField {...common} field={first} />;
  const values = flat(desc);
  const differ = rest.some((name) => values[name] !== values[first]);
  const apart = differ || split;
  const ofSides = part === 'padding';
  return (
    <div class="axis-fields">
      {apart ? (
        <div>
          {[first, ...rest].map((name) => (
            <DescField key={name} {...common} field={name} shortLabel={name.split('.')[1]} />
          ))}
        </div>
      ) : (
        <DescField
          {...common}
          field={first}
          linked={rest}
          label={ofSides ? 'padding all sides' : part}
          shortLabel={ofSides ? 'all sides' : undefined}
        />
      )}
      <LinkedFieldsToggle
        label={ofSides ? 'padding: same on all sides' : `${part}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setSplit(!linked);
          if (linked && differ) onChange(patchOf(desc, rest, values[first]), first);
        }}
      />
    </div>
  );
}
