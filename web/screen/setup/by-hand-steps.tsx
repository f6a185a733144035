import type { JSX } from 'preact'
import { Link } from '../../look/link.tsx'
import { say } from './say.ts'

/** Both lead to where it is done every day. */
export function FieldStep(): JSX.Element {
  return (
    <>
      <p>{say('setup.field-why')}</p>
      <Link to="/draw" class="btn main-do fill">
        {say('setup.field-do')}
      </Link>
    </>
  )
}

export function LogStep(): JSX.Element {
  return (
    <>
      <p>{say('setup.log-why')}</p>
      <Link to="/add/observe" class="btn main-do fill">
        {say('setup.log-do')}
      </Link>
    </>
  )
}
