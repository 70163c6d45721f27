/** Codes of conv2d::ErrorCode and of the JavaScript API. */
export type EngineErrorCode =
  | 'invalid_size'
  | 'invalid_stride'
  | 'invalid_dilation'
  | 'invalid_padding'
  | 'invalid_groups'
  | 'channel_mismatch'
  | 'kernel_too_large'
  | 'input_size_mismatch'
  | 'length_mismatch'
  | 'overflow'
  | 'out_of_memory'
  | 'unknown_algorithm'
  | 'unsupported'
  | 'invalid_argument'
  | 'cancelled'
  | 'module_unavailable'
  /** The engine or layer was disposed before the call. */
  | 'disposed'
  | 'internal';

/** All codes, including those of the page. */
export type ErrorCode =
  | EngineErrorCode
  /** The question is about a problem that is no longer current. */
  | 'stale'
  /** Larger than the page shows; the library may support it. */
  | 'beyond_limits'
  /** Expensive: computed only after a confirmation. */
  | 'costly'
  | 'image_unreadable';

/** An error as a value: its code, the invalid field, and a message. */
export interface ConvError {
  readonly code: ErrorCode;
  /** A name of ConvDesc ("stride_h", "padding.top"), of a tensor ("dy"), or '' if there is no single one. */
  readonly field: string;
  readonly message: string;
}
