import type { JSX } from 'preact'
import { pageOf } from '../../look/address-of.ts'
import { Link } from '../../look/link.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'
import { say } from './say.ts'

/** At the head of a page, for who may: the way into its form. */
export function EditLink({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  if (!mayWrite()) return null
  return (
    <Link to={`${pageOf(record)}/edit`} class="btn plain edit">
      {say('change.edit')}
    </Link>
  )
}
