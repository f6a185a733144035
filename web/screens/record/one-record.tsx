import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed, Refused } from '../../look/failure.tsx'
import { Empty, Loading } from '../../look/page.tsx'
import { assetBy, catalogue, mayWrite, termBy } from '../../store/local-copy.ts'
import { withUnsent } from '../../store/overlay.ts'
import { isOnlyAName, type LocalRecord, type LocalRecordType, typeOnTheWire } from '../../store/record.ts'
import { recordFromWire, type WireRecord } from '../../store/wire-record.ts'
import { withParameter } from '../../sync/list-pages.ts'
import { restoreFromTrash } from '../../sync/online-actions.ts'
import type { Answer, Failure } from '../../sync/request.ts'
import { day } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import type { History } from './changes.tsx'
import { useReadLog } from './paged-logs.ts'
import { useRequest } from './use-request.ts'

interface OneRecordProps {
  readonly type: LocalRecordType
  /** Number or UUID. */
  readonly id: string
  readonly show: (record: LocalRecord) => JSX.Element
}

/** A record from the copy; from the server if it is missing or only a name. */
export function OneRecord({ type, id, show }: OneRecordProps): JSX.Element {
  const local = useLocalRecord(type, id)
  const isWhole = local !== undefined && local !== 'reading' && !isOnlyAName(local)
  const { answer, again } = useRequest<WireRecord>(
    isWhole || local === 'reading'
      ? null
      : `/${typeOnTheWire[type]}/${encodeURIComponent(id)}.json?files=link&with=${withs[type]}`,
    local === 'reading' ? undefined : local?.version,
  )
  if (local === 'reading') return <Loading />
  if (isWhole) return show(local)
  if (answer?.failure === null && catalogue.value !== null) {
    const whole = recordFromWire(answer.body, { type, catalogue: catalogue.value })
    return show(withUnsent(whole.uuid, whole) ?? whole)
  }
  if (local !== undefined) return <OnlyByName failure={answer}>{show(local)}</OnlyByName>
  if (answer === null || answer.failure === null) return <Loading />
  if (answer.failure === 'not-found') return <Removed type={type} id={id} failure={answer} onBack={again} />
  return <Failed failure={answer} onRetry={again} />
}

interface OnlyByNameProps {
  readonly failure: Answer<WireRecord> | null
  readonly children: JSX.Element
}

/** The copy has only the name of an archived asset. */
function OnlyByName({ failure, children }: OnlyByNameProps): JSX.Element {
  return (
    <>
      {failure !== null && <p class="banner quiet">{say('record.rest-needs-signal')}</p>}
      {children}
    </>
  )
}

const withs: Readonly<Record<LocalRecordType, string>> = {
  ...withParameter,
  asset: `${withParameter.asset},inventory`,
}

function useLocalRecord(type: LocalRecordType, id: string): LocalRecord | undefined | 'reading' {
  const { isRead, record } = useReadLog(type === 'log' ? id : null)
  if (type === 'log') return isRead ? record : 'reading'
  return type === 'asset' ? assetBy(id) : termBy(id)
}

interface RemovedProps {
  readonly type: LocalRecordType
  readonly id: string
  readonly failure: Failure
  readonly onBack: () => void
}

/** For a missing record: its history says who removed it. */
function Removed({ type, id, failure, onBack }: RemovedProps): JSX.Element {
  const { answer } = useRequest<History>(`/${typeOnTheWire[type]}/${encodeURIComponent(id)}/history.json?limit=1`)
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

interface BringBackButtonProps {
  readonly uuid: string
  /** Accessible name, if there are several buttons. */
  readonly name?: string
  readonly onBack: () => void
}

/** Restores a record from the trash. */
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
