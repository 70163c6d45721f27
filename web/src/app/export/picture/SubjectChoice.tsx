import { Select } from '../../../ui/controls/Choice';
import type { Subject } from './subjects';

interface SubjectChoiceProps {
  readonly subjects: readonly Subject[];
  readonly index: number;
  readonly heading: string;
  readonly onIndex: (index: number) => void;
  /** Null: the title of the subject. */
  readonly onTitle: (title: string | null) => void;
}

/** What is drawn, and the title above it. */
export function SubjectChoice({ subjects, index, heading, onIndex, onTitle }: SubjectChoiceProps) {
  return (
    <>
      <Select
        label="what"
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
