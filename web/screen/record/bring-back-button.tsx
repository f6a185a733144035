import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { mayWrite } from '../../store/local-copy.ts'
import { restoreFromTrash } from '../../sync/online-actions.ts'
import type { Failure } from '../../sync/request.ts'
import { Refused } from './refused.tsx'
import { say } from './say.ts'

interface BringBackButtonProps {
  readonly uuid: string
  /** What it is the button of, where there are several. */
  readonly name?: string
  readonly onBack: () => void
}

/** Takes a record out of the trash. */
export function BringBackButton({ uuid, name, onBack }: BringBackButtonProps): JSX.Element | null {
  const [failure, setFailure] = useState<Failure | null>(null)
  if (!mayWrite()) return null
  const back = async () => {
    const answer = await restoreFromTrash(uuid)
    setFailure(answer.failure === null ? null : answer)
    if (answer.failure === null) onBack()
  }
  return (
    <>
      <button
        type="button"
        class="btn"
        aria-label={name === undefined ? undefined : say('change.bring-back-named', { name })}
        onClick={back}
      >
        {say('change.bring-back')}
      </button>
      {failure !== null && <Refused failure={failure} />}
    </>
  )
}
