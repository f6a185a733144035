import type { ComponentChildren, JSX } from 'preact'
import { say } from '../words/say.ts'
import { Mark } from './mark.tsx'

interface InPencilProps {
  /** Whether only this device has it. */
  readonly waiting?: true | undefined
  readonly children?: ComponentChildren
}

/** Words about something; in front of them is said if it waits to be sent. */
export function InPencil({ waiting, children }: InPencilProps): JSX.Element {
  if (!waiting) return <>{children}</>
  return (
    <>
      <span class="pen">
        <Mark kind="waiting" />
        {say('act.waiting')}
      </span>
      {children && <> · {children}</>}
    </>
  )
}
