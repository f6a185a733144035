import type { JSX } from 'preact'
import type { Fault } from '../../form/control.ts'
import { RecordForm } from '../../form/record-form.tsx'
import { say } from '../../form/say.ts'
import { typeOfBundle } from '../../form/subject.ts'
import { pageOf } from '../../look/address-of.ts'
import { Empty } from '../../look/empty.tsx'
import { Link } from '../../look/link.tsx'
import { Loading } from '../../look/loading.tsx'
import { bundleOf } from '../../look/names.ts'
import { match, route } from '../../look/router.ts'
import { Title } from '../../look/title.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { outbox } from '../../store/outbox.ts'
import { isOnlyAName, type KeptRecord } from '../../store/record.ts'
import { groupsOf, placesOf } from '../../store/stays.ts'

import { type Fact, Facts, factOf } from '../record/facts.tsx'
import { OneRecord } from '../record/one-record.tsx'
import { shown } from '../record/shown.tsx'
import { AddForm } from './add-form.tsx'
import { draftKey } from './drafts.ts'
import { FormPane } from './form-pane.tsx'
import { KindsToAdd } from './kinds-to-add.tsx'
import { type Listed, typeListedAs } from './listed.ts'
import { saveForm } from './save-form.ts'

/** The form that an address means: of a record that is there, of a new one, or the choice of what it is to be. */
export function FormScreen(): JSX.Element {
  if (!mayWrite())
    return (
      <FormPane label={say('form.read-only-title')}>
        <Empty text={say('form.read-only')}>
          <Title text={say('form.read-only-title')} class="out" />
        </Empty>
      </FormPane>
    )
  const { path } = route.value
  const edited = match('/:as/:id/edit', path)
  if (edited !== null) return <EditForm key={path} as={edited.as as Listed} id={edited.id ?? ''} />
  const [as = '', named] = path.split('/').slice(2).map(decodeURIComponent)
  const listed = as as Listed
  if (named === undefined && typeListedAs[listed] !== undefined) return <KindsToAdd as={listed} />
  const type = named === undefined ? typeOfBundle(as) : typeListedAs[listed]
  return <AddForm key={path} type={type ?? null} bundle={named ?? as} />
}

interface EditFormProps {
  readonly as: Listed
  readonly id: string
}

/** A record that is there, with what the server found wrong with it if it waits for a person. */
export function EditForm({ as, id }: EditFormProps): JSX.Element {
  return (
    <FormPane label={say('form.edit')}>
      <OneRecord
        type={typeListedAs[as]}
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

function Editing({ record }: { readonly record: KeptRecord }): JSX.Element {
  const { type, bundle, uuid } = record
  return (
    <RecordForm
      subject={{ type, bundle, record }}
      draft={draftKey()}
      found={faultsOf(uuid)}
      onSave={(written) => saveForm(written, record)}
    >
      <ComputedFacts record={record} />
    </RecordForm>
  )
}

function faultsOf(uuid: string): readonly Fault[] {
  const needing = outbox.value.filter(({ record, state }) => record === uuid && state === 'needs-you')
  return needing.flatMap(({ problem }) =>
    (problem?.errors ?? []).map(({ field, message }) => ({ at: field, words: message })),
  )
}

/** What follows from logs is shown with the way to the reason, and never asked for. */
export function ComputedFacts({ record }: { readonly record: KeptRecord }): JSX.Element | null {
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

function factsOfAsset(asset: KeptRecord): readonly Fact[] {
  const fields = bundleOf(asset)?.fields ?? {}
  const values: Readonly<Record<string, unknown>> = {
    location: placesOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    group: groupsOf(asset.id).flatMap(({ place }) => (place === null ? [] : [{ id: place }])),
    inventory: asset.fields.inventory === '0' ? undefined : asset.fields.inventory,
  }
  return Object.entries(fields).flatMap(([name, field]) =>
    field.computed === undefined ? [] : factOf(field.label, shown(values[name], field)),
  )
}
