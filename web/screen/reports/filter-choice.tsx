import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { replace } from '../../look/router.ts'
import { assets, catalogue, terms } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'
import { searchNames } from '../../store/search.ts'
import { type ChosenFilter, withFilter } from './asked.ts'
import { say } from './say.ts'
import { ValueField } from './value-field.tsx'

type Field = NonNullable<ReturnType<typeof fieldsOf>[string]>

/** Kinds of field that somebody can choose a value of. */
const choosable: readonly string[] = ['reference', 'choice', 'text']

/** The fields that logs of these types are asked by, those of the farm's modules too. */
function fieldsOf(types: readonly string[]) {
  const bundles = catalogue.value?.types.log ?? {}
  return Object.assign({}, ...types.map((type) => bundles[type]?.fields ?? {})) as NonNullable<
    (typeof bundles)[string]
  >['fields']
}

export const fieldLabel = (name: string, types: readonly string[]): string => fieldsOf(types)[name]?.label ?? name

export function valueLabel({ field, value }: ChosenFilter, types: readonly string[]): string {
  const { to, list } = fieldsOf(types)[field] ?? {}
  if (to === 'farm_asset') return assets.value.get(value)?.name ?? value
  if (to === 'taxonomy_term' || field === 'area') return terms.value.get(value)?.name ?? value
  return choicesIn(list).find((one) => one.value === value)?.label ?? value
}

const choicesIn = (list: string | undefined) => (list === undefined ? [] : (catalogue.value?.lists[list] ?? []))

/** A filter by any field that the logs of the report have. */
export function FilterChoice({ types }: { readonly types: readonly string[] }): JSX.Element | null {
  const [chosen, setChosen] = useState('')
  const id = useId()
  const fields = fieldsOf(types)
  const names = Object.keys(fields).filter((name) => isChoosable(fields[name]))
  if (names.length === 0) return null
  const field = fields[chosen]
  return (
    <fieldset class="filter">
      <legend>
        <label for={id}>{say('reports.only')}</label>
      </legend>
      <span class="field">
        <select id={id} value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <option value="">{say('reports.choose-field')}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {fields[name]?.label}
            </option>
          ))}
        </select>
      </span>
      {field && <Values key={chosen} name={chosen} field={field} />}
    </fieldset>
  )
}

const isChoosable = (field: Field | undefined): boolean =>
  field !== undefined && choosable.includes(field.kind) && field.to !== 'user' && field.on_request !== true

const suggested = 8

function Values({ name, field }: { readonly name: string; readonly field: Field }): JSX.Element {
  const [text, setText] = useState('')
  const add = (value: string) => replace(withFilter({ field: name, value }, 'add'))
  const choices =
    field.kind === 'choice'
      ? choicesIn(field.list)
      : field.kind === 'reference'
        ? searchNames(text)
            .filter(isOf(field))
            .slice(0, suggested)
            .map(({ id: value, name: label }) => ({ value, label }))
        : []
  return (
    <>
      {field.kind !== 'choice' && <ValueField label={say('reports.value')} value={text} onText={setText} />}
      <div class="chips">
        {field.kind === 'text' && text !== '' && <Chip onPress={() => add(text)}>{say('reports.add-filter')}</Chip>}
        {choices.map(({ value, label }) => (
          <Chip key={value} onPress={() => add(value)}>
            {label}
          </Chip>
        ))}
      </div>
    </>
  )
}

/** Whether it is something that the field points to. */
const isOf =
  ({ to, within }: Field) =>
  ({ type, bundle }: KeptRecord): boolean =>
    type === (to === 'farm_asset' ? 'asset' : 'term') &&
    (within === undefined || within === 'own' || within.includes(bundle))
