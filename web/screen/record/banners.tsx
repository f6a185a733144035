import type { JSX } from 'preact'
import { pageOf } from '../../look/address-of.ts'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Mark } from '../../look/mark.tsx'
import { choiceLabel, flagsOf } from '../../look/names.ts'
import { idsIn, isArchived, type KeptRecord } from '../../store/record.ts'

import { day } from '../../words/format.ts'
import { planWords } from './log-words.ts'
import { say } from './say.ts'

/** What has to be known of a record before anything else. */
export function Banners({ record }: { readonly record: KeptRecord }): JSX.Element {
  return (
    <>
      {isArchived(record) && (
        <p class="banner quiet">
          <Icon name="records" />
          <b>{say('asset.archived', { when: day(Number(record.fields.archived)) })}</b>
        </p>
      )}
      <Flags record={record} />
    </>
  )
}

export function Flags({ record }: { readonly record: KeptRecord }): JSX.Element | null {
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
  readonly plans: readonly KeptRecord[]
}

/** A treatment that goes on, a time of withholding that is not over: planned, and of the animal's health. */
export function Care({ asset, plans }: CareProps): JSX.Element | null {
  const next = plans.findLast((plan) => plan.bundle === 'farm_medical' && idsIn(plan.fields.asset).includes(asset))
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
