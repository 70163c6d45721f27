export { Predict } from './Predict';
export { predictorOf } from './predictor';
