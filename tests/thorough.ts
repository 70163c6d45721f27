/** `npm test -- --thorough`: more repetitions, and all combinations instead of some. */
export const THOROUGH = process.env['CONV2D_THOROUGH'] === 'yes';
