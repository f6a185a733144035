import type { Report } from '../../storage/backup/entry.ts'

const patienceMilliseconds = 2_000
const pauseMilliseconds = 100

/** Where progress is shown: a terminal, on which a line can be written over. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Runs work and shows on a terminal how far it has come, once it takes longer than two seconds. */
export async function withProgress<T>(
  work: (report: Report) => Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  if (screen.isTTY !== true) return work(() => {})
  const began = performance.now()
  let shown = began + patienceMilliseconds - pauseMilliseconds
  let written = false
  const report: Report = (what, done, total) => {
    const now = performance.now()
    if (now - shown < pauseMilliseconds) return
    shown = now
    written = true
    screen.write(`\r\x1b[K${progressLine({ what, done, total, seconds: (now - began) / 1000 })}`)
  }
  try {
    return await work(report)
  } finally {
    if (written) screen.write('\r\x1b[K')
  }
}

interface Progress {
  readonly what: string
  readonly done: number
  /** 0 where nobody knows. */
  readonly total: number
  readonly seconds: number
}

const barWidth = 24

export function progressLine({ what, done, total, seconds }: Progress): string {
  const time = `${Math.floor(seconds)} s`
  if (total === 0) return `${what}  ${done.toLocaleString('en')}  ${time}`
  const share = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')
  return `[${bar}] ${Math.floor(share * 100)} %  ${what}  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}  ${time}`
}
