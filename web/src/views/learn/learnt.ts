import type { Learnt } from '../../protocol/questions';
import type { Answers } from '../kit/answers';

export const learntIn = (answers: Answers): Learnt | null => answers.of('learn')[0]?.answer ?? null;
