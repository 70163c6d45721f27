import { Select } from '../../../ui/controls/Choice';
import type { FigureSubject } from './subjects';

interface SubjectChoiceProps {
  readonly subjects: readonly FigureSubject[];
  readonly index: number;
  readonly heading: string;
  readonly onIndex: (index: number) => void;
  /** Null: use the title of the subject. */
  readonly onTitle: (title: string | null) => void;
}

/** The subject of the figure and its title. */
export function SubjectChoice({ subjects, index, heading, onIndex, onTitle }: SubjectChoiceProps) {
  return (
    <>
      <Select
        label="content"
        options={subjects.map(({ label }, i) => ({ value: String(i), label }))}
        value={String(index)}
        onChange={(value) => {
          onIndex(Number(value));
          onTitle(null);
        }}
      />
      <label class="picture__title">
        title
        <input type="text" value={heading} maxLength={120} onInput={(event) => onTitle(event.currentTarget.value)} />
      </label>
    </>
  );
}
