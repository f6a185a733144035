import type { ComponentChildren, JSX } from 'preact'
import type { PickOf } from '../form/choosable.ts'
import { PickRecord } from '../form/pick-record.tsx'
import { go, withQuery } from '../look/router.ts'
import { DraftOffer } from './draft-offer.tsx'
import { say } from './say.ts'
import { Step } from './step.tsx'

interface WhichOrNewProps {
  readonly entry: 'input' | 'seed' | 'transplant'
  readonly title: string
  readonly of: PickOf
  /** Under which name the last choices are kept. */
  readonly used: string
  /** What the address calls it: `?crop=12`. */
  readonly parameter: string
  readonly children?: ComponentChildren
}

/** The first page of an entry: which one, or the name of one that is not there yet. */
export function WhichOrNew({ entry, title, of, used, parameter, children }: WhichOrNewProps): JSX.Element {
  return (
    <Step label={say(`entry.${entry}`)} title={title}>
      {children}
      <DraftOffer entry={entry} />
      <PickRecord
        of={of}
        used={used}
        onPick={({ id }) => go(withQuery({ [parameter]: id }))}
        onNew={(name) => go(withQuery({ new: name }))}
      />
    </Step>
  )
}
