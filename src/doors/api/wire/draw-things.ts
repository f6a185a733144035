import { accountsByIds } from '../../../access/accounts.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { drawConfig } from '../config/draw-config.ts'
import { drawUser, stranger } from '../users/user-resource.ts'
import { drawRecords } from './drawing.ts'
import type { Reading } from './implied.ts'
import { recordsOf } from './loading.ts'
import { type Drawn, isConfig, keyOf, type Thing } from './thing.ts'

/** The resources that things are, in that order; those that are gone are left out. */
export async function drawThings(reading: Reading, things: readonly Thing[]): Promise<readonly Drawn[]> {
  const drawn = new Map<string, Drawn>()
  for (const of of ['asset', 'log', 'quantity', 'term'] satisfies readonly RecordTypeName[]) {
    const ids = things.flatMap((thing) => (thing.of === of ? [thing.id] : []))
    if (ids.length === 0) continue
    const found = await recordsOf(reading.snapshot, of, ids)
    for (const one of await drawRecords(reading, [...found.values()])) drawn.set(keyOf(one.thing), one)
  }
  for (const one of await drawUsers(reading, things)) drawn.set(keyOf(one.thing), one)
  for (const one of drawConfig(reading.installation.farm, things.filter(isConfig))) drawn.set(keyOf(one.thing), one)
  return things.flatMap((thing) => drawn.get(keyOf(thing)) ?? [])
}

/** What a user shows to nobody else is at the address of that user only. */
async function drawUsers({ snapshot }: Reading, things: readonly Thing[]): Promise<readonly Drawn[]> {
  const ids = things.flatMap((thing) => (thing.of === 'user' ? [thing.id] : []))
  if (ids.length === 0) return []
  return [...(await accountsByIds(snapshot, ids)).values()].map((account) => drawUser(stranger, account))
}
