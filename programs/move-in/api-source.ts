import { isTree, type Tree } from '../../src/fields/place.ts'
import { secondsIn } from '../../src/fields/time.ts'
import { ArrivingRecords } from '../../src/records/moving/arriving-records.ts'
import { openRecords } from '../../src/records/records.ts'
import { RowFiles } from '../../src/storage/backup/export-rows.ts'
import type { Report } from '../../src/storage/report.ts'
import { compareResources } from './api-comparison.ts'
import { ApiIndex, describedFiles } from './api-index.ts'
import { apiModule, showResourcesAsKnown, unknownResources } from './api-module.ts'
import { listsIn, readApi } from './api-reader.ts'
import { apiChanges, recordFamilies, translatedRecords, translationFor } from './api-records.ts'
import { type ApiFarm, resourcesIn, type SourceResource, sourceFamilies, targetsOf } from './api-resources.ts'
import { type ArrivingAccount, finishExport, untoldAccount } from './farm-export.ts'
import type { FollowedFarm, FollowRequest, SourceReading, WriteRequest } from './source.ts'
import { openFiles, type StoredSourceFiles } from './source-files.ts'
import type { SourceServer } from './source-server.ts'
import type { WorkingDirectory } from './working-directory.ts'
import { oneLine } from './written-text.ts'

/** Reads a farmOS 2.x, 3.x or 4.x. */
export async function readApiSource(server: SourceServer, folder: string, report: Report): Promise<SourceReading> {
  const source = await readApi(server, folder, report)
  const files = openFiles(folder)
  await addUnlistedFiles(server, source)
  files.described.keep(describedFiles(source))
  const { resources } = source
  return {
    counts: [
      [resources.user.size, 'accounts'],
      [resources.taxonomy_term.size, 'terms'],
      [resources.asset.size, 'assets'],
      [resources.quantity.size, 'quantities'],
      [resources.log.size, 'logs'],
    ],
    files,
    namedFiles: namedIn(source),
    isFurrow: source.isFurrow,
    uuids: sourceFamilies.flatMap((family) => [...resourcesIn(source, family)].map(([, { id }]) => id)),
    notMoved: othersIn(source.entry),
    unknownTo: (farm) => unknownResources(farm, source),
    showAsKnown: (farm) => showResourcesAsKnown(farm, source),
    moduleFor: (farm, unknown) => apiModule(farm, source, unknown),
    write: (directory, request) => writeApiExport(directory, { source, files, request }),
    compare: async (request) =>
      compareResources({ ...request, records: await openRecords(request.installation), source, files }),
    follow: (request) => followApi(source, files, request),
  }
}

/** Families that the entry links to and that have no place here. */
export const othersIn = ({ links }: Tree): readonly string[] =>
  Object.keys(isTree(links) ? links : {}).filter((name) => /^(plan|plan_record|data_stream|organization)--/.test(name))

/** Numbers of the files that records name. */
function namedIn(source: ApiFarm): readonly number[] {
  const keys = new Map([...resourcesIn(source, 'file')].map(([key, { id }]) => [id, key]))
  return [...new Set(fileTargets(source).flatMap((id) => keys.get(id) ?? []))].sort((one, other) => one - other)
}

function fileTargets(source: ApiFarm): readonly string[] {
  const found = new Set<string>()
  for (const family of recordFamilies)
    for (const [, resource] of resourcesIn(source, family))
      for (const name of Object.keys(resource.relationships))
        for (const { type, id } of targetsOf(resource, name)) if (type === 'file--file') found.add(id)
  return [...found]
}

/** The list of files may be shorter than what records name. */
async function addUnlistedFiles(server: SourceServer, source: ApiFarm): Promise<void> {
  const known = new Set([...resourcesIn(source, 'file')].map(([, { id }]) => id))
  const list = listsIn(source.entry, server).find(({ name }) => name === 'file--file')
  if (list === undefined) return
  for (const id of fileTargets(source)) {
    if (known.has(id) || id === 'missing') continue
    const answer = await server.jsonIfAny(`${list.path}/${id}`)
    const data = isTree(answer) ? answer.data : undefined
    const number = isTree(data) && isTree(data.attributes) ? Number(data.attributes.drupal_internal__fid) : Number.NaN
    if (isTree(data) && number > 0)
      source.resources.file.keep(
        new Map([[number, { type: 'file--file', id, attributes: data.attributes, relationships: {} }]]),
      )
  }
}

interface ApiExport {
  readonly source: ApiFarm
  readonly files: StoredSourceFiles
  readonly request: WriteRequest
}

