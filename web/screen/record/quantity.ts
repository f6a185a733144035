import type { RecordFields } from '../../store/record.ts'

/** "15 kg", as it was written. */
export function amountIn({ value, unit }: RecordFields): string {
  const { name = '' } = (unit ?? {}) as { name?: string }
  return [value, name].filter((word) => typeof word === 'string' && word !== '').join(' ')
}
