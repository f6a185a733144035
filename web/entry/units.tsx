import type { JSX } from 'preact'
import { Chip } from '../look/chip.tsx'
import { me, terms } from '../store/local-copy.ts'
import { recentChoices } from '../store/recent-choices.ts'
import type { KeptRecord } from '../store/record.ts'
import { say } from './say.ts'
import { TextField } from './text-field.tsx'

const metric = {
  harvest: ['kg', 'bunches', 'crates'],
  seed: ['g', 'pieces', 'm'],
  input: ['kg', 'litres', 't'],
  weigh: ['kg'],
  treat: ['ml', 'pieces', 'g'],
} as const
const us = {
  harvest: ['lb', 'bunches', 'crates'],
  seed: ['oz', 'pieces', 'ft'],
  input: ['lb', 'gallons', 'bags'],
  weigh: ['lb'],
  treat: ['ml', 'pieces', 'oz'],
} as const

type Measured = keyof typeof metric

const shown = 3

/** What was used last for the same comes first. */
export function unitsOf(entry: Measured, of: string): readonly string[] {
  const system = me.value?.farm.system_of_measurement === 'us' ? us : metric
  const usual = system[entry].map((unit) => say(`entry.unit.${unit}`))
  return [...new Set([...recentChoices(unitsUsed(entry, of)), ...usual])].slice(0, shown)
}

export const unitsUsed = (entry: Measured, of: string): string => `unit ${entry} ${of}`

/** The units that the farm has as terms. */
export const unitTerms = (): readonly KeptRecord[] =>
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

/** Any other, of those that the farm has or new. */
export function UnitField({ unit, onUnit }: Omit<UnitChipsProps, 'units'>): JSX.Element {
  return (
    <TextField label={say('entry.unit')} value={unit} onText={onUnit} offers={unitTerms().map(({ name }) => name)} />
  )
}
