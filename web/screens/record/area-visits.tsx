import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenDay, firstDayOfCopy, momentOf } from '../../look/day.ts'
import { Link, pageOfLog } from '../../look/link.tsx'
import { kindOf } from '../../look/place/area-kind.ts'
import { blocksOf, Ribbon } from '../../look/place/ribbon.tsx'
import { assets } from '../../store/local-copy.ts'
import type { LocalRecord, LocalStay } from '../../store/record.ts'
import { groupsOf, isAnimal, staysIn } from '../../store/stays.ts'
import { type Visit, visitsInTurn } from '../../store/visits.ts'
import { day, daysBetween, farmTime, isoDay, now, shortDay, shortMonth } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { nameOfAsset } from './facts.tsx'
import { daysWords } from './log-words.ts'

const months = 6

/** Stays and rest of the months up to the chosen day, with a list of all visits. */
export function AreaRibbon({ area }: { readonly area: LocalRecord }): JSX.Element | null {
  const all = staysIn(area.id)
  const chosen = chosenDay()
  if (all.length === 0 || (chosen !== undefined && chosen < firstDayOfCopy())) return null
  const grazing = all.filter(({ asset }) => isAnimal(asset))
  const stays = grazing.length > 0 ? grazing : all
  const kind = grazing.length > 0 && kindOf(area) !== 'building' ? 'grazing' : 'use'
  const until = chosen === undefined ? now() : Math.min(now(), endOfMonth(chosen))
  const starts = monthStarts(chosen ?? isoDay(now()))
  const from = starts[0]?.at ?? until
  const days = daysIn(stays, from, until)
  return (
    <section class="block" aria-label={say(`area.${kind}`)}>
      <div class="chart-head">
        <h2 class="sub">{say(`area.${kind}`)}</h2>
        <p class="small soft">{say(`area.${kind}-days`, { count: days, since: day(from) })}</p>
      </div>
      <Ribbon
        stays={stays}
        from={from}
        until={until}
        months={starts}
        figures="shown"
        label={say(`area.${kind}-days`, { count: days, since: day(from) })}
      >
        {chosen !== undefined && <Line at={(momentOf(chosen) - from) / (until - from)} />}
      </Ribbon>
      <p class="key small soft" aria-hidden="true">
        <i class="stayed" />
        {say(`area.${kind}-key`)}
        <i />
        {say(`area.${kind}-rest-key`)}
      </p>
      <Visits visits={visitsInTurn(all, { assets: assets.value, groupsOf: groupsThen })} />
    </section>
  )
}

const groupsThen = (asset: string, at: number): string[] => groupsOf(asset, at).flatMap(({ place }) => place ?? [])

function daysIn(stays: readonly LocalStay[], from: number, until: number): number {
  const seconds = blocksOf(stays, until)
    .map((block) => Math.min(block.until, until) - Math.max(block.from, from))
    .filter((length) => length > 0)
  return Math.round(seconds.reduce((sum, length) => sum + length, 0) / 86_400)
}

/** Line at the chosen day. */
function Line({ at }: { readonly at: number }): JSX.Element {
  const x = `${(at * 100).toFixed(2)}%`
  return <line class="then" x1={x} x2={x} y1="14" y2="50" />
}

/** First day of the month `after` months later. */
function monthStart(day: string, after: number): number {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return farmTime(new Date(Date.UTC(year, month - 1 + after, 1)).toISOString().slice(0, 10))
}

const endOfMonth = (day: string): number => monthStart(day, 1)

/** Starts of the last months, limited to the period of the copy. */
function monthStarts(day: string): { readonly at: number; readonly word: string }[] {
  const kept = farmTime(firstDayOfCopy())
  return Array.from({ length: months }, (_, index) => monthStart(day, index + 1 - months))
    .filter((at, index) => at >= kept || index === months - 1)
    .map((at) => ({ at, word: shortMonth(at) }))
}

const page = 50

function Visits({ visits }: { readonly visits: readonly Visit[] }): JSX.Element {
  const [wanted, setWanted] = useState(page)
  return (
    <details class="disclosure">
      <summary>{say('area.visits', { count: visits.length })}</summary>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{say('area.who')}</th>
            <th scope="col">{say('area.when')}</th>
            <th scope="col">{say('area.how-long')}</th>
          </tr>
        </thead>
        <tbody>
          {visits.slice(0, wanted).map((visit) => (
            <VisitRow visit={visit} key={`${visit.asset} ${visit.log} ${visit.until}`} />
          ))}
        </tbody>
      </table>
      {visits.length > wanted && (
        <button type="button" class="btn" onClick={() => setWanted(wanted + page)}>
          {say('record.older')}
        </button>
      )}
    </details>
  )
}

function VisitRow({ visit: { asset, members, from, until, log } }: { readonly visit: Visit }): JSX.Element {
  const name = nameOfAsset(asset)
  return (
    <tr>
      <td>{members.length > 0 ? say('asset.group', { name, count: members.length }) : name}</td>
      <td>
        <Link to={pageOfLog(log)} class="because tap">
          {shortDay(from)}
          {until !== null && daysBetween(from, until) > 0 && ` – ${shortDay(until)}`}
        </Link>
      </td>
      <td class="num">{daysWords(from, until)}</td>
    </tr>
  )
}
