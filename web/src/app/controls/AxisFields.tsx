import { useState } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import type { ConvDesc, SizeName } from '../../protocol/problem';
import { flat } from '../../protocol/shapes';
import { DescField } from './DescField';
import { patchOf } from './fields';
import { LinkedFieldsToggle } from './LinkToggle';

interface AxisFieldsProps {
  readonly desc: ConvDesc;
  /** Name of the pair, such as "stride", and of the single field while both values are equal. */
  readonly label: string;
  readonly rows: SizeName;
  readonly cols: SizeName;
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName) => void;
}

/** A number for each axis; one field while both are equal. */
export function AxisFields({ desc, label, rows, cols, error, onChange }: AxisFieldsProps) {
  const values = flat(desc);
  const differ = values[rows] !== values[cols];
  const [split, setSplit] = useState(false);
  const apart = differ || split;
  const common = { desc, error, onChange };
  return (
    <div class="axis-fields">
      {apart ? (
        <div>
          <DescField {...common} field={rows} />
          <DescField {...common} field={cols} />
        </div>
      ) : (
        <DescField {...common} field={rows} linked={[cols]} label={label} />
      )}
      <LinkedFieldsToggle
        label={`${label}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setSplit(!linked);
          if (linked && differ) onChange(patchOf(desc, [cols], values[rows]), cols);
        }}
      />
    </div>
  );
}
