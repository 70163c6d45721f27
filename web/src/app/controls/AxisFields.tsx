import { useState } from 'preact/hooks';
import type { BoundedField } from '../../geometry/bounds';
import type { ConvError } from '../../protocol/errors';
import type { ConvDesc } from '../../protocol/problem';
import { DescField } from './DescField';
import { fieldValue, patchOf } from './fields';
import { LinkToggle } from './LinkToggle';

interface AxisFieldsProps {
  readonly desc: ConvDesc;
  /** "stride": the name of the pair, and of the one field while both are the same. */
  readonly label: string;
  readonly rows: BoundedField;
  readonly cols: BoundedField;
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: BoundedField) => void;
}

/** A number for each axis, one field as long as both are the same. */
export function AxisFields({ desc, label, rows, cols, error, onChange }: AxisFieldsProps) {
  const differ = fieldValue(desc, rows) !== fieldValue(desc, cols);
  const [wanted, setWanted] = useState(false);
  const apart = differ || wanted;
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
      <LinkToggle
        label={`${label}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setWanted(!linked);
          if (linked && differ) onChange(patchOf(desc, [cols], fieldValue(desc, rows)), cols);
        }}
      />
    </div>
  );
}
