import { typeOnTheWire } from '../store/row.ts'
import type { Catalogue, KeptRecord, RecordType } from '../store/types.ts'
import { wholeFrom } from '../store/wire.ts'
import { answerTo } from './ask.ts'
import type { ListPage } from './pages.ts'
import { shownWith } from './shown-with.ts'

const atOnce = 100

/** Records as the server has them now, by UUID; what is not there is not among them. */
export async function readRecords(
  type: RecordType,
  uuids: readonly string[],
  catalogue: Catalogue | null,
): Promise<KeptRecord[]> {
  const found: KeptRecord[] = []
  for (let first = 0; first < uuids.length; first += atOnce) {
    const query = new URLSearchParams([
      ['with', shownWith[type]],
      ['files', 'link'],
      ['limit', String(atOnce)],
      ...uuids.slice(first, first + atOnce).map((uuid) => ['uuid', uuid] as [string, string]),
    ])
    const { body } = await answerTo<ListPage>(`/${typeOnTheWire[type]}.json?${query}`)
    found.push(...body.list.map((wire) => wholeFrom(wire, { type, catalogue })))
  }
  return found
}
