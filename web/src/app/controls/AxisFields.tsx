import { useState } from 'preact/hooks';
import type { BoundedField } from '../../geometry/bounds';
import type { ConvError } from '../../protocol/errors';
import type { ConvDesc } from '../../protocol/problem';
import { DescField } from './DescField';
import { fieldValue, patchOf } from './fields';
import { LinkedFieldsToggle } from './LinkToggle';

interface AxisFieldsProps {
  readonly desc: ConvDesc;
  /** Name of the pair, such as "stride", and of the single field while both values are equal. */
  readonly label: string;
  readonly rows: BoundedField;
  readonly cols: BoundedField;
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: BoundedField) => void;
}

/** A number for each axis; one field while both are equal. */
export function AxisFields({ desc, label, rows, cols, error, onChange }: AxisFieldsProps) {
  const differ = fieldValue(desc, rows) !== fieldValue(desc, cols);
  const [split, setSplit] = useState(false);
  const apart = differ || split;
  const common = { desc, error, onChange };
  return (
    <div class="axis-fields">
      {apart ? (
        <div>
          <DescField {...common} field={rows} label={`${label} height`} />
          <DescField {...common} field={cols} label={`${label} width`} />
        </div>
      ) : (
        <DescField {...common} field={rows} linked={[cols]} label={label} />
      )}
      <LinkedFieldsToggle
        label={`${label}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setSplit(!linked);
          if (linked && differ) onChange(patchOf(desc, [cols], fieldValue(desc, rows)), cols);
        }}
      />
    </div>
  );
}
