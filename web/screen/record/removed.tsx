import type { JSX } from 'preact'
import { Empty } from '../../look/empty.tsx'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/loading.tsx'
import { typeOnTheWire } from '../../store/row.ts'
import type { RecordType } from '../../store/types.ts'
import type { Failure } from '../../sync/ask.ts'
import { day } from '../../words/format.ts'
import { useAsked } from './asked.ts'
import { BringBackButton } from './bring-back-button.tsx'
import type { History } from './changes.tsx'
import { say } from './say.ts'

interface RemovedProps {
  readonly type: RecordType
  readonly id: string
  readonly failure: Failure
  readonly onBack: () => void
}

/** What is not there may have been there: its history says who removed it. */
export function Removed({ type, id, failure, onBack }: RemovedProps): JSX.Element {
  const { answer } = useAsked<History>(`/${typeOnTheWire[type]}/${encodeURIComponent(id)}/history.json?limit=1`)
  if (answer === null) return <Loading />
  const [last] = answer.failure === null ? answer.body.revisions : []
  if (last?.verb !== 'remove') return <Failed failure={failure} />
  const when = day(Number(last.at))
  return (
    <Empty
      text={
        last.who?.name == null
          ? say('record.removed-on', { when })
          : say('record.removed', { who: last.who.name, when })
      }
    >
      {answer.failure === null && <BringBackButton uuid={answer.body.uuid} onBack={onBack} />}
    </Empty>
  )
}
