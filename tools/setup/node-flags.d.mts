/** The flags that make this Node run relaxed SIMD: none where it does by itself. */
export function relaxedSimdFlags(): string[];
