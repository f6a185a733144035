import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { printable } from '../../src/fields/text.ts'
import { openRecords, type Records } from '../../src/records/records.ts'
import { Refusal } from '../../src/refusal.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { makeDirectory } from '../../src/storage/disk/data-directory.ts'
import { FarmsDiffer } from './findings.ts'
import { FollowRun } from './following.ts'
import { withoutSlash } from './http-client.ts'
import { compareReading, type MoveHost, type MoveOptions, readFarm } from './move-in.ts'
import type { SourceReading } from './source.ts'
import { sourceServerAt } from './source-server.ts'
import { type NotedReading, readingNotedIn } from './target-farm.ts'
import { refuseUnknown } from './unknown-types.ts'
import { directoryFor } from './working-directory.ts'

interface FollowOptions extends MoveOptions {
  /** Records whose question is answered: `log 12`. */
  readonly takeTheirs: readonly string[]
  readonly keepOurs: readonly string[]
  /** The last time: compares everything and ends the following. */
  readonly last: boolean
}

/** Brings changes of the other server into a farm that moved in earlier and may be in use. */
export async function follow(url: URL, options: FollowOptions, host: MoveHost): Promise<void> {
  const server = await sourceServerAt(url, await host.askForCredentials(), options.spoken)
  const path = `${directoryFor({ data: options.place.data, url: withoutSlash(url) })}-follow`
  await host.inFarm(async (installation) => {
    const records = await openRecords(installation)
    const noted = await notedIn(records, withoutSlash(url))
    makeDirectory(path)
    const folder = join(path, 'read')
    makeDirectory(folder)
    const reading = await readFarm(server, folder, host)
    refuseUnknown(reading.unknownTo(records.farm), 'Give the modules that declare them with --module.')
    const following = new FollowRun({ records, reading, answers: options, noted })
    await host.withProgress((report) => following.bringFiles(server, { folder: join(path, 'blobs'), report }))
    const questions = await following.run()
    host.say(...following.summary)
    for (const { about, sentence, sides } of questions)
      host.say('', printable(`${about} ${sentence}`), ...sides.map((side) => printable(`  ${side}`)))
    if (questions.length > 0)
      throw new FarmsDiffer(
        `${questions.length} ${questions.length === 1 ? 'record was' : 'records were'} changed on both sides and stay as they are here. ` +
          'Decide with --theirs "log 12" or --ours "log 12", several by commas, or --theirs all.',
      )
    if (options.last) await finishFollowing({ following, reading, path, host, options, records })
    else host.say('This farm is up to date with the other one. Follow again as often as you like; end with --last.')
  })
}

async function notedIn(records: Records, url: string): Promise<NotedReading> {
  const noted = readingNotedIn(await records.database.read((snapshot) => rowsOf(snapshot, 'setting')))
  if (noted?.sets === undefined || (noted.url ?? url) !== url)
    throw new Refusal('conflict', `This farm did not move in from ${url}. Move in first, without --follow.`)
  if (noted.switched)
    throw new Refusal('conflict', 'The last following is over, and people work here now. Nothing was changed.')
  return noted
}

interface LastRun {
  readonly following: FollowRun
  readonly reading: SourceReading
  readonly path: string
  readonly host: MoveHost
  readonly options: MoveOptions
  readonly records: Records
}

/** Compares every record once more, and notes that this farm follows no longer. */
async function finishFollowing({ following, reading, path, host, options, records }: LastRun): Promise<void> {
  const findings = await compareReading({ installation: records, reading, options, host })
  const strange = findings.filter(
    ({ why }) => why === 'not here' || why === 'says something else' || why === 'is not here',
  )
  if (strange.length > 0) {
    host.say(...strange.slice(0, 20).map(({ sentence }) => `  ${sentence}.`))
    throw new Refusal('conflict', `${strange.length} things differ from the other server. The following goes on.`)
  }
  await following.end()
  rmSync(path, { recursive: true, force: true })
  host.say(
    'Every record of the other server is here as it is there. The switch is done: from now on record only here.',
    'Let the old address lead to this farm, and tell phones and scripts the new one.',
  )
}
