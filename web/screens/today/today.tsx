import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { today, tomorrow } from '../../look/day.ts'
import { beside } from '../../look/desk.ts'
import { lazy } from '../../look/lazy.tsx'
import { Link, pageOf } from '../../look/link.tsx'
import { Section } from '../../look/list.tsx'
import { flagsOf } from '../../look/names.ts'
import { Empty, Loading, Title } from '../../look/page.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { assets, mayWrite, me } from '../../store/local-copy.ts'
import { firstStepsPending } from '../../store/local-storage.ts'
import { isArchived, type LocalRecord } from '../../store/record.ts'
import { day, dayOfYear, weekday } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { plansOf } from './plans.ts'
import { DoneRow, FlaggedRow, LateRow, PlannedRow, RecordedRow, type TickedPlan, ticked } from './today-rows.tsx'

const questionsPart = lazy(() => import('../../entries/sent-questions.tsx'))
const devicePart = lazy(async () => (await import('../device/device.tsx')).deviceScreens)

const mostPlans = 1000
const season = 90 * 86_400
const shownLate = 50
const shownEntries = 20
const shownNext = 3
const shownFlagged = 10

/** Late and due plans, flagged records, and recent logs. */
export function TodayScreen(): JSX.Element {
  return (
    <>
      <div class="head">
        <Title text={say('shell.today')}>{weekday(today.value)}</Title>
        <p>{say('today.day', { day: day(today.value), number: dayOfYear(today.value) })}</p>
      </div>
      {questionsPart.show(
        ({ TodayQuestions }) => (
          <TodayQuestions />
        ),
        <></>,
      )}
      {devicePart.show(
        ({ BegunTray }) => (
          <BegunTray />
        ),
        <></>,
      )}
      <Lists />
    </>
  )
}

function Lists(): JSX.Element {
  const pressingLogs = useLogs({ done: false, before: tomorrow.value, limit: mostPlans })
  const comingLogs = useLogs({ done: false, from: tomorrow.value, before: tomorrow.value + season, limit: mostPlans })
  const flaggedLogs = useLogs({ flagged: true, limit: 50 })
  const recorded = useLogs({ done: true, limit: shownEntries })
  const account = me.value?.account.id ?? ''
  const ready = pressingLogs !== null && comingLogs !== null && flaggedLogs !== null && recorded !== null
  const done = new Map(ticked.value.map((one) => [one.plan.uuid, one]))
  const pending = [...(pressingLogs ?? []), ...(comingLogs ?? [])].filter(({ uuid }) => !done.has(uuid))
  const { late, due, next } = plansOf([...pending, ...ticked.value.map(({ plan }) => plan)], {
    today: today.value,
    tomorrow: tomorrow.value,
    account,
  })
  const pressing = new Set([...late, ...due].map(({ uuid }) => uuid))
  const flagged = [...(flaggedLogs ?? []), ...flaggedAssets()].filter(({ uuid }) => !pressing.has(uuid))
  const first = [...late, ...due, ...flagged, ...(recorded ?? []), ...next][0]
  const firstPage = first === undefined ? null : pageOf(first)
  useEffect(() => {
    if (ready) beside.value = firstPage
  }, [ready, firstPage])
  if (!ready) return <Loading />
  if (first === undefined) return <NothingYet />
  return (
    <>
      {late.length > 0 && (
        <Section
          title={say('today.late')}
          tone="late"
          {...(late.length > shownLate ? allPlans() : { count: late.length })}
        >
          {late.slice(0, shownLate).map((log) => (
            <Plan key={log.uuid} done={done.get(log.uuid)}>
              <LateRow log={log} />
            </Plan>
          ))}
        </Section>
      )}
      {due.length > 0 && (
        <Section title={say('today.due')} count={due.length}>
          {due.map((log) => (
            <Plan key={log.uuid} done={done.get(log.uuid)}>
              <PlannedRow log={log} />
            </Plan>
          ))}
        </Section>
      )}
      {late.length + due.length === 0 && <p class="words soft">{say('today.nothing-due')}</p>}
      {next.length > 0 && due.length === 0 && (
        <Section title={say('today.next')} {...allPlans()}>
          {next.slice(0, shownNext).map((log) => (
            <Plan key={log.uuid} done={done.get(log.uuid)}>
              <PlannedRow log={log} />
            </Plan>
          ))}
        </Section>
      )}
      {flagged.length > 0 && (
        <Section title={say('today.flagged')}>
          {flagged.slice(0, shownFlagged).map((record) => (
            <FlaggedRow key={record.uuid} record={record} />
          ))}
        </Section>
      )}
      {recorded.length > 0 && (
        <Section title={say('today.recorded')} link={{ to: '/records', label: say('today.all-records') }}>
          {recorded
            .filter(({ uuid }) => !done.has(uuid))
            .map((log) => (
              <RecordedRow key={log.uuid} log={log} />
            ))}
        </Section>
      )}
    </>
  )
}

interface PlanProps {
  readonly done: TickedPlan | undefined
  readonly children: JSX.Element
}

/** The row of a plan, or for some seconds its done row. */
const Plan = ({ done, children }: PlanProps): JSX.Element => (done === undefined ? children : <DoneRow done={done} />)

const allPlans = () => ({ link: { to: '/records?done=no', label: say('today.all-planned') } })

function flaggedAssets(): readonly LocalRecord[] {
  return [...assets.value.values()].filter((asset) => flagsOf(asset).length > 0 && !isArchived(asset))
}

/** Shown on a farm without logs. */
function NothingYet(): JSX.Element {
  return (
    <Empty text={say('today.no-logs')}>
      {firstStepsPending() && (
        <Link to="/setup" class="btn tall">
          {say('today.first-steps')}
        </Link>
      )}
      {mayWrite() ? (
        <Link to="/add" class="btn main-do">
          {say('act.add')}
        </Link>
      ) : (
        <a class="btn tall" href="/docs">
          {say('today.how-to-record')}
        </a>
      )}
    </Empty>
  )
}
