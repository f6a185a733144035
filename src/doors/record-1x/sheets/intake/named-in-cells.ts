import { nameKey } from '../../../../access/names.ts'
import type { RecordTypeName } from '../../../../farm/farm.ts'
import { recordTypeNames } from '../../../../farm/fields-of.ts'
import type { ReferableType } from '../../../../fields/field.ts'
import { textKey, trimmedTextKey } from '../../../../fields/key.ts'
import { uuidIn } from '../../../../fields/uuid.ts'
import { allAccounts } from '../../../../storage/access/account-rows.ts'
import type { Snapshot } from '../../../../storage/database.ts'
import { type Identity, identitiesOf } from '../../../../storage/identity.ts'
import {
  type RecordLabel,
  recordsCalled,
  recordsNumbered,
  recordsWithValue,
} from '../../../../storage/records/record-lookup.ts'
import { wholeNumber } from '../../../http/whole-number.ts'
import { numberInName } from '../cells/named.ts'

/** The words in the cells of references, by the type of what they stand for. */
export type WordsByType = ReadonlyMap<ReferableType, ReadonlySet<string>>

/** Where the ear tags of assets are. */
export const tagField = { type: 'asset', part: 'tag', member: 'id' } as const

/** What the words may stand for, looked up for all together. */
export interface NamedInCells {
  called(type: ReferableType, word: string): readonly RecordLabel[]
  numbered(type: ReferableType, id: number): RecordLabel | undefined
  tagged(word: string): readonly RecordLabel[]
  under(uuid: string): Identity | undefined
}

/** The number that a word gives, alone or behind a name. */
export const numberIn = (word: string): number | undefined => numberInName(word)?.id ?? wholeNumber(word)

export async function lookUpWords(snapshot: Snapshot, words: WordsByType): Promise<NamedInCells> {
  const called = new Map<ReferableType, ReadonlyMap<string, readonly RecordLabel[]>>()
  const numbered = new Map<ReferableType, ReadonlyMap<number, RecordLabel>>()
  const assets = [...(words.get('asset') ?? [])]
  const tagged = await recordsWithValue(snapshot, tagPath, [...new Set(assets.map(textKey))])
  const uuids = [...words.values()].flatMap((each) => [...each].flatMap((word) => uuidIn(word) ?? []))
  for (const type of recordTypeNames) {
    const own = [...(words.get(type) ?? [])]
    if (own.length === 0) continue
    called.set(type, await recordsCalled(snapshot, type, [...new Set(own.map(trimmedTextKey))]))
    const ids = [
      ...own.flatMap((word) => numberIn(word) ?? []),
      ...(type === 'asset' ? [...tagged.values()].flat() : []),
    ]
    numbered.set(type, await recordsNumbered(snapshot, type, [...new Set(ids)]))
  }
  if (words.has('user')) {
    const accounts = (await allAccounts(snapshot)).map(({ uid, name }) => ({ id: uid, bundle: 'user', name }))
    called.set('user', new Map(accounts.map((one) => [nameKey(one.name), [one]])))
    numbered.set('user', new Map(accounts.map((one) => [one.id, one])))
  }
  const identities = await identitiesOf(snapshot, uuids)
  return {
    called: (type, word) => called.get(type)?.get(type === 'user' ? nameKey(word) : trimmedTextKey(word)) ?? [],
    numbered: (type, id) => numbered.get(type)?.get(id),
    tagged: (word) => (tagged.get(textKey(word)) ?? []).flatMap((id) => numbered.get('asset')?.get(id) ?? []),
    under: (uuid) => identities.get(uuid),
  }
}

const tagPath: { readonly type: RecordTypeName; readonly field: string } = {
  type: tagField.type,
  field: `${tagField.part}.${tagField.member}`,
}
