import type { JSX } from 'preact'
import type { Failure } from '../sync/request.ts'
import { say } from '../words/say.ts'
import { Empty } from './page.tsx'

interface FailedProps {
  readonly failure: Failure
  readonly onRetry?: () => void
}

/** Shown instead of content that could not be read: advice, and the request id of the server. */
export function Failed({ failure, onRetry }: FailedProps): JSX.Element {
  return (
    <Empty text={say(`shell.failed.${failure.failure}`)}>
      {failure.requestId && failure.failure === 'failed' && (
        <small>{say('shell.request-id', { id: failure.requestId })}</small>
      )}
      {onRetry && (
        <button type="button" class="btn tall" onClick={onRetry}>
          {say('shell.try-again')}
        </button>
      )}
    </Empty>
  )
}

/** Reason of a failure, in the server's words if it gives any. */
export function Refused({ failure: { failure, detail } }: { readonly failure: Failure }): JSX.Element {
  return (
    <span class="fault" role="alert">
      {failure === 'failed' && detail !== '' ? detail : say(`shell.failed.${failure}`)}
    </span>
  )
}
