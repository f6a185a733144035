import type { Fields } from '../../store/types.ts'

/** "15 kg", as it was written. */
export function amountIn({ value, unit }: Fields): string {
  const { name = '' } = (unit ?? {}) as { name?: string }
  return [value, name].filter((word) => typeof word === 'string' && word !== '').join(' ')
}
