/** What a field that refers to several things holds. */
export const numbersIn = (value: unknown): readonly number[] => (value as readonly number[] | undefined) ?? []
