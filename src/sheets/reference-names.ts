import { accountsByIds } from '../access/accounts.ts'
import type { Fields, ReferableType } from '../fields/field.ts'
import type { PartValue, Value } from '../fields/value.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordNames } from '../storage/records/record-lookup.ts'
import type { KnownName } from './cells.ts'

/** Names cached at a time. */
const mostNames = 50_000

type ById = Map<number, KnownName>

/** Names that the rows of a sheet refer to, on one snapshot. */
export class ReferenceNames {
  readonly #snapshot: Snapshot
  readonly #known = new Map<ReferableType, ById>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  of(type: ReferableType, id: number): KnownName | undefined {
    return this.#known.get(type)?.get(id)
  }

  async learn(wanted: References): Promise<void> {
    for (const [type, ids] of wanted) {
      const known = this.#knownOf(type)
      const missing = [...ids].filter((id) => !known.has(id))
      for (const [id, name] of await namesOf(this.#snapshot, type, missing)) known.set(id, name)
    }
  }

  #knownOf(type: ReferableType): ById {
    const before = this.#known.get(type)
    if (before !== undefined && before.size < mostNames) return before
    const fresh: ById = new Map()
    this.#known.set(type, fresh)
    return fresh
  }
}

async function namesOf(
  snapshot: Snapshot,
  type: ReferableType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, KnownName>> {
  if (ids.length === 0 || type === 'vocabulary') return new Map()
  if (type !== 'user') return recordNames(snapshot, type, ids)
  const accounts = await accountsByIds(snapshot, ids)
  return new Map([...accounts].map(([uid, { name }]) => [uid, { name, isShared: false }]))
}

/** Referenced ids by type. */
type References = Map<ReferableType, Set<number>>

type AnyValues = Readonly<Record<string, Value | undefined>>

/** Ids that records refer to: other records, and files. */
export interface NamedIds {
  readonly references: References
  readonly files: Set<number>
}

/** Collects the ids in these values, also inside parts. */
export function noteNamed(named: NamedIds, fields: Fields, values: AnyValues): void {
  for (const name in values) {
    const [field, value] = [fields[name], values[name]]
    if (field === undefined || value === undefined) continue
    const each = Array.isArray(value) ? (value as readonly Value[]) : [value]
    if (field.kind === 'part') for (const part of each) noteNamed(named, field.fields, part as PartValue)
    else if (field.kind === 'reference') for (const id of each) idsIn(named.references, field.to).add(Number(id))
    else if (field.kind === 'attachment') for (const id of each) named.files.add(Number(id))
  }
}

function idsIn(references: References, type: ReferableType): Set<number> {
  const ids = references.get(type) ?? new Set()
  references.set(type, ids)
  return ids
}
