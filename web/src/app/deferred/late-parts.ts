import './contrast.css';
import './print';

/** What no visitor sees at first, loaded last. */
export { measureMemory } from './device-memory';
export { SilenceNotice } from './SilenceNotice';
export { speakChanges } from './speak-changes';
