import type { JSX } from 'preact'
import { medicalBundle } from '../../../src/farm/bundle-names.ts'
import { doneAt, doneChange, lacksAmount } from '../../entries/done.ts'
import { Icon } from '../../look/icon.tsx'
import { lazy } from '../../look/lazy.tsx'
import { Link, pageOf } from '../../look/link.tsx'
import { Mark } from '../../look/mark.tsx'
import { choiceLabel, flagsOf } from '../../look/names.ts'
import type { PlaceMapProps } from '../../look/place/place-map.tsx'
import { wktOf } from '../../look/place/shapes.ts'
import { go } from '../../look/router.ts'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { idsIn, isArchived, isArea, isDone, type LocalRecord } from '../../store/record.ts'
import { save } from '../../sync/save.ts'
import { day, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { planWords } from './log-words.ts'

const withheld = lazy(() => import('../../entries/withheld.tsx'))

/** Important notices above everything else. */
export function Banners({ record }: { readonly record: LocalRecord }): JSX.Element {
  return (
    <>
      {isArchived(record) && (
        <p class="banner quiet">
          <Icon name="records" />
          <b>{say('asset.archived', { when: day(Number(record.fields.archived)) })}</b>
        </p>
      )}
      {record.type !== 'log' && withheld.show(({ WithheldBanner }) => <WithheldBanner record={record} />, <></>)}
      <Flags record={record} />
    </>
  )
}

export function Flags({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const flags = flagsOf(record)
  if (flags.length === 0) return null
  return (
    <p class="banner">
      <Icon name="flag" />
      <b>{flags.map((flag) => choiceLabel('flags', flag)).join(', ')}</b>
    </p>
  )
}

interface CareProps {
  readonly asset: string
  readonly plans: readonly LocalRecord[]
}

/** Current treatment or withholding period: planned logs about the animal's health. */
export function Care({ asset, plans }: CareProps): JSX.Element | null {
  const next = plans.findLast((plan) => plan.bundle === medicalBundle && idsIn(plan.fields.asset).includes(asset))
  if (next === undefined) return null
  return (
    <Link to={pageOf(next)} class="banner">
      <Mark kind="needs" />
      <span>
        <b>{next.name}</b>
        <br />
        <small>{planWords(next)?.words}</small>
      </span>
    </Link>
  )
}

export const hasActions = (record: LocalRecord): boolean => mayWrite() && !isArchived(record)

/** Most frequent actions on a record, without those the account may not do. */
export function Actions({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  if (!hasActions(record)) return null
  const { type, id } = record
  if (type === 'asset')
    return (
      <Ways
        move={{ to: `/add/move?asset=${id}`, words: say('act.move') }}
        log={{ to: `/add?asset=${id}`, words: say('act.log') }}
      />
    )
  if (isArea(record))
    return (
      <Ways
        move={{ to: `/add/move?area=${id}`, words: say('act.move-here') }}
        log={{ to: `/add?area=${id}`, words: say('act.log-here') }}
      />
    )
  return type === 'log' && !isDone(record) ? <DoneButton plan={record} /> : null
}

interface WaysProps {
  readonly move: { readonly to: string; readonly words: string }
  readonly log: { readonly to: string; readonly words: string }
}

function Ways({ move, log }: WaysProps): JSX.Element {
  return (
    <nav class="two" aria-label={say('act.record')}>
      <Link to={move.to} class="btn tall">
        <Icon name="move" />
        {move.words}
      </Link>
      <Link to={log.to} class="btn tall">
        <Icon name="plus" />
        {log.words}
      </Link>
    </nav>
  )
}

function DoneButton({ plan }: { readonly plan: LocalRecord }): JSX.Element {
  const finish = async () => {
    if (lacksAmount(plan)) return go(`/add/done?log=${plan.id}`)
    const saved = await toastOnFailure(save([doneChange(plan, doneAt(plan, now()))]))
    if (saved !== null) offerUndo([saved], say('done.said', { name: plan.name }))
  }
  return (
    <p class="two">
      <button type="button" class="btn main-do" onClick={finish}>
        <Icon name="check" />
        {say('done.done')}
      </button>
    </p>
  )
}

/** Link to the form, for accounts that may write. */
export function EditLink({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  if (!mayWrite()) return null
  return (
    <Link to={`${pageOf(record)}/edit`} class="btn plain edit">
      {say('change.edit')}
    </Link>
  )
}

/** Loaded after the text of the page. */
export const smallMap = lazy(() => import('../../look/place/place-map.tsx'))

/** Map of an area in reserved space; null without a geometry. */
export function SmallMap(props: PlaceMapProps): JSX.Element | null {
  if (wktOf(props.area).length === 0) return null
  return smallMap.show(({ PlaceMap }) => <PlaceMap {...props} />, <div class="mini" />)
}
