import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { pageOf } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Mark } from '../../look/mark.tsx'
import { dotted } from '../../look/names.ts'
import { Loading } from '../../look/page.tsx'
import { route, withQuery } from '../../look/router.ts'
import { readMeta } from '../../store/database.ts'
import { generation } from '../../store/local-copy.ts'
import { photosSentOf, sentOf } from '../../store/outbox.ts'
import type { SentEntry } from '../../store/outbox-entry.ts'
import { isAppCached } from '../../sync/service-worker.ts'
import { session } from '../../sync/session.ts'
import { status } from '../../sync/status.ts'
import { hasFreeSpace } from '../../sync/storage-quota.ts'
import { bytes, dayAndClock, daysBetween, now, onFarm } from '../../words/format.ts'
import { locale } from '../../words/locale.ts'
import { say } from '../../words/say.ts'
import { timeWords } from './unsent-sets.ts'

type ReadyCondition = 'secure' | 'worker' | 'files' | 'loaded' | 'lasting' | 'room'

type Readiness = Readonly<Record<ReadyCondition, boolean>>

/** Age of the copy, and whether this device is ready for offline use. */
export function DeviceReadiness(): JSX.Element {
  const [ready, lookAgain] = useReadiness()
  return ready === null ? <Loading /> : <Conditions ready={ready} lookAgain={lookAgain} />
}

interface ConditionsProps {
  readonly ready: Readiness
  readonly lookAgain: () => void
}

function Conditions({ ready, lookAgain }: ConditionsProps): JSX.Element {
  const isReady = Object.values(ready).every(Boolean)
  return (
    <>
      <Section title={say('outbox.on-this-device')}>
        <Row margin={<CopyMark />} title={say('outbox.copy')} second={copyWords()} />
        <Row
          margin={<Tick isOn={isReady} />}
          title={say(isReady ? 'copy.ready' : 'copy.not-ready')}
          second={isReady && say('outbox.ready-yes')}
        />
        <Storage />
        <SentRow />
      </Section>
      <Section title={say('outbox.conditions')}>
        {(Object.keys(ready) as ReadyCondition[]).map((condition) => (
          <Condition key={condition} condition={condition} holds={ready[condition]} lookAgain={lookAgain} />
        ))}
      </Section>
      {!isInstalled() && (
        <Section title={say('outbox.install')}>
          <li class="words soft">{say('outbox.install-how')}</li>
        </Section>
      )}
    </>
  )
}

interface ConditionProps {
  readonly condition: ReadyCondition
  readonly holds: boolean
  readonly lookAgain: () => void
}

function Condition({ condition, holds, lookAgain }: ConditionProps): JSX.Element {
  return (
    <Row
      margin={<Tick isOn={holds} />}
      title={say(`copy.ready.${condition}`)}
      second={!holds && <Missing condition={condition} lookAgain={lookAgain} />}
    />
  )
}

function Missing({ condition, lookAgain }: Omit<ConditionProps, 'holds'>): JSX.Element {
  const keep = async () => {
    await makeLasting()
    lookAgain()
  }
  return (
    <>
      {say(`outbox.${condition}-missing`)}
      {condition === 'lasting' && (
        <button type="button" class="btn spaced" onClick={keep}>
          {say('copy.make-lasting')}
        </button>
      )}
    </>
  )
}

function Tick({ isOn }: { readonly isOn: boolean }): JSX.Element {
  return (
    <span class={isOn ? 'tick on' : 'tick'}>
      <span class="out">{say(isOn ? 'outbox.there' : 'outbox.missing')}</span>
      {isOn && <Icon name="check" />}
    </span>
  )
}

function CopyMark(): JSX.Element {
  return <Mark kind={status.value.kind === 'sent' ? 'sent' : 'offline'} />
}

