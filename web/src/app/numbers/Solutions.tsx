import { useId } from 'preact/hooks';
import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import type { Page } from '../page/page';
import { solutionText } from './solution-text';
import type { Solution } from './solve';

interface SolutionsProps {
  readonly solutions: readonly Solution[];
  readonly picked: number;
  /** What to do if another one is right. */
  readonly note: string;
  readonly onPick: (index: number) => void;
}

/** The geometries that all sizes of the file permit, the likeliest first. */
export function Solutions({ solutions, picked, note, onPick }: SolutionsProps) {
  const name = useId();
  const [only, ...others] = solutions;
  if (!only?.isSolved) return null;
  if (others.length === 0) return <p class="numbers__only">{solutionText(only)}</p>;
  return (
    <fieldset class="numbers__solutions">
      <legend>The sizes fit {solutions.length} convolutions, the likeliest first:</legend>
      {solutions.map((solution, index) => (
        <label key={solutionText(solution)}>
          <input type="radio" name={name} checked={index === picked} onChange={() => onPick(index)} />
          <span>{solutionText(solution)}</span>
        </label>
      ))}
      <p class="value-source__note">{note}</p>
    </fieldset>
  );
}

function geometryOf(desc: ConvDesc) {
  const { stride_h, stride_w, dilation_h, dilation_w, padding_mode } = desc;
  return { stride_h, stride_w, dilation_h, dilation_w, padding_mode, padding: resolvePadding(desc) };
}

/** Changes the geometry after the import: sizes cannot tell the solutions apart, but values can. */
export function GeometryChoice({ page, solutions }: { readonly page: Page } & Pick<SolutionsProps, 'solutions'>) {
  const { store } = page;
  const current = JSON.stringify(geometryOf(store.problem.value.desc));
  return (
    <Solutions
      solutions={solutions}
      picked={solutions.findIndex(({ desc }) => JSON.stringify(geometryOf(desc)) === current)}
      note="If y differs below, try another one."
      onPick={(index) => {
        const { desc } = solutions[index] ?? {};
        if (desc) store.setDesc(geometryOf(desc));
      }}
    />
  );
}
