import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { choiceLabel } from '../look/names.ts'
import { catalogue } from '../store/local-copy.ts'
import { say } from '../words/say.ts'
import { type ControlProps, filled, inputAttributes, listOf, onEnter } from './control.ts'

const mostChips = 6

/** Chips for few choices, else a list; an open list also accepts other words. */
export function ChoiceControl(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props
  const offered = catalogue.value?.lists[field.list ?? '']?.map((choice) => choice.value) ?? []
  const chosen = listOf(value).filter((one) => typeof one === 'string' && one !== '') as string[]
  const words = [...new Set([...offered, ...chosen])]
  if (field.many === true) return <SeveralOf {...props} words={words} chosen={chosen} />
  if (words.length > mostChips) return <OneOfMany {...props} words={words} />
  return (
    <div class="options">
      {words.map((word) => (
        <Chip key={word} pressed={word === value} onPress={() => onChange(word === value ? undefined : word)}>
          {choiceLabel(field.list ?? '', word)}
        </Chip>
      ))}
      {field.open === true && <OtherWord {...props} onWord={onChange} />}
    </div>
  )
}

interface WordsProps extends ControlProps {
  readonly words: readonly string[]
}

function SeveralOf({ words, chosen, ...props }: WordsProps & { readonly chosen: readonly string[] }): JSX.Element {
  const { field, onChange } = props
  const toggle = (word: string) =>
    onChange(filled(chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word]))
  return (
    <div class="options">
      {words.map((word) => (
        <Chip key={word} pressed={chosen.includes(word)} onPress={() => toggle(word)}>
          {choiceLabel(field.list ?? '', word)}
        </Chip>
      ))}
      {field.open === true && <OtherWord {...props} onWord={(word) => toggle(word)} />}
    </div>
  )
}

function OneOfMany({ words, ...props }: WordsProps): JSX.Element {
  const { field, label, value, onChange } = props
  return (
    <div class="options">
      <span class="field">
        <select
          {...inputAttributes(props)}
          aria-label={label}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
        >
          <option value="">{say('form.none')}</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {choiceLabel(field.list ?? '', word)}
            </option>
          ))}
        </select>
      </span>
      {field.open === true && <OtherWord {...props} onWord={onChange} />}
    </div>
  )
}

interface OtherWordProps extends ControlProps {
  readonly onWord: (word: string) => void
}

function OtherWord({ label, onWord }: OtherWordProps): JSX.Element {
  const [text, setText] = useState<string | null>(null)
  if (text === null)
    return (
      <Chip icon="plus" label={say('form.other-word-of', { label })} onPress={() => setText('')}>
        {say('form.other-word')}
      </Chip>
    )
  const add = () => {
    if (text.trim() !== '') onWord(text.trim())
    setText(null)
  }
  return (
    <span class="other-word">
      <span class="field">
        <input
          type="text"
          aria-label={say('form.other-word-of', { label })}
          value={text}
          ref={(input) => void (text === '' && input?.focus())}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onEnter(add)}
        />
      </span>
      <button type="button" class="btn" onClick={add}>
        <Icon name="plus" size="small" />
        {say('form.add')}
      </button>
    </span>
  )
}
