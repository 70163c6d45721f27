import { yShape } from '../../protocol/shapes';
import { DY_SOURCES, type DySource, dyEntry } from '../../sources/dy-sources';
import { DY_WORDS } from '../../sources/dy-words';
import type { Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';

interface DySourceFieldProps {
  readonly problem: Problem;
  /** The current dy; null while it is being computed. */
  readonly dy: Float32Array | null;
  readonly onChange: (source: DySource) => void;
}

const OPTIONS = DY_SOURCES.map(({ kind }) => ({
  value: kind,
  label: DY_WORDS[kind].label,
  hint: DY_WORDS[kind].description,
}));

/** The source of the upstream gradient. Its cells can also be edited in the grid. */
export function DySourceField({ problem, dy, onChange }: DySourceFieldProps) {
  const source = problem.dy;
  const entry = dyEntry(source);
  const next = entry.another?.(source);
  return (
    <div class="value-source">
      <Select
        label="values"
        options={OPTIONS}
        value={source.kind}
        onChange={(kind) => {
          const chosen = DY_SOURCES.find((candidate) => candidate.kind === kind);
          if (chosen) onChange(chosen.make({ shape: yShape(problem.desc), dy }));
        }}
      />
      {next && (
        <Button label="Shuffle dy" onClick={() => onChange(next)}>
          Shuffle
        </Button>
      )}
      <p class="value-source__note">
        {DY_WORDS[source.kind].description}
        {entry.loss?.target(source) === null && ' The target is 0 until you choose one in the menu of dy.'}
      </p>
    </div>
  );
}
