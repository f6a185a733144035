import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from '../look/icon.tsx'
import { Link, pageOf } from '../look/link.tsx'
import { Row } from '../look/list.tsx'
import { Mark } from '../look/mark.tsx'
import { summaryOf } from '../look/names.ts'
import { Empty, Loading, Title } from '../look/page.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { isOffered, takeBack } from '../look/undo.tsx'
import { useCopy } from '../look/use-logs.ts'
import { log, people, termBy } from '../store/local-copy.ts'
import { areasNamedIn, idsIn, isDone, type LocalRecord, timeOf } from '../store/record.ts'
import { clock, day, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { leaveEntry, useEntryUp } from './step.tsx'

interface SavedCardProps {
  readonly label: string
  readonly uuid: string
  readonly words: (log: LocalRecord) => string
  readonly second?: (log: LocalRecord) => string | undefined
  /** Map above the card. */
  readonly picture?: (log: LocalRecord) => ComponentChildren
  /** Rows with next steps. */
  readonly more?: (log: LocalRecord) => ComponentChildren
}

/** Shows what an entry has changed, and offers Undo for eight seconds. */
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
        <SentState log={log} />
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

function planWords(log: LocalRecord): string {
  const who = idsIn(log.fields.log_owner).flatMap((uid) => people.value.get(uid) ?? [])
  const planned = say('entry.saved.planned', { day: day(timeOf(log)) })
  return who.length === 0 ? planned : `${planned} ${say('entry.saved.for', { who: who.join(', ') })}`
}

/** Pencil style while the log is only on this device. */
function SentState({ log }: { readonly log: LocalRecord }): JSX.Element {
  const time = clock(Number(log.fields.changed ?? now()))
  return (
    <p class={log.waiting ? 'banner round pencil' : 'soft'} role="status">
      <Mark kind={log.waiting ? 'waiting' : 'sent'} />{' '}
      <span>{say(log.waiting ? 'entry.saved.waiting' : 'entry.saved.sent', { time })}</span>
    </p>
  )
}

function UndoOrOpen({ log }: { readonly log: LocalRecord }): JSX.Element {
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

/** The saved log: null until it is read, undefined once it is gone. */
export function useSavedLog(uuid: string): LocalRecord | null | undefined {
  const logs = useSavedLogs(uuid)
  return logs === null ? null : logs[0]
}

/** Like `useSavedLog`, for several UUIDs separated by commas. */
export const useSavedLogs = (uuids: string): readonly LocalRecord[] | null =>
  useCopy(async () => (await Promise.all(uuids.split(',').map(log))).filter((one) => one !== undefined), uuids)

const icons = {
  observe: 'eye',
  seed: 'seed',
  transplant: 'seed',
  input: 'input',
  maintain: 'maintain',
} as const satisfies Readonly<Record<string, IconName>>

interface PlainSavedProps {
  readonly entry: keyof typeof icons
  readonly uuid: string
  readonly words: (log: LocalRecord) => string
}

/** Card with name, subject and place, and a link to the next entry. */
export function PlainSaved({ entry, uuid, words }: PlainSavedProps): JSX.Element {
  return (
    <SavedCard
      label={say(`entry.${entry}`)}
      uuid={uuid}
      words={words}
      second={summaryOf}
      picture={(log) => <Where log={log} />}
      more={() => (
        <Row
          to={`/add/${entry}`}
          margin={<Icon name={icons[entry]} />}
          title={say('entry.saved.another')}
          end={<Icon name="next" size="small" />}
        />
      )}
    />
  )
}

/** Map with the place of a log. */
export function Where({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const area = termBy(areasNamedIn(log)[0] ?? '')
  return area === undefined ? null : <PlaceMap shape="tall" area={area} />
}
