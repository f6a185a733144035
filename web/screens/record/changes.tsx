import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { record } from '../../../src/words/en/record.ts'
import { Failed, Refused } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { bundleOf } from '../../look/names.ts'
import { Loading } from '../../look/page.tsx'
import { showToast } from '../../look/undo.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { type LocalRecord, typeOnTheWire } from '../../store/record.ts'
import { revertTo } from '../../sync/online-actions.ts'
import type { Failure } from '../../sync/request.ts'
import { dayAndClock } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { breakable, fieldValue } from './facts.tsx'
import { useRequest } from './use-request.ts'

addWords(record)

interface Revision {
  readonly revision: number
  readonly verb: 'create' | 'update' | 'remove' | 'restore'
  readonly at: string
  /** Null for a removed record, if the account may not read the trash. */
  readonly who: { readonly uid: string; readonly name: string | null } | null
  readonly fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>> | null
}

/** `/log/5/history.json` */
export interface History {
  readonly uuid: string
  readonly revisions: readonly Revision[]
  readonly next: string | null
}

/** History of a record, the newest revision first. */
export function Changes({ record }: { readonly record: LocalRecord }): JSX.Element {
  return (
    <ol class="changes">
      <ChangesBefore record={record} before={null} />
    </ol>
  )
}

interface ChangesBeforeProps {
  readonly record: LocalRecord
  readonly before: string | null
}

function ChangesBefore({ record, before }: ChangesBeforeProps): JSX.Element {
  const [wantsMore, setWantsMore] = useState(false)
  const page = before === null ? '' : `&before=${before}`
  const path = `/${typeOnTheWire[record.type]}/${record.id}/history.json?limit=20${page}`
  const { answer, again } = useRequest<History>(path)
  if (answer === null)
    return (
      <li>
        <Loading />
      </li>
    )
  if (answer.failure !== null)
    return (
      <li>
        <Failed failure={answer} onRetry={again} />
      </li>
    )
  const { revisions, next } = answer.body
  return (
    <>
      {revisions.map((revision) => (
        <ChangeOf record={record} revision={revision} key={revision.revision} />
      ))}
      {next !== null && !wantsMore && (
        <li>
          <button type="button" class="btn" onClick={() => setWantsMore(true)}>
            {say('history.earlier')}
          </button>
        </li>
      )}
      {next !== null && wantsMore && <ChangesBefore record={record} before={next} />}
    </>
  )
}

interface ChangeOfProps {
  readonly record: LocalRecord
  readonly revision: Revision
}

function ChangeOf({ record, revision }: ChangeOfProps): JSX.Element {
  const { verb, at, who, fields } = revision
  return (
    <li>
      <p class="change-head">
        <b>{say(`history.${verb}`, { who: who?.name ?? say('history.the-farm') })}</b>{' '}
        <span class="soft small">{dayAndClock(Number(at))}</span>
      </p>
      {fields === null ? (
        <p class="soft small">{say('history.ended')}</p>
      ) : (
        <dl class="facts">
          {Object.entries(fields).map(([name, { before, after }]) => (
            <ChangedField record={record} name={name} before={before} after={after} key={name} />
          ))}
        </dl>
      )}
      {fields !== null && verb !== 'remove' && (
        <RevertButton record={record} revision={revision.revision} at={Number(at)} />
      )}
    </li>
  )
}

interface ChangedFieldProps {
  readonly record: LocalRecord
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

function ChangedField({ record, name, before, after }: ChangedFieldProps): JSX.Element | null {
  const field = bundleOf(record)?.fields[name]
  if (field === undefined) return null
  const [was, is] = [fieldValue(before, field), fieldValue(after, field)]
  if (was === null && is === null) return null
  return (
    <div>
      <dt>{breakable(field.label)}</dt>
      <dd>
        {was !== null && (
          <del>
            <span class="out">{say('history.before')} </span>
            {was}
          </del>
        )}
        {was !== null && is !== null && ' → '}
        {is !== null && (
          <ins>
            <span class="out">{say('history.after')} </span>
            {is}
          </ins>
        )}
        {is === null && <span class="soft"> {say('history.emptied')}</span>}
      </dd>
    </div>
  )
}

interface RevertButtonProps {
  readonly record: LocalRecord
  readonly revision: number
  readonly at: number
}

/** Reverts a record to an earlier revision. */
function RevertButton({ record, revision, at }: RevertButtonProps): JSX.Element | null {
  const [failure, setFailure] = useState<Failure | null>(null)
  const isEarlier = revision < Number(record.version.split('.')[0])
  if (!mayWrite() || !isEarlier || record.waiting === true) return null
  const revert = async () => {
    const answer = await revertTo(record, revision)
    setFailure(answer.failure === null ? null : answer)
    if (answer.failure === null) showToast(say('change.reverted', { name: record.name, when: dayAndClock(at) }))
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
