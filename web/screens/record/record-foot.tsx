import type { ComponentChildren, JSX } from 'preact'
import { lastList } from '../../look/desk.ts'
import { lazy } from '../../look/lazy.tsx'
import { arriving, replace, route, withQuery } from '../../look/router.ts'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { mayWrite, people } from '../../store/local-copy.ts'
import type { LocalChange } from '../../store/outbox-entry.ts'
import { idsIn, isArchived, isArea, isOnFarm, type LocalRecord, typeOnTheWire } from '../../store/record.ts'
import { save } from '../../sync/save.ts'
import { dayAndClock, now } from '../../words/format.ts'
import { leftToRight } from '../../words/left-to-right.ts'
import { say } from '../../words/say.ts'
import { Facts } from './facts.tsx'

const changes = lazy(() => import('./changes.tsx'))

interface RecordFootProps {
  readonly record: LocalRecord
  readonly children?: ComponentChildren
}

/** Foot of every page: author and time, history, identifiers. */
export function RecordFoot({ record, children }: RecordFootProps): JSX.Element {
  const recorded = recordedWords(record)
  return (
    <footer class="record-foot">
      <Changing record={record} />
      {recorded !== '' && <p class="soft small">{recorded}</p>}
      {children}
      {isOnFarm(record) && (
        <Disclosure name="history" title={say('history.title')}>
          {() => changes.show(({ Changes }) => <Changes record={record} />)}
        </Disclosure>
      )}
      <Disclosure name="ids" title={say('record.ids')}>
        {() => <Ids record={record} />}
      </Disclosure>
    </footer>
  )
}

function recordedWords({ fields }: LocalRecord): string {
  const who = people.value.get(idsIn(fields.uid)[0] ?? '')
  const created = Number(fields.created ?? 0)
  const changed = Number(fields.changed ?? 0)
  const words = [
    created > 0 && who !== undefined && say('record.recorded-by', { who, when: dayAndClock(created) }),
    created > 0 && who === undefined && say('record.recorded', { when: dayAndClock(created) }),
    changed > created && say('record.changed', { when: dayAndClock(changed) }),
  ]
  return words.filter((one) => one !== false).join(' · ')
}

function Ids({ record: { type, id, uuid, version } }: { readonly record: LocalRecord }): JSX.Element {
  const address = `/${typeOnTheWire[type]}/${id}.json`
  const link = (
    <a class="because tap" href={address} target="_blank" rel="noopener noreferrer">
      {leftToRight(location.origin + address)}
    </a>
  )
  return (
    <Facts
      facts={[
        { label: say('record.number'), words: id },
        { label: say('record.uuid'), words: leftToRight(uuid) },
        { label: say('record.version'), words: leftToRight(version) },
        { label: say('record.for-programs'), words: link },
      ]}
    />
  )
}

/** Archive and remove, for accounts that may write; Undo instead of a confirmation. */
function Changing({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  if (!mayWrite()) return null
  return (
    <div class="options">
      {(record.type === 'asset' || isArea(record)) && <ArchiveButton record={record} />}
      <button type="button" class="btn" onClick={() => remove(record)}>
        {say('change.remove')}
      </button>
    </div>
  )
}

function ArchiveButton({ record }: { readonly record: LocalRecord }): JSX.Element {
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

async function remove(record: LocalRecord): Promise<void> {
  const { type, uuid, name } = record
  const isKept = await keep({ verb: 'remove', type, uuid, read: record }, say('change.removed', { name }))
  if (!isKept) return
  arriving.value = true
  replace(lastList.value)
}

async function keep(change: LocalChange, words: string): Promise<boolean> {
  const saved = await toastOnFailure(save([change]))
  if (saved !== null) offerUndo([saved], words)
  return saved !== null
}

interface DisclosureProps {
  /** Query value while open: `?show=history`. */
  readonly name: string
  readonly title: string
  readonly children: () => ComponentChildren
}

/** Folded content, rendered and requested when opened. */
export function Disclosure({ name, title, children }: DisclosureProps): JSX.Element {
  const isOpen = route.value.query.get('show') === name
  return (
    <details
      class="disclosure"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) replace(withQuery({ show: open ? name : null }))
      }}
    >
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}
