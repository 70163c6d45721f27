import pytorch from '../../../examples/save_layer_pytorch.py?raw';
import tensorflow from '../../../examples/save_layer_tensorflow.py?raw';
import type { LanguageId } from './languages';

/** Python that saves a layer of a training step as a file that this page reads. */
export const SAVE_LAYER: Readonly<Partial<Record<LanguageId, string>>> = { pytorch, tensorflow };
