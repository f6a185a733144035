import type { JSX } from 'preact'
import { say } from './say.ts'
import { type Failed, failure } from './state.ts'

/** Why something could not be done, and what to do. */
export function Failing(): JSX.Element | null {
  const failed = failure.value
  if (failed === null) return null
  return (
    <p class="fault" role="alert">
      {wordsOf(failed)}
    </p>
  )
}

function wordsOf({ failure, doing, detail, errors, status }: Failed): string {
  if (failure === 'offline' && doing !== 'checking') return say('import.lost')
  if (failure !== 'failed' || detail === '') return say(`shell.failed.${failure}`)
  // Where each problem is told, the sum of them says nothing new.
  return status === 422 && doing === 'checking' && errors.length > 0 ? say('import.problems-found') : detail
}
