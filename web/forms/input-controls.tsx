import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { type ControlProps, inputAttributes, textOf } from './control.ts'
import { richTextWith, textIn, wktIn, wktOfPoint } from './field-value.ts'
import { devicePosition, locate, locateState } from './nearby.ts'
import { stepped } from './typed-number.ts'

export function TextControl(props: ControlProps): JSX.Element {
  const { field, value, onChange, hint } = props
  return (
    <span class="field">
      <input
        {...inputAttributes(props)}
        type="text"
        dir="auto"
        autocomplete="off"
        value={textOf(value)}
        placeholder={hint}
        required={field.required}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}

const mostLines = 12

export function LongTextControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  const text = textOf(value)
  return (
    <span class="field">
      <textarea
        {...inputAttributes(props)}
        dir="auto"
        rows={Math.min(mostLines, Math.max(3, text.split('\n').length))}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}

/** Edits the text of a rich text and keeps its format. */
export function RichTextControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  return (
    <LongTextControl
      {...props}
      value={textIn(value)}
      onChange={(text) => onChange(richTextWith(value, String(text)))}
    />
  )
}

/** Keeps all typed digits; buttons step by one. */
export function DecimalControl(props: ControlProps): JSX.Element {
  const { label, value, onChange } = props
  const text = textOf(value)
  const step = (by: 1 | -1) => (
    <button
      type="button"
      class="btn"
      aria-label={say(by === 1 ? 'form.one-more' : 'form.one-less', { label })}
      onClick={() => onChange(stepped(text, by))}
    >
      {by === 1 ? '+' : '−'}
    </button>
  )
  return (
    <span class="tally">
      {step(-1)}
      <span class="field">
        <input
          {...inputAttributes(props)}
          class="num"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </span>
      {step(1)}
    </span>
  )
}

/** A switch. Keeps the spelling of the field: some use digits for yes and no. */
export function YesNoControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  const isYes = value === true || value === '1'
  return (
    <span class="switch">
      <input
        {...inputAttributes(props)}
        type="checkbox"
        role="switch"
        checked={isYes}
        aria-checked={isYes}
        onChange={({ currentTarget: { checked } }) =>
          onChange(typeof value === 'string' ? (checked ? '1' : '0') : checked)
        }
      />
      <span aria-hidden="true">{isYes ? say('form.yes') : say('form.no')}</span>
    </span>
  )
}

/** Well-known text, or the position of this device. List items are `{ geom }`, single values plain text. */
export function GeometryControl(props: ControlProps): JSX.Element {
  const { field, label, value, onChange } = props
  const change = (wkt: string) => onChange(wkt === '' ? undefined : field.many === true ? { geom: wkt } : wkt)
  const mark = async () => {
    const found = await locate()
    if (found !== null) change(wktOfPoint(found))
  }
  return (
    <div class="rows">
      <LongTextControl {...props} value={wktIn(value)} onChange={(text) => change(String(text))} />
      <p>
        <button
          type="button"
          class="btn"
          aria-label={say('form.my-position-for', { label })}
          disabled={locateState.value === 'asking'}
          onClick={mark}
        >
          <Icon name="locate" />
          {say('form.my-position')}
        </button>
        <span class="small soft" role="status">
          {' '}
          {locateState.value === 'found' && devicePosition.value !== null
            ? say('form.accurate-to', { metres: figure(devicePosition.value.accuracy) })
            : null}
          {locateState.value === 'refused' && say('form.position-refused')}
          {locateState.value === 'missing' && say('form.position-missing')}
        </span>
      </p>
    </div>
  )
}
