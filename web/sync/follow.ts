import { commit } from '../store/commit.ts'
import { readMeta } from '../store/meta.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import type { Catalogue } from '../store/types.ts'
import { loadInventoriesOf } from './inventories.ts'
import { assetsDue, loadAllStays, loadStaysOf, mostAssets } from './stays.ts'

/** What changes have touched without telling of it: where assets are, in which groups, and how many there are. */
export async function followChanges(copy: OpenCopy, catalogue: Catalogue): Promise<void> {
  const { database } = copy
  const { assets: due, at } = await assetsDue(copy)
  const wanted = (await readMeta(database, 'staysWanted')) ?? []
  const moved = wanted === 'all' ? [] : [...new Set([...wanted, ...due])]
  if (wanted === 'all' || moved.length > mostAssets) await loadAllStays(copy)
  else await loadStaysOf(copy, moved)
  const counted = (await readMeta(database, 'inventoriesWanted')) ?? []
  await loadInventoriesOf(copy, catalogue, counted)
  await commit(database, { meta: { staysWanted: null, inventoriesWanted: null, staysAt: at } })
}
