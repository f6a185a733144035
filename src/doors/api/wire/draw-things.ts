import { accountsByIds } from '../../../access/accounts.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { filesSeenBy } from '../../../storage/file-rows.ts'
import { drawConfig } from '../config/draw-config.ts'
import { drawFile } from '../files/file-resource.ts'
import { drawUser, stranger } from '../users/user-resource.ts'
import { drawRecords } from './drawing.ts'
import type { ReadContext } from './implied.ts'
import { recordsOf } from './loading.ts'
import { type Drawn, isConfig, keyOf, type NumberedThing, type Thing } from './thing.ts'

/** The resources that things are, in that order; those that are gone are left out. */
export async function drawThings(reading: ReadContext, things: readonly Thing[]): Promise<readonly Drawn[]> {
  const words = things.filter(isConfig)
  const drawn = new Map(drawConfig(reading.installation.farm, words).map((one) => [keyOf(one.thing), one]))
  for (const [of, ids] of numbersOf(things)) {
    for (const one of await drawers[of](reading, ids)) drawn.set(keyOf(one.thing), one)
  }
  return things.flatMap((thing) => drawn.get(keyOf(thing)) ?? [])
}

type Numbered = NumberedThing['of']
type Drawer = (reading: ReadContext, ids: readonly number[]) => Promise<readonly Drawn[]>

function numbersOf(things: readonly Thing[]): ReadonlyMap<Numbered, readonly number[]> {
  const numbers = new Map<Numbered, number[]>()
  for (const thing of things) {
    if (thing.of === 'config') continue
    const ids = numbers.get(thing.of)
    if (ids === undefined) numbers.set(thing.of, [thing.id])
    else ids.push(thing.id)
  }
  return numbers
}

const recordsAs =
  (of: RecordTypeName): Drawer =>
  async (reading, ids) =>
    drawRecords(reading, [...(await recordsOf(reading.snapshot, of, ids)).values()])

const drawers: Readonly<Record<Numbered, Drawer>> = {
  asset: recordsAs('asset'),
  log: recordsAs('log'),
  quantity: recordsAs('quantity'),
  term: recordsAs('term'),
  // What a user shows to nobody else is at the address of that user only.
  user: async ({ snapshot }, ids) =>
    [...(await accountsByIds(snapshot, ids)).values()].map((account) => drawUser(stranger, account)),
  file: async ({ snapshot, caller }, ids) => [...(await filesSeenBy(snapshot, ids, caller.uid)).values()].map(drawFile),
}
