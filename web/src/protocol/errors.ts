/** Codes of conv2d::ErrorCode, and those that only the page's side of the boundary can raise. */
export type ErrorCode =
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
  /** The request was about a problem that the session no longer holds. */
  | 'stale'
  /** More than the page shows; the library might compute it. */
  | 'beyond_limits'
  /** It may be computed by whoever insists. */
  | 'costly'
  | 'image_unreadable'
  | 'module_unavailable'
  | 'internal';

/** An error as a value: what went wrong, which field is at fault, and one sentence for a person. */
export interface ConvError {
  readonly code: ErrorCode;
  /** A name of ConvDesc ("stride_h", "padding.top"), of a tensor ("dy"), or '' when no single field is at fault. */
  readonly field: string;
  readonly message: string;
}
