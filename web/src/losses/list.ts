/** The losses between y and a target, in the order of the menus, by their names in links and in the library. entries.ts describes them. */
export const LOSS_KINDS = ['mse', 'log_cosh', 'absolute_error', 'cross_entropy'] as const;

export type LossKind = (typeof LOSS_KINDS)[number];

/** The loss with this name has a form per position: a mean over positions, with a distribution over the channels as the target. */
export const isPerPosition = (name: string): boolean => name === ('cross_entropy' satisfies LossKind);

/** linear: the sum of y · dy, of a dy that is given. */
export type LossName = LossKind | 'linear';
