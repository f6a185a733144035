const busy = 5
const locked = 6
const ioError = 10
const corrupt = 11
const full = 13
const noDatabase = 26
const unique = 2067

/** What SQLite says, where the driver leaves its code out: it does so for every statement that gives rows. */
const words: readonly (readonly [RegExp, number])[] = [
  [/^database is locked/, busy],
  [/^database table is locked/, locked],
  [/^disk I\/O error/, ioError],
  [/^database disk image is malformed/, corrupt],
  [/^database or disk is full/, full],
  [/^file is not a database/, noDatabase],
  [/^UNIQUE constraint failed/, unique],
]

/** SQLite's extended result code, or null for an error of another kind. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode
  return words.find(([said]) => said.test(error.message))?.[1] ?? null
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
