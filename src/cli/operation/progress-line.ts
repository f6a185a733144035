export interface Progress {
  readonly what: string
  readonly done: number
  /** 0 where nobody knows. */
  readonly total: number
}

const barWidth = 24

export function progressLine({ what, done, total }: Progress, seconds: number): string {
  const time = `${Math.floor(seconds)} s`
  if (total === 0) return done === 0 ? `${what}  ${time}` : `${what}  ${done.toLocaleString('en')}  ${time}`
  const share = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')
  return `[${bar}] ${Math.floor(share * 100)} %  ${what}  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}  ${time}`
}
