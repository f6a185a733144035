import type { JSX } from 'preact'
import { givenIn } from '../../form/given.ts'
import { RecordForm } from '../../form/record-form.tsx'
import { say } from '../../form/say.ts'
import { fieldsOf } from '../../form/subject.ts'
import { Empty } from '../../look/empty.tsx'
import { bundleOf } from '../../look/names.ts'
import { route } from '../../look/router.ts'
import { Title } from '../../look/title.tsx'
import type { KeptRecordType } from '../../store/record.ts'
import { draftKey } from './drafts.ts'
import { FormPane } from './form-pane.tsx'
import { saveForm } from './save-form.ts'

interface AddFormProps {
  readonly type: KeptRecordType | null
  readonly bundle: string
}

/** Something new of any kind that the catalogue has. */
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
        given={givenIn(query, fieldsOf({ type, bundle }))}
        draft={draftKey()}
        onSave={(written) => saveForm(written, { type, bundle, id: written.uuid })}
      />
    </FormPane>
  )
}
