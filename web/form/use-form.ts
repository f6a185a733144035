import { useState } from 'preact/hooks'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { bundleOf } from '../look/names.ts'
import { assetBy, catalogue, termBy } from '../store/local-copy.ts'
import type { RecordFields } from '../store/record.ts'
import { newUuid } from '../store/uuid.ts'
import { now } from '../words/format.ts'
import { type Fault, faultsIn, listOf } from './control.ts'
import type { RecordFormProps } from './form-props.ts'
import type { Reference } from './reference-value.ts'
import { fieldsOf, type Subject, valuesAtFirst } from './subject.ts'
import { type Draft, type DraftChoice, useDraft } from './use-draft.ts'
import { type Written, writtenBy } from './written.ts'

interface FormState {
  readonly fields: CatalogueFields
  readonly draft: Draft
  /** A draft of earlier: the form waits until it is clear what becomes of it. */
  readonly offer: DraftChoice | null
  readonly faults: readonly Fault[]
  /** What the record is called where nobody says how. */
  readonly suggestedName: string
  readonly isSaving: boolean
  readonly set: (name: string, value: unknown) => void
  /** What another form has made for this one to refer to is saved with it. */
  readonly takeAlong: (made: Written) => void
  /** Tells what is wrong, or saves; the first fault that is in the way. */
  readonly save: () => Promise<Fault | undefined>
}

/** What somebody writes in a form, from the first letter to the moment it is kept; null until it is known whether there is a draft. */
export function useForm({ subject, given = {}, found = [], draft: key, onSave }: RecordFormProps): FormState | null {
  const { record } = subject
  const [faults, setFaults] = useState(found)
  const [isSaving, setSaving] = useState(false)
  const values = valuesAtFirst(subject, given)
  const uuid = record?.uuid ?? newUuid()
  const drafting = useDraft(key, { uuid, values, record, alongside: [], photos: [], at: now() })
  if (drafting === null) return null
  const { draft, offer, change, end } = drafting
  const fields = fieldsOf(subject)
  const suggestedName = suggestedFor(subject, draft)
  const keep = async (written: Written) => {
    setSaving(true)
    try {
      await onSave({
        ...written,
        changes: [...draft.alongside, ...written.changes],
        photos: [...draft.photos, ...written.photos],
      })
      await end()
    } finally {
      setSaving(false)
    }
  }
  return {
    fields,
    draft,
    offer,
    faults,
    suggestedName,
    isSaving,
    set: (name, value) => {
      change(({ values }) => ({ values: { ...values, [name]: value } }))
      setFaults(faults.filter((fault) => !isOf(fault, name)))
    },
    takeAlong: ({ changes, photos }) =>
      change((before) => ({
        alongside: [...before.alongside, ...changes],
        photos: [...before.photos, ...photos],
      })),
    save: async () => {
      const writing = { subject: { ...subject, record: draft.record }, fields, uuid: draft.uuid }
      const said = named(draft, suggestedName)
      const outcome = writtenBy({ ...writing, values: said }, { now: now(), lists: catalogue.value?.lists ?? {} })
      setFaults(outcome.faults ?? [])
      if (outcome.written !== null) await keep(outcome.written)
      return outcome.faults?.[0]
    },
  }
}

export const isOf = ({ at }: Fault, name: string): boolean => faultsIn([{ at, words: '' }], name).length > 0

/** Only what happened is called after what it was: things have names of their own. */
function suggestedFor(subject: Subject, { values }: Draft): string {
  const isNewLog = subject.type === 'log' && subject.record === null
  return isNewLog ? composedName(bundleOf(subject)?.label ?? '', values) : ''
}

function named({ values }: Draft, suggestedName: string): Draft['values'] {
  const isNameless = String(values.name ?? '').trim() === ''
  return isNameless && suggestedName !== '' ? { ...values, name: suggestedName } : values
}

const most = 3

/** What a log is called whose name was left empty: "Harvest: Leek, Bed 3". */
function composedName(label: string, values: RecordFields): string {
  const assets = listOf(values.asset).map((one) => nameOf(one as Reference, assetBy))
  const areas = listOf(values.area).map((one) => nameOf(one as Reference, termBy))
  const names = [...assets, ...areas].filter((name) => name !== undefined).slice(0, most)
  return names.length === 0 ? label : `${label}: ${names.join(', ')}`
}

type By = (idOrUuid: string) => { readonly name: string } | undefined

const nameOf = ({ id, uuid, name }: Reference, by: By): string | undefined => by(id ?? uuid ?? '')?.name ?? name
