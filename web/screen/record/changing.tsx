import type { JSX } from 'preact'
import { lastList } from '../../look/beside.ts'
import { arriving, replace } from '../../look/router.ts'
import { offerUndo, orTell } from '../../look/undo.tsx'
import type { Change } from '../../store/change.ts'
import { mayWrite } from '../../store/rights.ts'
import { isArchived } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { save } from '../../sync/save.ts'
import { now } from '../../words/format.ts'
import { say } from './say.ts'

/** What may be done to a record itself, for who may. Nobody is asked whether they are sure: it can be undone. */
export function Changing({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  if (!mayWrite()) return null
  return (
    <div class="options">
      {(record.type === 'asset' || record.bundle === 'farm_areas') && <ArchiveButton record={record} />}
      <button type="button" class="btn" onClick={() => remove(record)}>
        {say('change.remove')}
      </button>
    </div>
  )
}

function ArchiveButton({ record }: { readonly record: KeptRecord }): JSX.Element {
  const { type, uuid, name } = record
  const archive = (archived: string | null, words: string) =>
    keep({ verb: 'change', type, uuid, fields: { archived }, read: record }, words)
  return isArchived(record) ? (
    <button type="button" class="btn" onClick={() => archive(null, say('change.unarchived', { name }))}>
      {say('change.unarchive')}
    </button>
  ) : (
    <button type="button" class="btn" onClick={() => archive(String(now()), say('change.archived', { name }))}>
      {say('change.archive')}
    </button>
  )
}

async function remove(record: KeptRecord): Promise<void> {
  const { type, uuid, name } = record
  const isKept = await keep({ verb: 'remove', type, uuid, read: record }, say('change.removed', { name }))
  if (!isKept) return
  arriving.value = true
  replace(lastList.value)
}

async function keep(change: Change, words: string): Promise<boolean> {
  const saved = await orTell(save([change]))
  if (saved !== null) offerUndo([saved], words)
  return saved !== null
}
