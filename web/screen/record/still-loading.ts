import { status } from '../../sync/status.ts'

/** As long as the first load goes on, what is not in the copy may yet come. */
export function isStillLoading(): boolean {
  const { kind } = status.value
  return kind === 'starting' || kind === 'loading'
}
