import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CatalogueField } from '../../src/doors/app/documents.ts'
import { Chip } from '../look/chip.tsx'
import { Mark } from '../look/mark.tsx'
import { bundlesOf, labelOf } from '../look/names.ts'
import { Loading } from '../look/page.tsx'
import { ModalSheet } from '../look/sheet.tsx'
import { assets, logs, terms } from '../store/local-copy.ts'
import { clock, dayAndClock, daysBetween, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { type FieldFault, faultsIn, listOf } from './control.ts'
import { FieldInput } from './field.tsx'
import { isEmpty, wktOfPoint } from './field-value.ts'
import { type FormSubject, fieldsUsedIn, orderOf } from './form-fields.ts'
import type { FormResult } from './form-result.ts'
import { OriginOffer } from './origin-offer.tsx'
import { NewRecord, type NewRecordRequest } from './reference.tsx'
import { momentOf, secondsOf } from './time-controls.tsx'
import { type DraftChoice, isFaultOf, type RecordFormProps, useForm } from './use-form.ts'

/** Form of any record: required fields, fields this farm uses, and all others behind a tap. */
export function RecordForm(props: RecordFormProps): JSX.Element {
  const used = useUsedFields(props.subject)
  const form = useForm(props)
  const [request, setRequest] = useState<NewRecordRequest | null>(null)
  const element = useRef<HTMLFormElement>(null)
  if (form === null || used === null) return <Loading />
  const { fields, draft, offer, faults, suggestedName, isSaving, set, takeAlong, save } = form
  if (offer !== null) return <DraftOffer offer={offer} />
  const { first, more } = orderOf(fields, used)
  const input = (name: string) => {
    const field = fields[name]
    const isNamed = name === 'name' && suggestedName !== ''
    return (
      field !== undefined && (
        <FieldInput
          key={name}
          name={name}
          field={isNamed ? optional(field) : field}
          hint={isNamed ? suggestedName : undefined}
          times={name !== 'timestamp' ? 'day' : draft.values.done === '0' ? 'plan' : 'past'}
          value={draft.values[name]}
          faults={faultsIn(faults, name)}
          onChange={(value) => set(name, value)}
        />
      )
    )
  }
  const ofCamera = (name: string) =>
    name === 'images' &&
    'timestamp' in fields && (
      <OriginOffer
        key="origin"
        photos={listOf(draft.values.images).filter((one) => one instanceof Blob)}
        at={secondsOf(momentOf(draft.values.timestamp) ?? 'now', now())}
        isPlaceSaid={() => !('geofield' in fields) || !isEmpty(draft.values.geofield)}
        onUse={({ at, point }) => {
          if (at !== null) set('timestamp', String(at))
          if (point !== null) set('geofield', [{ geom: wktOfPoint(point) }])
        }}
      />
    )
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!isSaving) showFault(element.current, await save())
  }
  return (
    <NewRecord.Provider value={setRequest}>
      <form ref={element} class="form" noValidate onSubmit={submit}>
        {first.map((name) => [input(name), ofCamera(name)])}
        {props.children}
        {more.length > 0 && (
          <details class="disclosure" open={more.some((name) => faults.some((fault) => isFaultOf(fault, name)))}>
            <summary>{say('form.more-fields')}</summary>
            {more.map((name) => [input(name), ofCamera(name)])}
          </details>
        )}
        <Foot count={faults.length} isSaving={isSaving} />
      </form>
      {request !== null && (
        <NewInPlace
          request={request}
          Form={RecordForm}
          onClose={() => setRequest(null)}
          onMade={(made) => {
            takeAlong(made)
            request.onMade({ uuid: made.uuid, name: made.name })
            setRequest(null)
          }}
        />
      )}
    </NewRecord.Provider>
  )
}

function optional({ required: _required, ...field }: CatalogueField): CatalogueField {
  return field
}

/** Focuses the field with the first fault. */
function showFault(form: HTMLFormElement | null, fault: FieldFault | undefined): void {
  const name = /^[^.[]+/.exec(fault?.at ?? '')?.[0]
  if (name === undefined) return
  requestAnimationFrame(() => {
    const field = form?.querySelector(`[data-field="${name}"]`)
    field?.querySelector<HTMLElement>('[aria-invalid], input, textarea, select, button')?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}

function Foot({ count, isSaving }: { readonly count: number; readonly isSaving: boolean }): JSX.Element {
  return (
    <div class="form-foot">
      {count > 0 && (
        <p class="fault" role="alert">
          {say('form.look-again', { count })}
        </p>
      )}
      <button type="submit" class="btn main-do fill" disabled={isSaving}>
        {say('form.save')}
      </button>
    </div>
  )
}

/** Offers a draft: "Begun 22:40: Mend the gate". It fills the form only after a tap. */
function DraftOffer({ offer: { found, goOn, startNew } }: { readonly offer: DraftChoice }): JSX.Element {
  const { at, values } = found
  const when = daysBetween(at, now()) === 0 ? clock(at) : dayAndClock(at)
  return (
    <div class="banner ask begun">
      <Mark kind="waiting" />
      <bdi>{say('form.draft', { when, what: String(values.name ?? '') || say('form.nameless') })}</bdi>
      <button type="button" class="btn plain far" onClick={goOn}>
        {say('form.go-on')}
      </button>
      <button type="button" class="btn plain" onClick={startNew}>
        {say('form.start-new')}
      </button>
    </div>
  )
}

const enough = 200

/** Fields used by this farm's records of the bundle, and by this record; null while loading. */
function useUsedFields({ type, bundle, record }: FormSubject): ReadonlySet<string> | null {
  const [used, setUsed] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    let isWanted = true
    recordsOf({ type, bundle }).then((records) => {
      if (isWanted) setUsed(fieldsUsedIn(record === null ? records : [...records, record]))
    })
    return () => {
      isWanted = false
    }
  }, [type, bundle])
  return used
}

async function recordsOf({ type, bundle }: Pick<FormSubject, 'type' | 'bundle'>) {
  if (type === 'log') return logs({ bundles: [bundle], limit: enough })
  const all = type === 'asset' ? assets.value : terms.value
  return [...all.values()].filter((record) => record.bundle === bundle)
}

interface NewInPlaceProps {
  readonly request: NewRecordRequest
  readonly Form: (props: RecordFormProps) => JSX.Element
  readonly onMade: (written: FormResult) => void
  readonly onClose: () => void
}

/** Form for a new referenced record on top of the first form; both are saved together. */
function NewInPlace({ request: { of, name }, Form, onMade, onClose }: NewInPlaceProps): JSX.Element {
  const { type, bundles = bundlesOf(type).map(({ bundle }) => bundle) } = of
  const [bundle, setBundle] = useState(bundles.length === 1 ? bundles[0] : undefined)
  return (
    <ModalSheet title={say('form.new-named', { name })} onClose={onClose}>
      {bundle === undefined ? (
        <div class="options">
          {bundles.map((one) => (
            <Chip key={one} onPress={() => setBundle(one)}>
              {labelOf({ type, bundle: one })}
            </Chip>
          ))}
        </div>
      ) : (
        <Form
          subject={{ type, bundle, record: null }}
          given={{ name }}
          draft={null}
          onSave={async (written) => onMade(written)}
        />
      )}
    </ModalSheet>
  )
}
