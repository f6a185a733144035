import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { decimalSign } from '../words/format.ts'
import { say } from '../words/say.ts'
import { afterKey, type PadKey } from './typed-number.ts'

interface FigureProps {
  /** Name of the number: "Amount". */
  readonly label: string
  /** Decimal point; empty until something is typed. */
  readonly value: string
  readonly unit?: string
  readonly onChange: (value: string) => void
}

/** The typed number, large; accepts the pad and a keyboard. */
export function Figure({ label, value, unit, onChange }: FigureProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <label class="figure num">
      <input
        ref={input}
        aria-label={unit === undefined ? label : `${label}, ${unit}`}
        inputmode="none"
        autocomplete="off"
        placeholder="0"
        value={value.replace('.', decimalSign())}
        style={{ width: `${Math.max(value.length, 1) + 0.4}ch` }}
        onInput={({ currentTarget }) => onChange(currentTarget.value.replace(',', '.').replace(/[^\d.-]/g, ''))}
      />
      {unit !== undefined && <span aria-hidden="true">{unit}</span>}
    </label>
  )
}

const keys: readonly PadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', 'back']

interface NumberPadProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Large keys for gloves. */
export function NumberPad({ value, onChange }: NumberPadProps): JSX.Element {
  return (
    <fieldset class="pad" aria-label={say('form.pad')}>
      {keys.map((key) => (
        <button type="button" key={key} aria-label={spokenKeys[key]?.()} onClick={() => onChange(afterKey(value, key))}>
          {key === 'back' ? <Icon name="backspace" /> : key === '.' ? decimalSign() : key}
        </button>
      ))}
    </fieldset>
  )
}

const spokenKeys: Partial<Record<PadKey, () => string>> = {
  '.': () => say('form.decimal-sign'),
  back: () => say('form.take-back'),
}
