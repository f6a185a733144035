import type { JSX } from 'preact'
import type { RecordFields } from '../store/record.ts'
import { faultsIn, type HoldingProps } from './control.ts'

/** A group of fields that belong together. */
export function PartControl({ field, label, value, onChange, faults, Input }: HoldingProps): JSX.Element {
  const values = (value ?? {}) as RecordFields
  const change = (name: string, given: unknown) => {
    const { [name]: _before, ...others } = values
    const part = given === undefined || given === '' ? others : { ...others, [name]: given }
    onChange(Object.keys(part).length === 0 ? undefined : part)
  }
  return (
    <div class="part">
      {Object.entries(field.fields ?? {}).map(([name, inner]) => (
        <Input
          key={name}
          name={name}
          field={inner}
          spoken={`${label}: ${inner.label}`}
          value={values[name]}
          faults={faultsIn(faults, name)}
          onChange={(given) => change(name, given)}
        />
      ))}
    </div>
  )
}
