import { useId } from 'preact/hooks';
import { solutionText } from './solution-text';
import type { Solution } from './solve';

interface SolutionsProps {
  readonly solutions: readonly Solution[];
  readonly picked: number;
  readonly onPick: (index: number) => void;
}

/** The geometries that all sizes of the file permit, the likeliest first. */
export function Solutions({ solutions, picked, onPick }: SolutionsProps) {
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
      <p class="value-source__note">
        If another one is right, set its stride and padding on the page, and import the file again.
      </p>
    </fieldset>
  );
}