function copyWords(): string {
  const state = status.value
  if (state.kind === 'loading') return say('outbox.copy-loading', { percent: Math.round(state.share * 100) })
  const at = state.kind === 'sent' ? state.at : state.kind === 'offline' ? state.copyOf : null
  if (at === null) return say('outbox.no-copy')
  const since = onFarm(at)
  const isToday = daysBetween(since, now()) === 0
  return dotted([isToday ? timeWords(since) : say('outbox.copy-of', { time: dayAndClock(since) }), ago(since)])
}

/** "3 hours ago" */
function ago(at: number): string {
  const minutes = Math.max(0, Math.round((now() - at) / 60))
  const relative = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })
  if (minutes < 120) return relative.format(-minutes, 'minute')
  return minutes < 48 * 60
    ? relative.format(-Math.round(minutes / 60), 'hour')
    : relative.format(-Math.round(minutes / 1440), 'day')
}

function Storage(): JSX.Element {
  const [estimate, setEstimate] = useState<StorageEstimate | null>(null)
  useEffect(() => {
    navigator.storage?.estimate?.().then(setEstimate)
  }, [generation.value])
  const { usage, quota } = estimate ?? {}
  const words =
    usage === undefined || quota === undefined
      ? say('outbox.storage-unknown')
      : say('outbox.used', { used: bytes(usage), free: bytes(quota - usage) })
  return <Row title={say('outbox.storage')} second={words} />
}

function useReadiness(): readonly [Readiness | null, () => void] {
  const [ready, setReady] = useState<Readiness | null>(null)
  const look = () => void readiness().then(setReady)
  useEffect(() => {
    look()
    const again = setInterval(look, 5_000)
    return () => clearInterval(again)
  }, [])
  return [ready, look]
}

const days = 30

/** Acknowledged entries; a tap lists them. */
function SentRow(): JSX.Element {
  const [sent, setSent] = useState<readonly SentEntry[]>([])
  const [photos, setPhotos] = useState(0)
  useEffect(() => {
    void sentOf(days).then(setSent)
    void photosSentOf(days).then(setPhotos)
  }, [generation.value])
  const isOpen = route.value.query.get('show') === 'sent'
  const words = dotted([
    sent.length > 0 ? say('outbox.sent-records', { count: sent.length }) : say('outbox.sent-none'),
    photos > 0 ? say('outbox.sent-photos', { count: photos }) : '',
  ])
  return (
    <>
      <Row
        {...(sent.length > 0 ? { to: withQuery({ show: isOpen ? null : 'sent' }) } : {})}
        margin={<Mark kind="sent" />}
        title={say('outbox.sent-title')}
        second={words}
        end={sent.length > 0 && <Icon name="next" size="small" />}
      />
      {isOpen && sent.map((one) => <SentOne key={one.n} sent={one} />)}
    </>
  )
}

function SentOne({ sent: { entry, sentAt } }: { readonly sent: SentEntry }): JSX.Element {
  const isThere = entry.method !== 'DELETE'
  return (
    <Row
      {...(isThere ? { to: pageOf({ ...entry, id: entry.record }) } : {})}
      title={say(isThere ? 'outbox.verb.record' : 'outbox.verb.DELETE', { name: entry.name })}
      second={timeWords(onFarm(sentAt))}
    />
  )
}

/** Conditions for offline use. */
async function readiness(): Promise<Readiness> {
  return {
    secure: isSecureContext,
    worker: 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
    files: await isAppCached(),
    loaded: session.copy !== null && (await readMeta(session.copy.database, 'cursor')) !== undefined,
    lasting: isInstalled() || (!isApple() && ((await navigator.storage?.persisted?.()) ?? false)),
    room: await hasFreeSpace(),
  }
}

/** Requests persistent storage; some browsers ask the user. */
async function makeLasting(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false
}

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** On iOS, Safari deletes data after seven days without use unless the app is on the home screen. */
const isApple = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent) || isTabletThatSaysMac()

const isTabletThatSaysMac = (): boolean => /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
