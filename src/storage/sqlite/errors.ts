const busy = 5
const locked = 6
const ioError = 10
const full = 13

/** SQLite's extended result code, or null for an error of another kind. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

/** Whether another connection or process holds the lock; the primary code is the extended code's low byte. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && [busy, locked].includes(code & 0xff)
}

/** Whether the disk took no more, or failed. */
export function isDiskTrouble(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && [ioError, full].includes(code & 0xff)
}
