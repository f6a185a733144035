import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { tell } from '../../look/undo.tsx'
import { mayWrite } from '../../store/rights.ts'
import type { KeptRecord } from '../../store/types.ts'
import type { Failure } from '../../sync/ask.ts'
import { revertTo } from '../../sync/bring-back.ts'
import { dayAndClock } from '../../words/format.ts'
import { Refused } from './refused.tsx'
import { say } from './say.ts'

interface RevertButtonProps {
  readonly record: KeptRecord
  readonly revision: number
  /** Seconds. */
  readonly at: number
}

/** Makes a record what it was at an earlier revision. */
export function RevertButton({ record, revision, at }: RevertButtonProps): JSX.Element | null {
  const [failure, setFailure] = useState<Failure | null>(null)
  const isEarlier = revision < Number(record.version.split('.')[0])
  if (!mayWrite() || !isEarlier || record.waiting === true) return null
  const revert = async () => {
    const answer = await revertTo(record, revision)
    setFailure(answer.failure === null ? null : answer)
    if (answer.failure === null) tell(say('change.reverted', { name: record.name, when: dayAndClock(at) }))
  }
  return (
    <p>
      <button type="button" class="btn plain" onClick={revert}>
        <Icon name="undo" />
        {say('change.revert')}
      </button>
      {failure !== null && <Refused failure={failure} />}
    </p>
  )
}
