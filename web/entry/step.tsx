import type { ComponentChildren, JSX } from 'preact'
import { lastShown } from '../look/beside.ts'
import { Pane } from '../look/pane.tsx'
import { Title } from '../look/title.tsx'
import { useUp } from '../look/up.ts'
import { Refusal } from './refusal.tsx'

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
