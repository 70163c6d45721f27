export { Exercise } from './Exercise';
export { ExerciseList } from './ExerciseList';
