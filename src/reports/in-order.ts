/** Each once, the smallest first. */
export const inOrder = (ids: readonly number[]): readonly number[] =>
  ids.length < 2 ? ids : [...new Set(ids)].toSorted((one, other) => one - other)
