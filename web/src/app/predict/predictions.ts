export { Predict } from './Predict';
export { predictorOf, toggleHidden } from './predictor';
