import type { JSX } from 'preact'
import type { Failure } from '../../sync/request.ts'
import { say } from './say.ts'

/** Why something could not be done: in the server's words where it has some for this. */
export function Refused({ failure: { failure, detail } }: { readonly failure: Failure }): JSX.Element {
  return (
    <span class="fault" role="alert">
      {failure === 'failed' && detail !== '' ? detail : say(`shell.failed.${failure}`)}
    </span>
  )
}
