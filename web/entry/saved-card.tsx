import type { ComponentChildren, JSX } from 'preact'
import { pageOf } from '../look/address-of.ts'
import { Empty } from '../look/empty.tsx'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { Loading } from '../look/loading.tsx'
import { Mark } from '../look/mark.tsx'
import { Title } from '../look/title.tsx'
import { isOffered, takeBack } from '../look/undo.tsx'
import { people } from '../store/local-copy.ts'
import { idsIn, isDone, type KeptRecord, timeOf } from '../store/record.ts'

import { clock, day, now } from '../words/format.ts'
import { leaveEntry } from './leave.ts'
import { useSavedLog } from './saved-log.ts'
import { say } from './say.ts'
import { useEntryUp } from './step.tsx'

interface SavedCardProps {
  readonly label: string
  readonly uuid: string
  readonly words: (log: KeptRecord) => string
  readonly second?: (log: KeptRecord) => string | undefined
  /** Above the card: where it happened. */
  readonly picture?: (log: KeptRecord) => ComponentChildren
  /** Rows that lead on. */
  readonly more?: (log: KeptRecord) => ComponentChildren
}

/** What has changed by an entry, and for eight seconds the way back. */
export function SavedCard({ label, uuid, words, second, picture, more }: SavedCardProps): JSX.Element {
  useEntryUp(label)
  const log = useSavedLog(uuid)
  if (log === null) return <Loading />
  if (log === undefined) return <TakenBack />
  return (
    <div class="pane saved">
      <div class="saved-map">{picture?.(log)}</div>
      <section class="sheet">
        <Title text={isDone(log) ? words(log) : say('entry.saved.plan', { name: log.name })} class="h24" />
        <p class="soft">{isDone(log) ? second?.(log) : planWords(log)}</p>
        <Kept log={log} />
        {more !== undefined && <ul>{more(log)}</ul>}
        <div class="two">
          <UndoOrOpen log={log} />
          <button type="button" class="btn main-do" onClick={leaveEntry}>
            {say('entry.saved.right')}
          </button>
        </div>
      </section>
    </div>
  )
}

function planWords(log: KeptRecord): string {
  const who = idsIn(log.fields.log_owner).flatMap((uid) => people.value.get(uid) ?? [])
  const planned = say('entry.saved.planned', { day: day(timeOf(log)) })
  return who.length === 0 ? planned : `${planned} ${say('entry.saved.for', { who: who.join(', ') })}`
}

/** In pencil as long as only this device has it. */
function Kept({ log }: { readonly log: KeptRecord }): JSX.Element {
  const time = clock(Number(log.fields.changed ?? now()))
  return (
    <p class={log.waiting ? 'banner round pencil' : 'soft'} role="status">
      <Mark kind={log.waiting ? 'waiting' : 'sent'} />{' '}
      <span>{say(log.waiting ? 'entry.saved.waiting' : 'entry.saved.sent', { time })}</span>
    </p>
  )
}

function UndoOrOpen({ log }: { readonly log: KeptRecord }): JSX.Element {
  if (!isOffered(log.uuid))
    return (
      <Link to={pageOf(log)} class="btn tall">
        {say('entry.saved.open')}
      </Link>
    )
  return (
    <button
      type="button"
      class="btn tall undo"
      onClick={async () => {
        await takeBack()
        leaveEntry()
      }}
    >
      <Icon name="undo" />
      {say('act.undo')}
      <i />
    </button>
  )
}

function TakenBack(): JSX.Element {
  return (
    <>
      <Title text={say('entry.saved.gone')} class="out" />
      <Empty text={say('entry.saved.gone')}>
        <button type="button" class="btn tall" onClick={leaveEntry}>
          {say('entry.finish')}
        </button>
      </Empty>
    </>
  )
}
