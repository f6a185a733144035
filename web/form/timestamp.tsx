import type { JSX } from 'preact'
import type { ControlProps } from './control.ts'
import type { Moment } from './moments.ts'
import { When } from './when.tsx'

export function TimestampControl({ label, value, onChange, describedBy, times }: ControlProps): JSX.Element {
  return (
    <When
      label={label}
      at={momentOf(value)}
      onChange={(at) => onChange(at === null ? undefined : String(at))}
      describedBy={describedBy}
      of={times}
    />
  )
}

/** "0" is how an unset time is spelled. */
export function momentOf(value: unknown): Moment | null {
  if (value === 'now') return 'now'
  const seconds = Number(value ?? 0)
  return Number.isFinite(seconds) && seconds !== 0 ? seconds : null
}
