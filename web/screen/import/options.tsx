import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { type ReadingName, readingsOf, saidBy } from './readings.ts'
import { say } from './say.ts'
import { Select } from './select.tsx'
import { checked, failure, properties, source, subject, wish, wishes } from './state.ts'

/** What is found out or usual, and can be said otherwise. */
export function Options(): JSX.Element | null {
  const isSheet = source.value?.format === 'sheet'
  if (checked.value === null && failure.value?.failure !== 'failed') return null
  return (
    <div class="words">
      <details class="disclosure" open={!isSheet && failure.value !== null}>
        <summary>{say('import.options')}</summary>
        {isSheet ? <OfSheet /> : <OfMap />}
      </details>
    </div>
  )
}

function OfSheet(): JSX.Element {
  const ofType: ReadingName = subject.value?.type === 'log' ? 'done' : 'match'
  const names: readonly ReadingName[] = ['sep', 'decimal', 'dates', ofType, 'empty', 'overwrite']
  return (
    <>
      <HeadRow />
      {names.map((name) => (
        <ReadingField key={name} name={name} />
      ))}
    </>
  )
}

function HeadRow(): JSX.Element {
  const id = useId()
  return (
    <div class="form-field">
      <label for={id}>{say('import.head-row')}</label>
      <span class="field">
        <input
          id={id}
          type="number"
          min={1}
          max={1000}
          value={wishes.value.said.head_row ?? '1'}
          onInput={({ currentTarget: { value } }) => wish({ said: { head_row: value } })}
        />
      </span>
    </div>
  )
}

function ReadingField({ name }: { readonly name: ReadingName }): JSX.Element {
  const choices = readingsOf(name)
    .filter((reading) => reading !== 'match=tag' || subject.value?.type === 'asset')
    .map((reading) => ({ value: saidBy(reading), label: say(`import.say.${reading}`) }))
  const take = (value: string) => wish({ said: { [name]: value } })
  return (
    <Select
      label={say(`import.option.${name}`)}
      value={wishes.value.said[name] ?? ''}
      choices={choices}
      onChoose={take}
    />
  )
}

/** No property can be called so. */
const asFound = '='

function OfMap(): JSX.Element {
  const known = [
    { value: asFound, label: say('import.as-found') },
    { value: '', label: say('import.none') },
    ...properties.value.map((value) => ({ value, label: value })),
  ]
  return (
    <>
      {(['name', 'type', 'parent'] as const).map((field) => (
        <Select
          key={field}
          label={say(`import.property.${field}`)}
          value={wishes.value.map[field] ?? asFound}
          choices={known}
          onChoose={(value) => wish({ map: { [field]: value === asFound ? undefined : value } })}
        />
      ))}
      <ReadingField name="match" />
      <ReadingField name="overwrite" />
    </>
  )
}
