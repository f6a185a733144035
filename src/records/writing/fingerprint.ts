import { createHash } from 'node:crypto'
import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Draft, Drafts, FileDraft, ReferenceDraft } from '../../fields/value.ts'
import { fingerprint as hashOf } from '../../storage/file-rows.ts'
import { unsetColumns } from '../../storage/records/stored.ts'
import { isLeftToDefault, type RecordDraft } from './draft.ts'
import { type NamedByUuid, numberUnder } from './named-by-uuid.ts'

interface Asked {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly draft: RecordDraft
  /** What its writer may say of who wrote it and when. */
  readonly attribution: { readonly created?: number; readonly uid?: number }
}

/** The same for drafts that ask for the same record, however each of its values was spelled. */
export function fingerprintOf({ type, bundle, draft, attribution }: Asked, named: NamedByUuid): string {
  const { created = null, uid = null } = attribution
  const asked = [
    bundle,
    membersOf({ ...unsetColumns[type], ...draft.drafts } as Drafts, named),
    isLeftToDefault(type, draft),
    [created, uid],
    ...(draft.quantities === undefined ? [] : [draft.quantities]),
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

/** In one order. A no is the absence of a yes. */
const membersOf = (drafts: Drafts, named: NamedByUuid): readonly unknown[] =>
  Object.keys(drafts)
    .toSorted()
    .flatMap((name) => {
      const draft = drafts[name]
      return draft === undefined || draft === false ? [] : [[name, plain(draft, named)]]
    })

function plain(draft: Draft, named: NamedByUuid): unknown {
  if (Array.isArray(draft)) return listed(draft, named)
  if (typeof draft !== 'object') return draft
  if ('ref' in draft) return referred(draft, named)
  if ('file' in draft) return filed(draft, named)
  return 'part' in draft ? membersOf(draft.part, named) : membersOf(draft as unknown as Drafts, named)
}

/** To refer to the same thing twice says no more than once. */
function listed(drafts: readonly Draft[], named: NamedByUuid): readonly unknown[] {
  const all = drafts.map((one) => JSON.stringify(plain(one, named)))
  const [first] = drafts
  return typeof first === 'object' && 'ref' in first ? [...new Set(all)] : all
}

function referred(draft: ReferenceDraft, named: NamedByUuid): unknown {
  if (draft.ref === 'name') return { name: trimmedTextKey(draft.name) }
  return { id: draft.ref === 'id' ? draft.id : numberUnder(named, draft.uuid) }
}

function filed(draft: FileDraft, named: NamedByUuid): unknown {
  if (draft.file === 'new') return { mime: draft.mime, sha256: hashOf(draft.bytes) }
  if (draft.file === 'uuid') return { id: numberUnder(named, draft.uuid) }
  return { id: draft.id, ...(draft.texts === undefined ? {} : { texts: draft.texts }) }
}
