import type {
  ColumnOrder,
  FoldMode,
  Layout,
  PaddingMode,
  ParameterName,
  Pass,
  ProcessName,
  StageName,
  TensorName,
} from '../protocol/problem';
import type { MainModule as MistakesModule } from '../wasm/generated/mistakes';
import type { MainModule } from '../wasm/module';

/** `true` if both unions have the same members, otherwise `never`. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

interface Names {
  Layout: Layout;
  PaddingMode: PaddingMode;
  Pass: Pass;
  Stage: StageName;
  ColumnOrder: ColumnOrder;
  Process: ProcessName;
  FoldMode: FoldMode;
}

type AllTrue<Checks extends Readonly<Record<string, true>>> = Checks;

/** Compile-time check that the page's names are those of the C++ enumerators. */
export type SameNames = AllTrue<
  { [Name in keyof Names]: Same<keyof MainModule[Name], Names[Name]> } & {
    Slot: Same<keyof MainModule['Slot'] & TensorName, TensorName>;
    Parameter: Same<keyof MistakesModule['Parameter'], ParameterName>;
  }
>;
