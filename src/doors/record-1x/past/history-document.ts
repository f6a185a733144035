import { resourceNames } from '../../../farm/resource-names.ts'
import { type Revision, type RevisionsAsked, revisionsOf } from '../../../records/past/revisions.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { type ChangedFields, changedFields } from './changed-fields.ts'
import { spellerOfThePast } from './speller-of-the-past.ts'
import { whoOf } from './who.ts'

interface Asked extends RevisionsAsked {
  readonly installation: Records
  readonly base: string
}

/** What became of a record, in the words of the record interface. */
export async function historyDocument(snapshot: Snapshot, { installation, base, ...asked }: Asked) {
  const { uuid, revisions, next } = await revisionsOf(snapshot, asked)
  const fields = revisions.map(({ change }) => change && changedFields(installation, change))
  const speller = await spellerOfThePast(snapshot, fields, { base, trash: asked.trash })
  return {
    type: resourceNames[asked.type],
    id: String(asked.id),
    uuid,
    revisions: revisions.map((revision, index) => revisionOf(revision, fields[index]?.(speller) ?? null)),
    next,
  }
}

const revisionOf = ({ revision, verb, at, who, client, request, set }: Revision, fields: ChangedFields | null) => ({
  revision,
  verb,
  at: String(at),
  who: who && whoOf(who),
  client,
  request,
  set,
  fields,
})
