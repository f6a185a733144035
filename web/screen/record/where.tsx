import type { JSX } from 'preact'
import { pageOfArea, pageOfAsset, pageOfLog } from '../../look/address-of.ts'
import { Link } from '../../look/link.tsx'
import { isBeforeCopy } from '../../look/moment.ts'
import { terms } from '../../store/local-copy.ts'
import { assetsNamedIn, type KeptRecord, type KeptStay } from '../../store/record.ts'
import { membershipsOf, placesOf } from '../../store/stays.ts'

import { day } from '../../words/format.ts'
import { sinceWords } from './log-words.ts'
import { say } from './say.ts'
import { nameOfArea, nameOfAsset } from './shown.tsx'
import { SmallMap } from './small-map.tsx'
import { isStillLoading } from './still-loading.ts'
import { groupsAt } from './timeline.ts'

interface WhereProps {
  readonly asset: KeptRecord
  /** Of a day in the past. */
  readonly at: number | undefined
  /** The log that says so, if the copy has it. */
  readonly deciding: KeptRecord | undefined
}

/** Where an asset is, since when, and the log that says so. */
export function Where({ asset, at, deciding }: WhereProps): JSX.Element {
  const stays = placesOf(asset.id, at)
  const [first] = stays
  if (first === undefined && isStillLoading()) return <p class="block soft">{say('record.still-loading')}</p>
  if (first === undefined && at !== undefined && isBeforeCopy(at))
    return <p class="block soft">{say('shell.before-copy')}</p>
  if (first === undefined)
    return <p class="block soft">{at === undefined ? say('asset.nowhere') : say('asset.nowhere-then')}</p>
  const area = first.placeType === 'area' && first.place !== null ? terms.value.get(first.place) : undefined
  return (
    <section class="where" aria-label={say('asset.where')}>
      <div>
        <p class="h24">
          <PlaceNames stays={stays} isPast={at !== undefined} />
        </p>
        <p>{at === undefined ? sinceWords(first.from) : say('asset.from-until', spanOf(first))}</p>
        <Link to={pageOfLog(first.log)} class="because small tap">
          {deciding === undefined
            ? say('because.a-log', { day: day(first.from) })
            : becauseWords(asset, deciding, first)}
        </Link>
      </div>
      {area && <SmallMap area={area} />}
    </section>
  )
}

function spanOf({ from, until }: KeptStay): { readonly from: string; readonly until: string } {
  return { from: day(from), until: until === null ? say('asset.today') : day(until) }
}

function PlaceNames({ stays, isPast }: { readonly stays: readonly KeptStay[]; readonly isPast: boolean }): JSX.Element {
  const word = isPast ? say('asset.was-in') : say('asset.in')
  return (
    <>
      {word}{' '}
      {stays.map((stay, index) => (
        <span key={stay.place}>
          {index > 0 && ', '}
          <PlaceName stay={stay} />
        </span>
      ))}
    </>
  )
}

function PlaceName({ stay: { place, placeType } }: { readonly stay: KeptStay }): JSX.Element {
  if (place === null) return <>{say('asset.a-spot')}</>
  const isArea = placeType === 'area'
  return (
    <Link to={isArea ? pageOfArea(place) : pageOfAsset(place)}>{isArea ? nameOfArea(place) : nameOfAsset(place)}</Link>
  )
}

function becauseWords(asset: KeptRecord, log: KeptRecord, { from }: KeptStay): string {
  const named = assetsNamedIn(log)
  const groups = groupsAt(membershipsOf(asset.id), from).filter((group) => named.includes(group))
  if (groups.length > 0) return say('because.with', { groups: groups.map(nameOfAsset).join(', ') })
  return say('because.log', { name: log.name })
}
