import type { JSX } from 'preact'
import type { Fault } from '../../form/control.ts'
import { RecordForm } from '../../form/record-form.tsx'
import { say } from '../../form/say.ts'
import { Loading } from '../../look/loading.tsx'
import { Title } from '../../look/title.tsx'
import { outbox } from '../../store/outbox.ts'
import { isOnlyAName } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { OneRecord } from '../record/one-record.tsx'
import { ComputedFacts } from './computed-facts.tsx'
import { draftKey } from './drafts.ts'
import { FormPane } from './form-pane.tsx'
import { type Listed, typeListedAs } from './listed.ts'
import { saveForm } from './save-form.ts'

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
