import type { ComponentChildren, JSX } from 'preact'
import { type ChoiceScope, PickRecord } from '../forms/pick-record.tsx'
import { lastShown } from '../look/desk.ts'
import { Pane, Title, useUp } from '../look/page.tsx'
import { go, wasLedHere, withQuery } from '../look/router.ts'
import { say } from '../words/say.ts'
import { DraftOffer } from './draft.tsx'
import { Refusal } from './save-entry.tsx'

interface StepProps {
  /** In the strip, beside the cross that leads out. */
  readonly label: string
  /** Where the arrow leads instead: the step before. */
  readonly before?: string | undefined
  readonly title: string
  readonly second?: ComponentChildren
  readonly children: ComponentChildren
  readonly foot?: ComponentChildren
}

/** A question of an entry, as a page of the notebook: what one chooses from, and at the thumb what may be said besides. */
export function Step({ label, before, title, second, children, foot }: StepProps): JSX.Element {
  useEntryUp(label, before)
  return (
    <>
      <Pane class="book" name="entry">
        <div class="head">
          <Title text={title} />
          {second && <p>{second}</p>}
        </div>
        {children}
      </Pane>
      <Refusal />
      {foot && <div class="foot">{foot}</div>}
    </>
  )
}

export function useEntryUp(label: string, before?: string): void {
  useUp(before === undefined ? { to: lastShown.value, label, icon: 'close' } : { to: before, label, icon: 'back' })
}

interface WhichOrNewProps {
  readonly entry: 'input' | 'seed' | 'transplant'
  readonly title: string
  readonly of: ChoiceScope
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

/** Back to where one came from. */
export function leaveEntry(): void {
  go(lastShown.peek())
}

export function leaveSheet(): void {
  if (wasLedHere()) history.back()
  else leaveEntry()
}
