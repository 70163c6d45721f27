import type {
  ColumnOrder,
  FoldMode,
  Layout,
  LossName,
  PaddingMode,
  ParameterName,
  Pass,
  ProcessName,
  StageName,
  TensorName,
} from '../protocol/problem';
import type { MainModule } from '../wasm/module';

/** `true` if both unions have the same members, otherwise `never`. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Compile-time check that the page's names are those of the C++ enumerators. */
export const sameNames: {
  Layout: Same<keyof MainModule['Layout'], Layout>;
  PaddingMode: Same<keyof MainModule['PaddingMode'], PaddingMode>;
  Pass: Same<keyof MainModule['Pass'], Pass>;
  Stage: Same<keyof MainModule['Stage'], StageName>;
  ColumnOrder: Same<keyof MainModule['ColumnOrder'], ColumnOrder>;
  Process: Same<keyof MainModule['Process'], ProcessName>;
  FoldMode: Same<keyof MainModule['FoldMode'], FoldMode>;
  Loss: Same<keyof MainModule['Loss'], LossName>;
  Parameter: Same<keyof MainModule['Parameter'], ParameterName>;
  Slot: Same<keyof MainModule['Slot'] & TensorName, TensorName>;
} = {
  Layout: true,
  PaddingMode: true,
  Pass: true,
  Stage: true,
  ColumnOrder: true,
  Process: true,
  FoldMode: true,
  Loss: true,
  Parameter: true,
  Slot: true,
};
