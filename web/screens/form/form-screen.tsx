import type { ComponentChildren, JSX } from 'preact'
import { animalBundle } from '../../../src/farm/bundle-names.ts'
import { form } from '../../../src/words/en/form.ts'
import { record } from '../../../src/words/en/record.ts'
import type { FieldFault } from '../../forms/control.ts'
import { fieldsOf, typeOfBundle, valuesInQuery } from '../../forms/form-fields.ts'
import type { FormResult } from '../../forms/form-result.ts'
import { RecordForm } from '../../forms/record-form.tsx'
import { lastShown } from '../../look/desk.ts'
import { Link, pageOf } from '../../look/link.tsx'
import { bundleOf } from '../../look/names.ts'
import { Empty, Loading, Pane, Title, useUp } from '../../look/page.tsx'
import { arriving, match, replace, route } from '../../look/router.ts'
import { whyReadOnly } from '../../look/strip.tsx'
import { offerUndo, showToast, whyOf } from '../../look/undo.tsx'
import { assetBy, mayWrite } from '../../store/local-copy.ts'
import { outbox } from '../../store/outbox.ts'
import { isOnlyAName, type LocalRecord, type LocalRecordType } from '../../store/record.ts'
import { groupsOf, placesOf } from '../../store/stays.ts'
import { save } from '../../sync/save.ts'
import { addWords, say } from '../../words/say.ts'
import { type Fact, Facts, factOf, fieldValue } from '../record/facts.tsx'
import { OneRecord } from '../record/one-record.tsx'
import { draftKey } from './drafts.ts'
import { KindsToAdd, type PageType, typeOfPage } from './kinds-to-add.tsx'

addWords(form, record)

/** Form of the address: an existing record, a new one, or the choice of a type. */
export function FormScreen(): JSX.Element {
  if (!mayWrite())
    return (
      <FormPane label={say('form.read-only-title')}>
        <Empty text={whyReadOnly()}>
          <Title text={say('form.read-only-title')} class="out" />
        </Empty>
      </FormPane>
    )
  const { path } = route.value
  const edited = match('/:as/:id/edit', path)
  if (edited !== null) return <EditForm key={path} as={edited.as as PageType} id={edited.id ?? ''} />
  const [as = '', named] = path.split('/').slice(2).map(decodeURIComponent)
  const listed = as as PageType
  if (named === undefined && typeOfPage[listed] !== undefined) return <KindsToAdd as={listed} />
  const type = named === undefined ? typeOfBundle(as) : typeOfPage[listed]
  return <AddForm key={path} type={type ?? null} bundle={named ?? as} />
}

interface EditFormProps {
  readonly as: PageType
  readonly id: string
}

/** Edits a record; shows the server's faults if it waits for the user. */
export function EditForm({ as, id }: EditFormProps): JSX.Element {
  return (
    <FormPane label={say('form.edit')}>
      <OneRecord
        type={typeOfPage[as]}
        id={id}
        show={(record) => (
          <>
            <Title text={say('form.edit-named', { name: record.name })} class="title">
              <bdi>{record.name}</bdi>
            </Title>
            {isOnlyAName(record) ? <Loading /> : <Editing record={record} key={record.uuid} />}
          </>
        )}
      />
    </FormPane>
  )
}

function Editing({ record }: { readonly record: LocalRecord }): JSX.Element {
  const { type, bundle, uuid } = record
  return (
    <RecordForm
      subject={{ type, bundle, record }}
      draft={draftKey()}
      found={faultsOf(uuid)}
      onSave={(written) => saveForm(written, record)}
    >
      <ComputedFacts record={record} />
      {bundle === animalBundle && (
        <p>
          <Link to={`/add/animals/into?asset=${record.id}`} class="btn">
            {say('asset.herd', { herds: herdNames(record) })}
          </Link>
        </p>
      )}
    </RecordForm>
  )
}

const herdNames = ({ id }: LocalRecord): string =>
  groupsOf(id)
    .flatMap(({ place }) => assetBy(place ?? '')?.name ?? [])
    .join(', ') || say('asset.no-herd')

function faultsOf(uuid: string): readonly FieldFault[] {
  const needing = outbox.value.filter(({ record, state }) => record === uuid && state === 'needs-you')
  return needing.flatMap(({ problem }) =>
    (problem?.errors ?? []).map(({ field, message }) => ({ at: field, words: message })),
  )
}

/** Computed fields, with a link to the log that decides them; never editable. */
export function ComputedFacts({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const facts = record.type === 'asset' ? factsOfAsset(record) : []
  if (facts.length === 0) return null
  return (
    <section class="from-logs">
      <h2 class="sub">{say('form.from-logs')}</h2>
      <Facts facts={facts} />
      <Link to={`${pageOf(record)}?show=why`} class="because tap">
        {say('form.why')}
      </Link>
    </section>
  )
}

function factsOfAsset(asset: LocalRecord): readonly Fact[] {
  const fields = bundleOf(asset)?.fields ?? {}
  const values: Readonly<Record<string, unknown>> = {
    location: placesOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    group: groupsOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    inventory: asset.fields.inventory === '0' ? undefined : asset.fields.inventory,
  }
  return Object.entries(fields).flatMap(([name, field]) =>
    field.computed === undefined ? [] : factOf(field.label, fieldValue(values[name], field)),
  )
}

interface AddFormProps {
  readonly type: LocalRecordType | null
  readonly bundle: string
}

/** Creates a record of any bundle. */
export function AddForm({ type, bundle }: AddFormProps): JSX.Element {
  const known = type === null ? undefined : bundleOf({ type, bundle })
  if (type === null || known === undefined)
    return (
      <FormPane label={say('form.add-title')}>
        <Title text={say('form.add-title')} class="out" />
        <Empty text={say('form.no-kind')} />
      </FormPane>
    )
  const { query } = route.value
  const title = say('form.new', { kind: known.label })
  return (
    <FormPane label={say('form.add')}>
      <Title text={title} class="title" />
      <RecordForm
        subject={{ type, bundle, record: null }}
        given={valuesInQuery(query, fieldsOf({ type, bundle }))}
        draft={draftKey()}
        onSave={(written) => saveForm(written, { type, bundle, id: written.uuid })}
      />
    </FormPane>
  )
}

interface FormPaneProps {
  /** Label in the strip, beside Close. */
  readonly label: string
  readonly children: ComponentChildren
}

export function FormPane({ label, children }: FormPaneProps): JSX.Element {
  useUp({ to: lastShown.value, label, icon: 'close' })
  return (
    <Pane name="form">
      <div class="read">{children}</div>
    </Pane>
  )
}

/** Saves and shows the record; Back skips the form. */
export async function saveForm(written: FormResult, of: Pick<LocalRecord, 'type' | 'bundle' | 'id'>): Promise<void> {
  const { changes, photos, name } = written
  if (changes.length + photos.length > 0) {
    try {
      const saved = await save(changes, { photos })
      offerUndo([saved], say('form.saved', { name }))
    } catch (fault) {
      showToast(say('form.not-saved', { why: whyOf(fault) }))
      throw fault
    }
  }
  arriving.value = true
  replace(pageOf(of))
}
