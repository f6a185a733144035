export interface WorkProgress {
  readonly what: string
  readonly done: number
  /** 0 if unknown. */
  readonly total: number
}

/** Work done so far, and the seconds it took. */
interface Pace {
  readonly done: number
  readonly seconds: number
}

const barWidth = 24

export function progressLine({ what, done, total }: WorkProgress, seconds: number, pace?: Pace): string {
  const time = `${Math.floor(seconds)} s${paceText(total - done, pace)}`
  if (total === 0) return done === 0 ? `${what}  ${time}` : `${what}  ${done.toLocaleString('en')}  ${time}`
  const share = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')
  return `[${bar}] ${Math.floor(share * 100)} %  ${what}  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}  ${time}`
}

/** Empty until there is enough progress for an estimate. */
function paceText(left: number, { done, seconds }: Pace = { done: 0, seconds: 0 }): string {
  if (done <= 0 || seconds < 2) return ''
  const rate = done / seconds
  const shown = `  ${rate >= 10 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1)}/s`
  return left > 0 ? `${shown}  ${durationText(left / rate)} left` : shown
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
