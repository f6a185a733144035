import type { ComponentChildren, ComponentProps, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Figure, NumberPad } from '../forms/number-pad.tsx'
import { TextField } from '../forms/text-field.tsx'
import { decimalIn } from '../forms/typed-number.ts'
import { Chip } from '../look/chip.tsx'
import { Link } from '../look/link.tsx'
import { Mark } from '../look/mark.tsx'
import { Title } from '../look/page.tsx'
import { me, terms } from '../store/local-copy.ts'
import { recentChoices } from '../store/recent-choices.ts'
import type { LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { amountWords, type PastAmount, unusualAmount, usualUnits } from './amount.ts'
import { DetailsLine, type EntryDetails } from './details.tsx'
import { DraftOffer } from './draft.tsx'
import { isSaving, Refusal } from './save-entry.tsx'
import { isPlan } from './timing.tsx'

interface TypedAmount {
  readonly value: string
  readonly unit: string
}

interface AmountFlowProps {
  /** Name of the entry, for its drafts. */
  readonly entry: string
  readonly title: string
  readonly subject: ComponentChildren
  readonly amount: TypedAmount
  readonly units: readonly string[]
  /** Amounts recorded for the same subject; an unusual amount or unit is asked about. */
  readonly past: readonly PastAmount[]
  readonly onAmount: (part: Partial<TypedAmount>) => void
  /** Shown under the figure: the amount so far. */
  readonly hint?: string | undefined
  readonly chips?: ComponentChildren
  /** Line above Save: time, place, lot. */
  readonly line: ComponentChildren
  /** `nothing`: the entry makes sense without a figure. `more`: something else is missing. */
  readonly needs: 'figure' | 'nothing' | 'more'
  /** Controls above the pad. */
  readonly children?: ComponentChildren
  readonly onSave: () => void
}

/** Subject on top, figure in the middle, pad and Save at the thumb; the button repeats what will be saved. */
export function AmountFlow(props: AmountFlowProps): JSX.Element {
  const { entry, title, subject, amount, units, past, onAmount, hint, chips, line, needs, onSave } = props
  const { value, unit } = amount
  const [asked, setAsked] = useState('')
  const unusual = isPlan() ? undefined : unusualAmount(amount, past)
  const isAsking = unusual !== undefined && asked === amountWords(amount)
  const isReady = needs !== 'more' && (decimalIn(value) !== null || (value === '' && (needs === 'nothing' || isPlan())))
  return (
    <form
      class="flow"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady || isSaving.value) return
        if (unusual !== undefined && !isAsking) setAsked(amountWords(amount))
        else onSave()
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
      {props.children}
      <NumberPad value={value} onChange={(typed) => onAmount({ value: typed })} />
      <div class="foot">
        <Refusal />
        {isAsking && (
          <p class="banner round" role="alert">
            <Mark kind="needs" />
            <span>{say(`entry.unusual.${unusual.kind}`, { amount: amountWords(amount), usual: unusual.usual })}</span>
          </p>
        )}
        <div class="line small">{line}</div>
        <button type="submit" class="btn main-do fill" disabled={!isReady || isSaving.value}>
          {isAsking && !isSaving.value ? say('entry.unusual.save', { amount: amountWords(amount) }) : saveWords(amount)}
        </button>
      </div>
    </form>
  )
}

function saveWords({ value, unit }: TypedAmount): string {
  if (isSaving.value) return say('entry.saving')
  if (isPlan()) return say('entry.save-plan')
  return decimalIn(value) === null
    ? say('entry.save')
    : say('entry.harvest.save', { amount: amountWords({ value, unit }) })
}

interface SubjectProps {
  readonly icon: ComponentChildren
  readonly name: string
  readonly second?: string | undefined
  /** Address of the step that chooses another one, or leaves some out. */
  readonly change: string
  readonly label?: string
}

export function EntrySubject({ icon, name, second, change, label }: SubjectProps): JSX.Element {
  return (
    <div class="row">
      <span class="m">{icon}</span>
      <span class="t">
        <b class="place">{name}</b>
        {second && <small>{second}</small>}
      </span>
      <span class="e">
        <Link to={change} class="btn plain">
          {label ?? say('entry.change')}
        </Link>
      </span>
    </div>
  )
}

interface DetailsWithUnit extends EntryDetails {
  readonly unit: string
}

interface AmountDetailsProps extends Omit<ComponentProps<typeof DetailsLine>, 'details' | 'onDetails'> {
  readonly details: DetailsWithUnit
  readonly onDetails: (part: Partial<DetailsWithUnit>) => void
}

/** Details of an entry with an amount. The unit may be one without a chip. */
export function AmountDetails({ details, onDetails, children, ...others }: AmountDetailsProps): JSX.Element {
  return (
    <DetailsLine details={details} onDetails={onDetails} {...others}>
      <UnitField unit={details.unit} onUnit={(unit) => onDetails({ unit })} />
      {children}
    </DetailsLine>
  )
}

const metric = {
  harvest: ['kg', 'bunches', 'crates'],
  animal: ['litres', 'eggs', 'kg'],
  seed: ['g', 'pieces', 'm'],
  input: ['kg', 'litres', 't'],
  weigh: ['kg'],
  treat: ['ml', 'pieces', 'g'],
} as const
const us = {
  harvest: ['lb', 'bunches', 'crates'],
  animal: ['gallons', 'eggs', 'lb'],
  seed: ['oz', 'pieces', 'ft'],
  input: ['lb', 'gallons', 'bags'],
  weigh: ['lb'],
  treat: ['ml', 'pieces', 'oz'],
} as const

type MeasuredEntry = keyof typeof metric

const shown = 3

/** Units: those recorded for this subject, the last used on this device, then the usual ones. */
export function unitsOf(entry: MeasuredEntry, of: string, past: readonly PastAmount[] = []): readonly string[] {
  const system = me.value?.farm.system_of_measurement === 'us' ? us : metric
  const usual = system[entry].map((unit) => say(`entry.unit.${unit}`))
  return [...new Set([...usualUnits(past), ...recentChoices(unitsUsed(entry, of)), ...usual])].slice(0, shown)
}

export const unitsUsed = (entry: MeasuredEntry, of: string): string => `unit ${entry} ${of}`

export const unitTerms = (): readonly LocalRecord[] =>
  [...terms.value.values()].filter(({ bundle }) => bundle === 'farm_quantity_units')

interface UnitChipsProps {
  readonly units: readonly string[]
  readonly unit: string
  readonly onUnit: (unit: string) => void
}

export function UnitChips({ units, unit, onUnit }: UnitChipsProps): JSX.Element {
  const all = units.includes(unit) || unit === '' ? units : [unit, ...units].slice(0, shown)
  return (
    <>
      {all.map((one) => (
        <Chip key={one} pressed={one === unit} onPress={() => onUnit(one)}>
          {one}
        </Chip>
      ))}
    </>
  )
}

/** Chooses another unit of the farm, or names a new one. */
function UnitField({ unit, onUnit }: Omit<UnitChipsProps, 'units'>): JSX.Element {
  return (
    <TextField label={say('entry.unit')} value={unit} onText={onUnit} offers={unitTerms().map(({ name }) => name)} />
  )
}
