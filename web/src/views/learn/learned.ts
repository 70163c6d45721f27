import type { Learned } from '../../protocol/questions';
import type { Answers } from '../kit/answers';

export const learntIn = (answers: Answers): Learned | null => answers.of('learn')[0]?.answer ?? null;
