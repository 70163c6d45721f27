import { COUNTS, type ConvDesc, type Geometry, SIDES } from '../protocol/problem';
import type { MainModule } from '../wasm/module';
import { checkCount, checkFields, checkMember, nameOfMember } from './validate';

type EmbindDesc = Parameters<MainModule['set_problem']>[1];
type EmbindGeometry = ReturnType<MainModule['set_problem']>['geometry'];

/** Reads the integers `names` from `record`. */
function counts<Name extends string>(
  record: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  prefix = '',
): Record<Name, number> {
  const entries = names.map((name) => [name, checkCount(record[name], prefix + name)] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Checks the types of a ConvDesc and converts it for Embind. The library checks the values. */
export function embindDesc(module: Pick<MainModule, 'Layout' | 'PaddingMode'>, desc: ConvDesc): EmbindDesc {
  const fields = checkFields(desc, ['layout', ...COUNTS, 'padding_mode', 'padding'], 'desc');
  const padding = checkFields(fields.padding, SIDES, 'padding', 'padding.');
  return {
    layout: checkMember(module.Layout, fields.layout, 'layout'),
    ...counts(fields, COUNTS),
    padding_mode: checkMember(module.PaddingMode, fields.padding_mode, 'padding_mode'),
    padding: counts(padding, SIDES, 'padding.'),
  };
}

export const plainGeometry = (module: MainModule, geometry: EmbindGeometry): Geometry => ({
  ...geometry,
  layout: nameOfMember(module.Layout, geometry.layout),
});
