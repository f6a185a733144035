import type { JSX } from 'preact'
import type { ControlProps } from './control.ts'
import { say } from './say.ts'
import { TimestampControl } from './timestamp.tsx'

interface Period {
  readonly value?: string
  readonly value2?: string
}

export function PeriodControl(props: ControlProps): JSX.Element {
  const { label, value, onChange } = props
  const { value: from, value2: until } = (value ?? {}) as Period
  const change = (period: Period) =>
    onChange(period.value === undefined && period.value2 === undefined ? undefined : period)
  return (
    <div class="rows">
      <p class="small soft">{say('form.from')}</p>
      <TimestampControl
        {...props}
        label={say('form.from-of', { label })}
        value={from}
        onChange={(at) => change(periodOf(at, until))}
      />
      <p class="small soft">{say('form.until')}</p>
      <TimestampControl
        {...props}
        label={say('form.until-of', { label })}
        value={until}
        onChange={(at) => change(periodOf(from, at))}
      />
    </div>
  )
}

function periodOf(from: unknown, until: unknown): Period {
  return {
    ...(typeof from === 'string' ? { value: from } : {}),
    ...(typeof until === 'string' ? { value2: until } : {}),
  }
}
