import type { RecordType } from '../../../farm/farm.ts'
import { isBlank, shown, type Tree } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import type { RecordDraft } from '../../../records/writing/draft.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { vocabularyIn } from './new-record.ts'
import { bodyTree, draftOf, type Intake } from './record-draft.ts'

/** The body of a PUT as what it asks for of a record. */
export function changeIn(intake: Intake, body: unknown): (before: StoredRecord) => RecordDraft {
  const tree = bodyTree(body)
  return (before) => {
    const type = intake.farm.records[before.type]
    const draft = draftOf(intake, { type, bundle: before.bundle, tree, before: before.values })
    refuseOtherIdentity(intake, draft, { type, tree, before })
    return draft
  }
}

interface Identity {
  readonly type: RecordType
  readonly tree: Tree
  readonly before: StoredRecord
}

function refuseOtherIdentity(intake: Intake, draft: RecordDraft, { type, tree, before }: Identity): void {
  for (const name of new Set([type.idName, 'id'])) {
    const given = tree[name]
    if (isBlank(given) || wholeNumber(given) === before.id) continue
    draft.placeOf(name).fault(`cannot be changed from ${before.id} to ${shown(given)}`)
  }
  if (!isBlank(tree.uuid) && uuidIn(tree.uuid) !== before.uuid) {
    draft.placeOf('uuid').fault(`cannot be changed from ${before.uuid} to ${shown(tree.uuid)}`)
  }
  const given = tree[type.bundleName]
  if (isBlank(given)) return
  const bundle = type.bundleName === 'vocabulary' ? vocabularyIn(intake, given) : given
  if (bundle !== before.bundle) {
    draft.placeOf(type.bundleName).fault(`cannot be changed from ${before.bundle} to ${shown(given)}`)
  }
}
