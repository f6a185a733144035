import type { JSX } from 'preact'
import { say } from '../../form/say.ts'
import { typeOfBundle } from '../../form/subject.ts'
import { Empty } from '../../look/empty.tsx'
import { match, route } from '../../look/router.ts'
import { Title } from '../../look/title.tsx'
import { mayWrite } from '../../store/rights.ts'
import { AddForm } from './add-form.tsx'
import { EditForm } from './edit-form.tsx'
import { FormPane } from './form-pane.tsx'
import { KindsToAdd } from './kinds-to-add.tsx'
import { type Listed, typeListedAs } from './listed.ts'

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
