import { isDeepStrictEqual } from 'node:util'
import type { Farm } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Values } from '../../fields/value.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { waitsAgain } from '../quantities/dropped-quantity.ts'
import { type NamedReference, namedIn } from './named-records.ts'
import { asConflict, cannotComeBack } from './restore.ts'
import { standingOf } from './standing.ts'
import { storeChange } from './storing.ts'
import type { WriteContext } from './write-context.ts'

/**
 * Lets a record say again what it said at an earlier revision, with all that no door shows, as a part of a transaction. Whether that
 * makes a circle is asked by the caller, once all that come back together are there.
 */
export async function putBack(work: WriteContext, before: StoredRecord, values: Values): Promise<StoredRecord> {
  const { installation, tx, set } = work
  if (isDeepStrictEqual(values, before.values)) return before
  const after = { ...before, values, changed: installation.clock(), revision: before.revision + 1 }
  const unknown = unknownAmongChanges(installation.farm, before, values)
  if (unknown !== null) throw cannotComeBack(before, [unknown], 'Install the module first.')
  const { inTrash, gone } = await standingOf(work, newlyNamed(installation.farm, before, values))
  const faults = [
    ...inTrash.map(({ field, to, id, identity }) => ({
      field,
      message: `${to} ${id} lies in the trash, under ${identity.uuid}; restore it first`,
    })),
    ...gone.map(({ field, to, id }) => ({ field, message: `${to} ${id} is gone for good` })),
  ]
  if (faults.length > 0) throw cannotComeBack(before, faults, 'Change it by hand instead.')
  await asConflict(before, () => storeChange(tx, installation.farm, { before, after, set, fate: waitsAgain }))
  return after
}

/** References of a record. */
export const namedBy = (farm: Farm, { type, bundle, values }: StoredRecord): readonly NamedReference[] =>
  namedIn(fieldsOfBundle(farm.records[type], bundle), values)

/** References in those values that the record does not have now. */
export function newlyNamed(farm: Farm, record: StoredRecord, values: Values): readonly NamedReference[] {
  const named = new Set(namedBy(farm, record).map(({ to, id }) => `${to} ${id}`))
  return namedBy(farm, { ...record, values }).filter(({ to, id }) => !named.has(`${to} ${id}`))
}

/** Unknown fields may contain references, so they stay as they are. */
export function unknownAmongChanges(farm: Farm, before: StoredRecord, values: Values) {
  const { type, bundle } = before
  const fields = fieldsOfBundle(farm.records[type], bundle)
  const names = [...new Set([...Object.keys(before.values), ...Object.keys(values)])]
  const isStrange = (name: string) =>
    !Object.hasOwn(fields, name) && !isDeepStrictEqual(before.values[name], values[name])
  const field = Object.hasOwn(farm.records[type].bundles, bundle)
    ? names.find(isStrange)
    : farm.records[type].bundleName
  return field === undefined ? null : { field, message: `no installed module knows ${bundle}, or this field of it` }
}
