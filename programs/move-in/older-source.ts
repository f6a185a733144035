import { randomUUID } from 'node:crypto'
import type { Report } from '../../src/storage/report.ts'
import { compareFarms } from './farm-comparison.ts'
import { untoldAccount, writeExport } from './farm-export.ts'
import { moduleFor } from './generated-module.ts'
import { ReferenceIndex } from './references.ts'
import type { FollowedFarm, FollowRequest, SourceReading } from './source.ts'
import { describedInRecords, describeFiles, namedFiles, openFiles, type StoredSourceFiles } from './source-files.ts'
import { idIn, numberIn, sourceTypes } from './source-lists.ts'
import { readSource, type SourceFarm } from './source-reader.ts'
import type { SourceServer } from './source-server.ts'
import { Translation } from './translation.ts'
import { showAsKnown, unknownTo } from './unknown-types.ts'
import { findUnlistedAccounts } from './unlisted-accounts.ts'
import { oneLine } from './written-text.ts'

/** Reads a farmOS 1.x. */
export async function readOlderSource(server: SourceServer, folder: string, report: Report): Promise<SourceReading> {
  const reading = await readSource(server, folder, report)
  await findUnlistedAccounts(server, reading, report)
  const files = openFiles(folder)
  const named = namedFiles(reading)
  await describeFiles(server, named, files, report)
  const { records, users } = reading
  return {
    counts: [
      [users.size, 'accounts'],
      [records.term.size, 'terms'],
      [records.asset.size, 'assets'],
      [records.log.size, 'logs'],
    ],
    files,
    namedFiles: named,
    isFurrow: reading.from === 'Furrow',
    uuids: [],
    notMoved: [],
    unknownTo: (farm) => unknownTo(farm, reading),
    showAsKnown: (farm) => showAsKnown(farm, reading),
    moduleFor: (farm, unknown) => moduleFor(farm, reading, unknown),
    write: (directory, request) =>
      writeExport(directory, {
        ...request,
        reading,
        files,
        known: new ReferenceIndex(request.farm, reading, { files }),
      }),
    compare: (request) =>
      compareFarms({ ...request, reading, files, numbers: new Map(Object.entries(request.noted?.numbers ?? {})) }),
    follow: (request) => followOlder(reading, files, request),
  }
}

/** Numbers are kept where they are free, and given anew otherwise. */
function followOlder(reading: SourceFarm, files: StoredSourceFiles, request: FollowRequest): FollowedFarm {
  const { farm, noted, texts, now, note, standIns } = request
  const numbers = new Map(Object.entries(noted.numbers ?? {}))
  for (const [theirs, ours] of Object.entries(noted.accounts ?? {}))
    if (Number(theirs) !== ours) numbers.set(`user ${theirs}`, ours)
  renumber(reading, { request, numbers })
  const isFreeTerm = (id: number) => request.isFree('term', id)
  const known = new ReferenceIndex(farm, reading, { files, numbers, standIns, isFreeTerm })
  const translation = new Translation({ known, texts, now, note })
  let descriptions: ReadonlyMap<number, string> | undefined
  const descriptionOf = (key: number) => {
    descriptions ??= describedInRecords(reading)
    return descriptions.get(key) ?? null
  }
  const createdOf = (value: unknown) => numberIn(value) ?? now
  return {
    *records() {
      for (const type of sourceTypes)
        for (const [id, tree] of reading.records[type].all()) yield translation.record(type, id, tree)
    },
    get accounts() {
      return [
        ...[...reading.users.all()].map(([uid, { name, created, status }]) => ({
          uid: known.numberHere('user', uid),
          key: String(uid),
          uuid: randomUUID(),
          name: String(name ?? ''),
          created: createdOf(created),
          isBlocked: String(status) === '0',
        })),
        ...known.untoldUsers.map((uid) =>
          untoldAccount(known.numberHere('user', uid), { key: String(uid), uuid: randomUUID(), now }),
        ),
      ]
    },
    fileOf: (key) => {
      const file = files.described.get(key)
      if (file === undefined) return undefined
      const uid = known.numberHere('user', idIn(file.owner) ?? 0)
      return {
        uid,
        uuid: undefined,
        name: oneLine(String(file.name)),
        mime: String(file.mime),
        created: createdOf(file.timestamp),
        texts: { alt: null, title: null, description: descriptionOf(key) },
      }
    },
    quantityColumns: () => undefined,
    get standIns() {
      return known.standIns
    },
    numbers: Object.fromEntries(numbers),
    renumbered: [...numbers].flatMap(([key, id]) => {
      const type = sourceTypes.find((one) => key.startsWith(`${one} `))
      return type === undefined ? [] : [`${key} is ${type} ${id} here`]
    }),
  }
}

interface NumberAssignment {
  readonly request: FollowRequest
  readonly numbers: Map<string, number>
}

/** A record made here may have the number of a new one over there. */
function renumber(reading: SourceFarm, { request, numbers }: NumberAssignment): void {
  const lists = [
    ...sourceTypes.map((type) => [type, reading.records[type].ids] as const),
    ['user', reading.users.ids] as const,
  ]
  for (const [type, ids] of lists) {
    const taken = new Set(ids)
    let above = ids.at(-1) ?? 0
    for (const id of ids) {
      if (numbers.has(`${type} ${id}`) || request.isFree(type, id)) continue
      do above += 1
      while (taken.has(above) || !request.isFree(type, above))
      numbers.set(`${type} ${id}`, above)
      taken.add(above)
    }
  }
}
