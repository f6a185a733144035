import type { ComponentChildren, JSX } from 'preact'
import { Figure, NumberPad } from '../form/number-pad.tsx'
import { decimalIn } from '../form/typed-number.ts'
import { Link } from '../look/link.tsx'
import { Title } from '../look/title.tsx'
import { amountWords } from './amount.ts'
import { DraftOffer } from './draft-offer.tsx'
import { Refusal } from './refusal.tsx'
import { isKeeping } from './save-entry.ts'
import { say } from './say.ts'
import { isPlan } from './timing.tsx'
import { UnitChips } from './units.tsx'

interface Figured {
  readonly value: string
  readonly unit: string
}

interface AmountFlowProps {
  /** Whose drafts are offered. */
  readonly entry: string
  readonly title: string
  readonly subject: ComponentChildren
  readonly amount: Figured
  readonly units: readonly string[]
  readonly onAmount: (part: Partial<Figured>) => void
  /** Under the figure: how much it was so far. */
  readonly hint?: string | undefined
  readonly chips?: ComponentChildren
  /** Above Save: when, where, under which lot. */
  readonly line: ComponentChildren
  /** Whether the entry makes sense without a figure. */
  readonly needs: 'figure' | 'nothing'
  readonly onSave: () => void
}

/** Subject on top, figure in the middle, pad and Save at the thumb; the button repeats what will be saved. */
export function AmountFlow(props: AmountFlowProps): JSX.Element {
  const { entry, title, subject, amount, units, onAmount, hint, chips, line, needs, onSave } = props
  const { value, unit } = amount
  const isReady = decimalIn(value) !== null || (value === '' && (needs === 'nothing' || isPlan()))
  return (
    <form
      class="flow"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isKeeping.value) onSave()
      }}
    >
      <Title text={title} class="out" />
      {subject}
      <div class="grow">
        <DraftOffer entry={entry} />
        <Figure
          label={say('entry.amount')}
          value={value}
          unit={unit}
          onChange={(typed) => onAmount({ value: typed })}
        />
        <p class="small soft">{hint}</p>
      </div>
      <div class="chips">
        <UnitChips units={units} unit={unit} onUnit={(chosen) => onAmount({ unit: chosen })} />
        {chips}
      </div>
      <NumberPad value={value} onChange={(typed) => onAmount({ value: typed })} />
      <div class="foot">
        <Refusal />
        <div class="line small">{line}</div>
        <button type="submit" class="btn main-do fill" disabled={!isReady || isKeeping.value}>
          {saveWords(amount)}
        </button>
      </div>
    </form>
  )
}

function saveWords({ value, unit }: Figured): string {
  if (isKeeping.value) return say('entry.saving')
  if (isPlan()) return say('entry.save-plan')
  return decimalIn(value) === null
    ? say('entry.save')
    : say('entry.harvest.save', { amount: amountWords({ value, unit }) })
}

interface SubjectProps {
  readonly icon: ComponentChildren
  readonly name: string
  readonly second?: string | undefined
  /** Where another is chosen. */
  readonly change: string
}

export function Subject({ icon, name, second, change }: SubjectProps): JSX.Element {
  return (
    <div class="row">
      <span class="m">{icon}</span>
      <span class="t">
        <b class="place">{name}</b>
        {second && <small>{second}</small>}
      </span>
      <span class="e">
        <Link to={change} class="btn plain">
          {say('entry.change')}
        </Link>
      </span>
    </div>
  )
}