async function writeApiExport(directory: WorkingDirectory, { source, files, request }: ApiExport): Promise<void> {
  const { farm, now, note, report } = request
  const known = new ApiIndex(farm, source, { files })
  const translation = translationFor(source, known, { now, note })
  const rows = new RowFiles(directory.path)
  const records = new ArrivingRecords(rows, now, (uuid) => translation.ownColumns(uuid))
  let done = 0
  for (const record of translatedRecords(source, translation)) {
    records.add(record)
    report('records translated', ++done, 0)
  }
  for (const change of apiChanges(farm, source)) note(change)
  const texts = fileTexts(source)
  const meta = isTree(source.entry.meta) && isTree(source.entry.meta.farm) ? source.entry.meta.farm : {}
  await finishExport(
    directory,
    { rows, records },
    {
      ...request,
      files,
      standIns: known.standIns,
      vocabularies: new Map(),
      info: meta,
      fileOf: (key, described) => {
        const target = known.at(String(described.uuid))
        if (target === undefined || !known.isNamedFile(key)) return undefined
        return {
          id: target.id,
          uid: ownerOf(source, key, known),
          uuid: String(described.uuid),
          created: secondsIn(described.created) ?? now,
          texts: { alt: null, title: null, description: null, ...texts.get(String(described.uuid)) },
        }
      },
      accounts: () => accountsOf(source, known, now),
    },
  )
  directory.writeNumbers(known.changes)
}

function ownerOf(source: ApiFarm, key: number, known: ApiIndex): number {
  const resource = source.resources.file.get(key) as unknown as SourceResource | undefined
  const [owner] = resource === undefined ? [] : targetsOf(resource, 'uid')
  return owner === undefined ? 0 : (known.target(owner)?.id ?? 0)
}

const accountsOf = (source: ApiFarm, known: ApiIndex, now: number): readonly ArrivingAccount[] => [
  ...[...resourcesIn(source, 'user')].map(([, { id, attributes }]) => ({
    uid: known.at(id)?.id ?? 0,
    key: id,
    uuid: id,
    name: String(attributes.name ?? attributes.display_name ?? ''),
    created: secondsIn(attributes.created) ?? now,
    isBlocked: attributes.status === false,
  })),
  ...[...known.untoldUsers].map(([uid, uuid]) => untoldAccount(uid, { key: uuid, uuid, now })),
]

/** Alternative texts, titles and descriptions stand where a record names a file. */
function fileTexts(source: ApiFarm): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = new Map<string, Record<string, string>>()
  for (const family of recordFamilies)
    for (const [, resource] of resourcesIn(source, family))
      for (const name of Object.keys(resource.relationships))
        for (const { type, id, meta } of targetsOf(resource, name)) {
          if (type !== 'file--file') continue
          const texts = found.get(id) ?? {}
          for (const text of ['alt', 'title', 'description'])
            if (typeof meta[text] === 'string' && meta[text] !== '') texts[text] ??= meta[text]
          found.set(id, texts)
        }
  return found
}

/** A quantity without a log gets its number when it is stored. */
const unnumbered = 0

/** The farm as one that moved in earlier would store it now. */
function followApi(source: ApiFarm, files: StoredSourceFiles, request: FollowRequest): FollowedFarm {
  const { farm, now, note, byUuid, standIns } = request
  const isFree = (of: string, id: number) => of === 'quantity' || request.isFree(of as 'log', id)
  const known = new ApiIndex(farm, source, { files, given: { byUuid, standIns, isFree } })
  let descriptions: ReturnType<typeof fileTexts> | undefined
  const descriptionsOf = (uuid: string) => {
    descriptions ??= fileTexts(source)
    return descriptions.get(uuid)
  }
  const translation = translationFor(source, known, { now, note })
  return {
    *records() {
      for (const record of translatedRecords(source, translation))
        yield record.type === 'quantity' && !byUuid.has(record.uuid) ? { ...record, id: unnumbered } : record
    },
    quantityColumns: (uuid) => translation.ownColumns(uuid),
    get accounts() {
      return accountsOf(source, known, now)
    },
    fileOf: (key) => {
      const file = files.described.get(key)
      if (file === undefined) return undefined
      return {
        uid: ownerOf(source, key, known),
        uuid: String(file.uuid),
        name: oneLine(String(file.name)),
        mime: String(file.mime),
        created: secondsIn(file.created) ?? now,
        texts: { alt: null, title: null, description: null, ...descriptionsOf(String(file.uuid)) },
      }
    },
    get standIns() {
      return known.standIns
    },
    numbers: {},
    renumbered: known.changes.map(({ type, there, of, id }) => `${type} ${there} is ${of} ${id} here`),
  }
}
