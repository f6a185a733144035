import type { RecordTypeName } from '../farm/farm.ts'
import { allTypeNames } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { openRecords } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { identitiesOf } from '../storage/identity.ts'
import { recordHistory } from '../wire-1x/record-history.ts'
import { command, existingFarmOptions, Misuse } from './command.ts'
import { inExistingFarm } from './existing-farm.ts'
import { flag, oneOrElse } from './option.ts'
import { wholeNumber } from './option-values.ts'
import { sayJson, sayTable, timeOf } from './terminal.ts'

export const history = command({
  words: 'history',
  summary: 'Tell what became of a record: who changed what of it and when, newest first',
  takes: { TYPE: 'log, asset, term or quantity', ID: 'Its number or its UUID' },
  options: {
    limit: oneOrElse('N', wholeNumber(1, 10_000), { help: 'At most so many revisions', fallback: '50' }),
    json: flag({ help: 'As JSON, for programs: each field before and after' }),
    ...existingFarmOptions,
  },
  async run({ names: { TYPE, ID }, options: { limit, json, ...farm } }) {
    const type = typeNamed(TYPE)
    const found = await inExistingFarm(farm, async (installation) => {
      const records = await openRecords(installation)
      return records.database.read(async (snapshot) => {
        const id = await numberOf(snapshot, type, ID)
        return recordHistory(snapshot, { installation: records, base: '', type, id, limit, trash: 'shown' })
      })
    })
    if (json) return sayJson(found)
    sayTable(
      ['REVISION', 'TIME', 'USER', 'WHAT', 'FIELDS', 'SET'],
      found.revisions.map(({ revision, at, who, verb, fields, set }) => [
        String(revision),
        timeOf(Number(at)),
        who?.name ?? '-',
        verb,
        fields === null ? '-' : Object.keys(fields).join(' ') || '-',
        set ?? '-',
      ]),
    )
  },
})

function typeNamed(word: string): RecordTypeName {
  const type = allTypeNames.find((name) => name === word || resourceNames[name] === word)
  if (type === undefined) throw new Misuse(`TYPE ${JSON.stringify(word)}: takes one of ${allTypeNames.join(', ')}`)
  return type
}

async function numberOf(snapshot: Snapshot, type: RecordTypeName, word: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word)
  const uuid = word.toLowerCase()
  const identity = (await identitiesOf(snapshot, [uuid])).get(uuid)
  if (identity?.type === type) return identity.number
  throw new Refusal('not-found', `There is no ${type} ${word}.`)
}
