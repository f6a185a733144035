import { commit } from '../store/commit.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import { typeOnTheWire } from '../store/row.ts'
import type { Catalogue } from '../store/types.ts'
import { keptFrom } from '../store/wire.ts'
import { answerTo } from './ask.ts'
import type { ListPage } from './pages.ts'

const assetsAtOnce = 100

export async function loadInventoriesOf(
  copy: OpenCopy,
  catalogue: Catalogue,
  assets: readonly string[],
): Promise<void> {
  for (let first = 0; first < assets.length; first += assetsAtOnce) {
    const some = assets.slice(first, first + assetsAtOnce)
    const query = new URLSearchParams([
      ['with', 'uuid,version,inventory'],
      ['files', 'link'],
      ['limit', String(assetsAtOnce)],
      ...some.map((id) => ['id', id] as [string, string]),
    ])
    const { body } = await answerTo<ListPage>(`/${typeOnTheWire.asset}.json?${query}`)
    // Nothing left to count is told as null, and what is kept of it without being told stays.
    const told = body.list.map((wire) => ({ ...wire, inventory: wire.inventory ?? '0' }))
    await commit(copy.database, { kept: told.map((wire) => keptFrom(wire, { type: 'asset', catalogue })) })
  }
}
