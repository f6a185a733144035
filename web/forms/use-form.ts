import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newUuid } from '../../src/client/changes.ts'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { bundleOf } from '../look/names.ts'
import { replace, route, withQuery } from '../look/router.ts'
import { dropDraft, readDraft } from '../store/drafts.ts'
import { assetBy, catalogue, termBy } from '../store/local-copy.ts'
import type { LocalChange, NewPhoto } from '../store/outbox-entry.ts'
import type { LocalRecord, RecordFields } from '../store/record.ts'
import { now } from '../words/format.ts'
import { type FieldFault, faultsIn, listOf } from './control.ts'
import { type FormSubject, fieldsOf, valuesAtFirst } from './form-fields.ts'
import { type FormResult, formResult } from './form-result.ts'
import { draftParameter, keepTyped } from './keep-typed.ts'
import type { FormReference } from './reference.tsx'

interface FormState {
  readonly fields: CatalogueFields
  readonly draft: FormDraft
  /** An earlier draft; the form waits until the user decides. */
  readonly offer: DraftChoice | null
  readonly faults: readonly FieldFault[]
  /** Name of the record if the user gives none. */
  readonly suggestedName: string
  readonly isSaving: boolean
  readonly set: (name: string, value: unknown) => void
  /** Saves a referenced new record together with this one. */
  readonly takeAlong: (made: FormResult) => void
  /** Validates and saves; returns the first fault. */
  readonly save: () => Promise<FieldFault | undefined>
}

/** State of a form from the first letter to saving; null until drafts are looked up. */
export function useForm({ subject, given = {}, found = [], draft: key, onSave }: RecordFormProps): FormState | null {
  const { record } = subject
  const [faults, setFaults] = useState(found)
  const [isSaving, setSaving] = useState(false)
  const values = valuesAtFirst(subject, given)
  const uuid = record?.uuid ?? newUuid()
  const drafting = useFormDraft(key, { uuid, values, record, alongside: [], photos: [], at: now() })
  if (drafting === null) return null
  const { draft, offer, change, end } = drafting
  const fields = fieldsOf(subject)
  const suggestedName = suggestedFor(subject, draft)
  const keep = async (written: FormResult) => {
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
      setFaults(faults.filter((fault) => !isFaultOf(fault, name)))
    },
    takeAlong: ({ changes, photos }) =>
      change((before) => ({
        alongside: [...before.alongside, ...changes],
        photos: [...before.photos, ...photos],
      })),
    save: async () => {
      const writing = { subject: { ...subject, record: draft.record }, fields, uuid: draft.uuid }
      const namedValues = named(draft, suggestedName)
      const outcome = formResult(
        { ...writing, values: namedValues },
        { now: now(), lists: catalogue.value?.lists ?? {} },
      )
      setFaults(outcome.faults ?? [])
      if (outcome.written !== null) await keep(outcome.written)
      return outcome.faults?.[0]
    },
  }
}

export const isFaultOf = ({ at }: FieldFault, name: string): boolean => faultsIn([{ at, words: '' }], name).length > 0

/** Only logs get a composed name; assets have names of their own. */
function suggestedFor(subject: FormSubject, { values }: FormDraft): string {
  const isNewLog = subject.type === 'log' && subject.record === null
  return isNewLog ? composedName(bundleOf(subject)?.label ?? '', values) : ''
}

function named({ values }: FormDraft, suggestedName: string): FormDraft['values'] {
  const isNameless = String(values.name ?? '').trim() === ''
  return isNameless && suggestedName !== '' ? { ...values, name: suggestedName } : values
}

const most = 3

/** Name for a log without one: "Harvest: Leek, Bed 3". */
function composedName(label: string, values: RecordFields): string {
  const assets = listOf(values.asset).map((one) => nameOf(one as FormReference, assetBy))
  const areas = listOf(values.area).map((one) => nameOf(one as FormReference, termBy))
  const names = [...assets, ...areas].filter((name) => name !== undefined).slice(0, most)
  return names.length === 0 ? label : `${label}: ${names.join(', ')}`
}

type By = (idOrUuid: string) => { readonly name: string } | undefined

const nameOf = ({ id, uuid, name }: FormReference, by: By): string | undefined => by(id ?? uuid ?? '')?.name ?? name

export interface RecordFormProps {
  readonly subject: FormSubject
  /** Prefilled values. */
  readonly given?: RecordFields
  /** Key of the drafts; null for a form inside another, whose draft includes it. */
  readonly draft: string | null
  /** Faults reported by the server, by field. */
  readonly found?: readonly FieldFault[]
  readonly onSave: (written: FormResult) => Promise<void>
  /** Read-only content. */
  readonly children?: ComponentChildren
}

/** Draft: everything needed to continue later. */
export interface FormDraft {
  /** UUID of the new record, so that saving twice creates one. */
  readonly uuid: string
  readonly values: RecordFields
  /** The record as read when editing began. */
  readonly record: LocalRecord | null
  /** New records created for references. */
  readonly alongside: readonly LocalChange[]
  readonly photos: readonly NewPhoto[]
  /** Seconds: last change. */
  readonly at: number
}

interface FormDraftState {
  readonly draft: FormDraft
  /** Earlier draft, until the user continues or drops it. */
  readonly offer: DraftChoice | null
  readonly change: (change: (before: FormDraft) => Partial<FormDraft>) => void
  readonly end: () => Promise<void>
}

export interface DraftChoice {
  readonly found: FormDraft
  readonly goOn: () => void
  readonly startNew: () => void
}

/** Stores each change under a key. Offers an earlier draft unless the address asks for it; null while looking it up. */
function useFormDraft(key: string | null, atFirst: FormDraft): FormDraftState | null {
  const first = useRef(atFirst)
  const [draft, setDraft] = useState<FormDraft | null>(key === null ? atFirst : null)
  // Two changes may happen before the next render.
  const latest = useRef<FormDraft | null>(null)
  const [found, setFound] = useState<FormDraft | null>(null)
  useEffect(() => {
    if (key === null) return
    readDraft<FormDraft>(key).then((kept) => {
      const isResumed = kept !== undefined && route.peek().query.has(draftParameter)
      setFound(isResumed ? null : (kept ?? null))
      setDraft(isResumed ? kept : first.current)
    })
  }, [key])
  if (draft === null) return null
  const change: FormDraftState['change'] = (changed) => {
    const before = latest.current ?? draft
    const next = { ...before, ...changed(before), at: now() }
    latest.current = next
    setDraft(next)
    if (key === null) return
    void keepTyped(key, next)
    resume()
  }
  const choose = (chosen: FormDraft) => {
    latest.current = chosen
    setDraft(chosen)
    setFound(null)
  }
  return {
    draft,
    offer: found && {
      found,
      goOn: () => {
        choose(found)
        resume()
      },
      startNew: () => {
        choose(first.current)
        if (key !== null) void dropDraft(key)
      },
    },
    change,
    end: async () => {
      if (key !== null) await dropDraft(key)
    },
  }
}

/** A reload of the page now restores the draft. */
function resume(): void {
  if (!route.peek().query.has(draftParameter)) replace(withQuery({ [draftParameter]: '1' }))
}
