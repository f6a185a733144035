import type { JSX } from 'preact'
import { me, trialBeside } from '../store/local-copy.ts'
import { inDemo } from '../store/local-storage.ts'
import { needing, sendState, waiting } from '../sync/send-state.ts'
import { type Status, status } from '../sync/status.ts'
import { clock, day, daysBetween, farmTime, now, onFarm, shortDay } from '../words/format.ts'
import { say } from '../words/say.ts'
import { chosenDay } from './day.ts'
import { wide } from './desk.ts'
import { FindField } from './find-field.tsx'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { Mark, type MarkKind } from './mark.tsx'
import type { UpLink } from './page.tsx'
import { withQuery } from './router.ts'

interface StripProps {
  /** Back link, on a phone that shows one record. */
  readonly up?: UpLink | undefined
}

/** Strip above every screen: place and sync status. */
export function StatusStrip({ up }: StripProps): JSX.Element {
  const at = chosenDay()
  if (at !== undefined) return <PastStrip at={at} />
  const { kind } = status.value
  return (
    <header class={kind === 'offline' ? 'strip is-offline' : 'strip'}>
      {up === undefined ? (
        <Link to="/" class="home">
          {me.value?.farm.name ?? ''}
        </Link>
      ) : (
        <Link to={up.to} class="up">
          <Icon name={up.icon ?? 'back'} />
          {up.label}
        </Link>
      )}
      {wide.value && <FindField />}
      <State />
    </header>
  )
}

/** On every screen of a trial beside another farm. */
export function TrialLine(): JSX.Element | null {
  const trial = trialBeside()
  return (
    trial && (
      <p class="banner" role="status">
        {say('shell.trial', trial)}
      </p>
    )
  )
}

/** Why nothing can be recorded: recording is off in this trial, or the account has no right. */
export function whyReadOnly(otherwise = say('shell.read-only')): string {
  const trial = trialBeside()
  return trial?.isOff ? say('shell.recording-off', trial) : otherwise
}

function PastStrip({ at }: { readonly at: string }): JSX.Element {
  return (
    <header class="strip past">
      <span class="up">
        <Icon name="time" />
        <span role="status">{say('shell.in-the-past', { day: day(farmTime(at)) })}</span>
      </span>
      <Link to={withQuery({ at: null })} class="state">
        {say('shell.back-to-today')}
      </Link>
      {inDemo() && <State />}
    </header>
  )
}

const marks: Readonly<Record<Status['kind'], MarkKind>> = {
  starting: 'offline',
  loading: 'waiting',
  sent: 'sent',
  offline: 'offline',
  'needs-login': 'needs',
  locked: 'needs',
  'no-role': 'needs',
}

function State(): JSX.Element {
  if (inDemo())
    return (
      <a class="state waiting" href="/app/?demo=off" target="_self">
        {say('status.demo')}
      </a>
    )
  const { mark, words } = ofOutbox() ?? { mark: marks[status.value.kind], words: wordsOf(status.value) }
  return (
    <Link to="/outbox" class={`state ${mark}`}>
      <Mark kind={mark} />
      <span role="status">{words}</span>
    </Link>
  )
}

/** Entries that need the user come first, then unsent ones, then the state of the copy. */
function ofOutbox(): { mark: MarkKind; words: string } | null {
  const { length: count } = needing.value
  if (count > 0) return { mark: 'needs', words: say('status.needs-you', { count }) }
  const { length: waits } = waiting.value
  if (waits === 0) return null
  const { value: state } = sendState
  if (state.kind !== 'resting') return { mark: 'waiting', words: say('status.waiting', { count: waits }) }
  return { mark: 'needs', words: say(`status.resting.${state.why}`, { count: waits }) }
}

function wordsOf(state: Status): string {
  if (state.kind === 'loading') return say('status.loading', { percent: Math.round(state.share * 100) })
  if (state.kind === 'sent') return say('status.sent', { time: shortTime(onFarm(state.at)) })
  if (state.kind === 'locked' && state.waiting > 0) return say('status.resting.log-in', { count: state.waiting })
  if (state.kind !== 'offline') return say(`status.${state.kind}`)
  if (state.copyOf === null) return say('status.offline-empty')
  return say('status.offline', { time: shortTime(onFarm(state.copyOf)) })
}

/** "10:42" for today, "3 May" before. */
function shortTime(at: number): string {
  return daysBetween(at, now()) === 0 ? clock(at) : shortDay(at)
}
