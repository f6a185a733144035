import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { CatalogueField } from '../../src/doors/app/documents.ts'
import type { FieldKind } from '../../src/fields/field.ts'
import { Icon } from '../look/icon.tsx'
import { say } from '../words/say.ts'
import {
  type ContainerControlProps,
  type Control,
  type FieldFault,
  type FieldInputProps,
  faultsIn,
  filled,
  listOf,
} from './control.ts'
import { fieldKinds } from './field-kinds.tsx'
import { isEmpty } from './field-value.ts'

/** A field with label, control and faults. */
export function FieldInput(props: FieldInputProps): JSX.Element {
  const { name, field, value, onChange, faults = [], spoken, hint, times } = props
  const id = useId()
  const { Control, labels, several } = fieldKinds[field.kind]
  const label = labelOfField(name, field)
  const own = faults.filter(({ at }) => at === '' || !isInnerFault(at, field.kind))
  const describedBy = own.length > 0 ? `${id}-fault` : undefined
  const given = {
    field,
    label: spoken ?? label,
    id,
    value,
    onChange,
    faults,
    describedBy,
    spoken,
    hint,
    times,
    Input: FieldInput,
  }
  const control =
    field.many === true && several === 'rows' ? <Repeated {...given} One={Control} /> : <Control {...given} />
  const isGroup = labels === 'group' || (field.many === true && several === 'rows')
  const text = (
    <>
      {label}
      {field.required === true && isEmpty(value) && <span class="small"> · {say('form.required')}</span>}
    </>
  )
  if (isGroup)
    return (
      <fieldset class="form-field" data-field={spoken === undefined ? name : undefined} aria-describedby={describedBy}>
        <legend>{text}</legend>
        {control}
        <Faults id={describedBy} faults={own} />
      </fieldset>
    )
  return (
    <div class="form-field" data-field={spoken === undefined ? name : undefined}>
      <label for={id}>{text}</label>
      {control}
      <Faults id={describedBy} faults={own} />
    </div>
  )
}

/** Faults inside a part are shown at the inner field. */
const isInnerFault = (at: string, kind: FieldKind): boolean => kind === 'part' && /\w$/.test(at)

interface FaultsProps {
  readonly id: string | undefined
  readonly faults: readonly FieldFault[]
}

function Faults({ id, faults }: FaultsProps): JSX.Element | null {
  if (faults.length === 0) return null
  return (
    <p class="fault" id={id}>
      <Icon name="flag" size="small" />
      {faults.map(({ words }) => words).join(' ')}
    </p>
  )
}

interface RepeatedProps extends ContainerControlProps {
  readonly One: Control
}

/** Rows for a repeated field, with a button to add one. */
function Repeated({ One, ...props }: RepeatedProps): JSX.Element {
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

/** Label from the app's words, else from the catalogue. */
function labelOfField(name: string, { label }: Pick<CatalogueField, 'label'>): string {
  return ownLabels[name]?.() ?? label
}

const ownLabels: Readonly<Record<string, () => string>> = {
  timestamp: () => say('field.timestamp'),
  geofield: () => say('field.geofield'),
  inventory: () => say('field.inventory'),
}
