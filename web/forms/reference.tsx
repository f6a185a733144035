import { createContext, type JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { areaBundle } from '../../src/farm/bundle-names.ts'
import { Chip, ChosenChip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { ModalSheet } from '../look/sheet.tsx'
import { assetBy, people, termBy } from '../store/local-copy.ts'
import { idsIn, type LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { type ControlProps, filled, inputAttributes, listOf } from './control.ts'
import { type ChoiceScope, PickRecord } from './pick-record.tsx'

export function ReferenceControl(props: ControlProps): JSX.Element {
  const { to, within } = props.field
  const bundles = typeof within === 'string' ? undefined : within
  if (to === 'user') return <PeopleControl {...props} />
  if (to === 'farm_asset') return <Records {...props} of={{ type: 'asset', bundles }} />
  if (to === 'taxonomy_term') return <Records {...props} of={{ type: 'term', bundles }} />
  return <NumberControl {...props} />
}

interface RecordsProps extends ControlProps {
  readonly of: ChoiceScope
}

function Records({ field, label, id, value, onChange, of, describedBy }: RecordsProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const chosen = listOf(value) as readonly FormReference[]
  const isChanged = chosen.length > 0 && field.many !== true
  const change = (references: readonly FormReference[]) =>
    onChange(field.many === true ? filled(references) : references.at(-1))
  const without = (reference: FormReference) => chosen.filter((one) => !sameReference(one, reference))
  const take = (reference: FormReference) => {
    const isThere = chosen.some((one) => sameReference(one, reference))
    change(isThere ? without(reference) : [...chosen, reference])
    if (field.many !== true) setOpen(false)
  }
  return (
    <div class="options">
      {chosen.map((reference) => (
        <ChosenChip
          key={nameOfReference(reference, of.type)}
          label={say('form.remove', { name: nameOfReference(reference, of.type) })}
          onPress={() => change(without(reference))}
        >
          <bdi>{nameOfReference(reference, of.type)}</bdi>
        </ChosenChip>
      ))}
      <button
        type="button"
        id={id}
        class="chip"
        aria-label={say(isChanged ? 'form.change-of' : 'form.choose-of', { label })}
        aria-describedby={describedBy}
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
        {say(isChanged ? 'form.change' : 'form.choose')}
      </button>
      {isOpen && <PickSheet label={label} of={of} chosen={chosen} onTake={take} onClose={() => setOpen(false)} />}
    </div>
  )
}

interface PickSheetProps {
  readonly label: string
  readonly of: ChoiceScope
  readonly chosen: readonly FormReference[]
  readonly onTake: (reference: FormReference) => void
  readonly onClose: () => void
}

function PickSheet({ label, of, chosen, onTake, onClose }: PickSheetProps): JSX.Element {
  const newRecord = useContext(NewRecord)
  const isByName = of.type === 'term' && of.bundles?.length === 1 && of.bundles[0] !== areaBundle
  const onNew = (name: string) => {
    if (isByName) onTake({ name })
    else newRecord?.({ of, name, onMade: onTake })
  }
  return (
    <ModalSheet title={label} onClose={onClose}>
      <PickRecord
        of={of}
        chosen={chosen.flatMap(({ id, uuid }) => id ?? uuid ?? [])}
        onPick={(record: LocalRecord) => onTake(referenceTo(record))}
        {...(isByName || newRecord !== null ? { onNew } : {})}
      />
      <button type="button" class="btn main-do fill" onClick={onClose}>
        {say('form.done')}
      </button>
    </ModalSheet>
  )
}

/** References without names: numbers, separated by commas. */
function NumberControl(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props
  const change = (text: string) => {
    const references = (text.match(/\d+/g) ?? []).map((number) => ({ id: number }))
    onChange(field.many === true ? filled(references) : references[0])
  }
  return (
    <span class="field">
      <input
        {...inputAttributes(props)}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        value={idsIn(value).join(', ')}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </span>
  )
}

function PeopleControl({ field, value, onChange }: ControlProps): JSX.Element {
  const chosen = idsIn(value)
  const known = new Map([...people.value, ...chosen.map((id) => [id, nameOf(id)] as const)])
  const toggle = (id: string) => {
    if (chosen.includes(id)) return change(chosen.filter((one) => one !== id))
    change(field.many === true ? [...chosen, id] : [id])
  }
  const change = (ids: readonly string[]) =>
    onChange(field.many === true ? filled(ids.map((id) => ({ id }))) : ids.map((id) => ({ id }))[0])
  return (
    <div class="options">
      {[...known].map(([id, name]) => (
        <Chip key={id} pressed={chosen.includes(id)} onPress={() => toggle(id)}>
          <bdi>{name}</bdi>
        </Chip>
      ))}
    </div>
  )
}

const nameOf = (id: string): string => people.value.get(id) ?? say('form.number', { id })

/** Refers to a stored record, an unsent one, or a new term. */
export interface FormReference {
  readonly id?: string
  readonly uuid?: string
  readonly name?: string
}

export function referenceTo({ id, uuid }: Pick<LocalRecord, 'id' | 'uuid'>): FormReference {
  return id === uuid ? { uuid } : { id }
}

function sameReference(one: FormReference, other: FormReference): boolean {
  if (one.id !== undefined || other.id !== undefined) return one.id === other.id
  if (one.uuid !== undefined || other.uuid !== undefined) return one.uuid === other.uuid
  return one.name === other.name
}

function nameOfReference({ id, uuid, name }: FormReference, type: 'asset' | 'term'): string {
  const key = id ?? uuid ?? ''
  const record = type === 'asset' ? assetBy(key) : termBy(key)
  return record?.name ?? name ?? say('form.number', { id: key })
}

export interface NewRecordRequest {
  readonly of: ChoiceScope
  readonly name: string
  readonly onMade: (reference: FormReference) => void
}

/** Creates a record that a reference needs; null where that is not possible. */
export const NewRecord = createContext<((request: NewRecordRequest) => void) | null>(null)
