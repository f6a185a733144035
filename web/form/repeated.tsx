import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { type Control, type ControlProps, faultsIn, filled, listOf } from './control.ts'
import { say } from './say.ts'

interface RepeatedProps extends ControlProps {
  readonly One: Control
}

/** Several values of a kind that has one control for each: rows, to which one can be added. */
export function Repeated({ One, ...props }: RepeatedProps): JSX.Element {
  const { label, id, value, onChange, faults } = props
  const all = listOf(value)
  const rows = all.length === 0 ? [undefined] : all
  const named = (index: number) => (rows.length === 1 ? label : say('form.nth', { label, number: index + 1 }))
  const change = (index: number, given: unknown) => onChange(rows.with(index, given ?? null))
  return (
    <div class="rows">
      {rows.map((row, index) => (
        <div class="one-of" key={index}>
          <One
            {...props}
            id={index === 0 ? id : `${id}-${index}`}
            label={named(index)}
            spoken={named(index)}
            value={row ?? undefined}
            faults={[...faultsIn(faults, `[${index}]`), ...(index === 0 ? faultsIn(faults, '') : [])]}
            onChange={(given) => change(index, given)}
          />
          {all.length > 0 && (
            <button
              type="button"
              class="icon-btn"
              aria-label={say('form.remove', { name: named(index) })}
              onClick={() => onChange(filled(all.filter((_one, other) => other !== index)))}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <button
        type="button"
        class="btn plain"
        aria-label={say('form.add-to', { label })}
        onClick={() => onChange([...rows, null])}
      >
        <Icon name="plus" />
        {say('form.add')}
      </button>
    </div>
  )
}
