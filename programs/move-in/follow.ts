import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { printable } from '../../src/fields/text.ts'
import { openRecords, type Records } from '../../src/records/records.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { Refusal } from '../../src/refusal.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { makeDirectory } from '../../src/storage/disk/data-directory.ts'
import { FarmsDiffer, type MoveFinding } from './findings.ts'
import { shortened } from './follow-state.ts'
import { type FollowAnswers, type FollowQuestion, FollowRun } from './following.ts'
import { withoutSlash } from './http-client.ts'
import { compareReading, type MoveHost, type MoveOptions, readFarm, textsOf } from './move-in.ts'
import type { SourceReading } from './source.ts'
import { type SourceServer, sourceServerAt } from './source-server.ts'
import { type NotedReading, readingNotedIn } from './target-farm.ts'
import { refuseUnknown } from './unknown-types.ts'
import { directoryFor } from './working-directory.ts'

interface FollowOptions extends MoveOptions, FollowAnswers {
  /** The last time: compares everything and ends the following. */
  readonly last: boolean
}

/** Brings changes of the other server into a farm that moved in earlier and may be in use. */
export async function follow(url: URL, options: FollowOptions, host: MoveHost): Promise<void> {
  const server = await sourceServerAt(url, await host.askForCredentials(), options)
  const path = followDirectory(options.place.data, withoutSlash(url))
  await host.inFarm(async (installation) => {
    const records = await openRecords(installation)
    const noted = await notedIn(records, withoutSlash(url))
    if (noted === undefined)
      throw new Refusal(
        'conflict',
        `This farm did not move in from ${withoutSlash(url)}. Move in first, without --follow.`,
      )
    const reading = await readChanges(server, path, host)
    refuseUnknown(reading.unknownTo(records.farm), 'Give the modules that declare them with --module.')
    const followed = await bringChanges({ server, path, records, reading, noted, answers: options, host })
    const { created, updated, removed } = followed.following.counts
    host.say(`From the other server: ${created} new, ${updated} changed, ${removed} removed.`)
    for (const { about, name, sentence, sides } of followed.questions)
      host.say(
        '',
        printable(`${about}${name === '' ? '' : ` (${name})`} ${sentence}`),
        ...sides.map(({ field, there, here }) => printable(`  ${field}: ${shown(there)} there, ${shown(here)} here`)),
      )
    if (followed.questions.length > 0)
      throw new FarmsDiffer(
        `${followed.questions.length} ${followed.questions.length === 1 ? 'record was' : 'records were'} changed on both sides and stay as they are here. ` +
          'Decide with --theirs "log 12" or --ours "log 12", several by commas, or --theirs all.',
      )
    if (!options.last)
      return host.say('This farm is up to date with the other one. Follow again as often as you like; end with --last.')
    const strange = missingHere(await compareReading({ installation: records, reading, options, host }))
    if (strange.length > 0) {
      host.say(...strange.slice(0, 20).map(({ sentence }) => `  ${sentence}.`))
      throw new Refusal('conflict', `${strange.length} things differ from the other server. The following goes on.`)
    }
    await followed.following.end()
    rmSync(path, { recursive: true, force: true })
    host.say(
      'Every record of the other server is here as it is there. The switch is done: from now on record only here.',
      'Let the old address lead to this farm, and tell phones and scripts the new one.',
    )
  })
}

/** References as their numbers. */
const shown = (value: unknown): string =>
  shortened(
    JSON.stringify(value, (_, inside) => inside?.id ?? inside),
    80,
  )

/** The directory of what was read for following. */
export const followDirectory = (data: string, url: string): string => `${directoryFor({ data, url })}-follow`

/** The note of a farm that moved in from there; undefined for a farm that did not. */
export async function notedIn(records: Records, url: string): Promise<NotedReading | undefined> {
  const noted = readingNotedIn(await records.database.read((snapshot) => rowsOf(snapshot, 'setting')))
  if (noted?.sets === undefined || (noted.url ?? url) !== url) return undefined
  if (noted.switched)
    throw new Refusal('conflict', 'The last following is over, and people work here now. Nothing was changed.')
  return noted
}

/** The note of a farm in use that nothing has come into yet. */
export const firstNote = (reading: SourceReading, { url, now }: { url: string; now: number }): NotedReading => ({
  id: newUuid(now),
  url,
  notes: textsOf(reading, { notes: 'text' }),
  sets: [],
  accounts: {},
  numbers: {},
  lastFile: 0,
})

/** Reads the other server, or brings an earlier reading up to date. */
export function readChanges(
  server: SourceServer,
  path: string,
  host: Pick<MoveHost, 'withProgress'>,
): Promise<SourceReading> {
  makeDirectory(path)
  const folder = join(path, 'read')
  makeDirectory(folder)
  return readFarm(server, folder, host)
}

interface ChangesToBring {
  readonly server: SourceServer
  readonly path: string
  readonly records: Records
  readonly reading: SourceReading
  readonly noted: NotedReading
  readonly answers: FollowAnswers
  readonly host: Pick<MoveHost, 'withProgress' | 'ready'>
}

interface BroughtChanges {
  readonly following: FollowRun
  readonly questions: readonly FollowQuestion[]
}

/** Writes what was read into a farm in use. */
export const bringChanges = ({ server, path, host, ...input }: ChangesToBring): Promise<BroughtChanges> =>
  host.withProgress(async (report) => {
    const following = new FollowRun({ ...input, report, ready: host.ready ?? (async () => {}) })
    await following.makeRoom()
    await following.bringFiles(server, { folder: join(path, 'blobs'), report })
    return { following, questions: await following.run() }
  })

/** Findings that stand against the switch. */
export const missingHere = (findings: readonly MoveFinding[]): readonly MoveFinding[] =>
  findings.filter(({ why }) => why === 'not here' || why === 'says something else' || why === 'is not here')
