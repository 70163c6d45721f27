import { type ReadonlySignal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Content, Tensors } from '../../../protocol/messages';
import type { ResultName, Tensor, TensorName } from '../../../protocol/problem';
import type { Bug } from '../../../protocol/questions';
import { Equation } from '../../../views/shared/Equation';
import { TensorPanel } from '../../../views/shared/TensorPanel';
import { useViewModel, type View, ViewModelProvider } from '../../../views/shared/view-model';
import { perPage } from '../../page/page';

/** The result of a bug, and the problem with the correct result. */
export interface Findings {
  readonly content: Content;
  readonly tensor: ResultName;
  /** "C" */
  readonly name: string;
  readonly bug: Bug;
}

/** What a result is computed from: below it, if there is room. */
const ORIGINS: Readonly<Record<ResultName, readonly TensorName[]>> = {
  ...{ y: ['x', 'w'], dx: ['dy', 'w'], dw: ['x', 'dy'], db: ['dy'] },
};

const NO_DIFFERENCES = signal<Tensors>({});

/** While a bug is open, its result minus the correct one stands in place of the Overview. */
export const bugPictureOf = perPage(() => {
  const findings = signal<Findings | null>(null);
  const Component = () => <BugPicture findings={findings} />;
  const parts: Partial<View> = { Component, Settings: undefined, Player: undefined };
  return { findings, parts };
});

function BugPicture({ findings }: { findings: ReadonlySignal<Findings | null> }) {
  const model = useViewModel();
  const found = findings.value;
  const terms = useMemo(() => {
    if (!found) return [];
    const { content, tensor, name, bug } = found;
    const right = content.tensors[tensor] ?? bug.wrong;
    const term = (subtitle: string, label: string, values: Tensor, sign?: string) => {
      const shownIn = signal({ ...content, tensors: { ...content.tensors, [tensor]: values } });
      const panel = (size: number) => (
        <ViewModelProvider value={{ ...model, content: shownIn, differences: NO_DIFFERENCES }}>
          <TensorPanel {...{ tensor, subtitle, label, size }} />
        </ViewModelProvider>
      );
      return { name: tensor, panel, ...(sign ? { sign } : {}) };
    };
    const drawn = [
      // On the color scale of the correct result, so that differences are visible.
      term(`with bug ${name}`, `${tensor} with bug ${name}`, { ...bug.wrong, stats: right.stats }),
      term('correct', `correct ${tensor}`, right, '−'),
      term('error', `error of bug ${name} in ${tensor}`, bug.difference, '='),
    ];
    return drawn.map((each, i) => ({ ...each, origin: ORIGINS[tensor][i] }));
  }, [found, model]);
  const shown = useMemo(() => found && { ...model, content: signal(found.content) }, [found, model]);
  return (
    shown && (
      <ViewModelProvider value={shown}>
        <Equation terms={terms} />
      </ViewModelProvider>
    )
  );
}
