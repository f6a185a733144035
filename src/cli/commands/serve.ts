import { resolve } from 'node:path'
import { prepareFirstRun } from '../../access/first-run.ts'
import type { Installation } from '../../access/installation.ts'
import { keepSwept } from '../../access/sweeping.ts'
import { defaultSettings, type Settings } from '../../config.ts'
import { unknownInFarm } from '../../records/moving/consequences.ts'
import { Refusal } from '../../refusal.ts'
import { type Lock, lockDataDirectory } from '../../storage/disk/data-directory.ts'
import { hasFarmFile } from '../../storage/disk/lost-farm.ts'
import { keepHeartbeat } from '../../storage/heartbeat.ts'
import { command } from '../command.ts'
import { printable } from '../farmos/printable.ts'
import { openInstallation, upgraded } from '../open-installation.ts'
import { ownCommand } from '../own-command.ts'
import { closeKindly, listenAt, whenAskedToStop } from '../server-life.ts'
import { serverOptions, settingsFrom } from '../server-options.ts'
import { say, warn } from '../terminal.ts'

export const serve = command({
  words: 'serve',
  summary: 'Serve the farm over HTTP until it is told to stop',
  takes: {},
  options: serverOptions,
  async run({ options }) {
    const settings = settingsFrom(options)
    const stop = whenAskedToStop()
    const { installation, lock } = await openOwned(settings)
    try {
      const endHeartbeat = await keepHeartbeat(installation.database, {
        everyMs: heartbeatMs,
        whenFailed: couldNotBeat,
      })
      await serveUntil(stop, installation).finally(endHeartbeat)
    } finally {
      await installation.database.close()
      lock?.release()
    }
    say('Furrow has stopped.')
  },
})

interface Owned {
  readonly installation: Installation
  readonly lock: Lock | null
}

async function openOwned(settings: Settings): Promise<Owned> {
  const open = () => openInstallation(settings, { kept: (copy) => say(upgraded(copy)) })
  if (settings.database !== null) return { installation: await open(), lock: null }
  // A new farm is made before it is locked: a lock without a farm is the trace of one that is lost.
  const made = hasFarmFile(settings.data) ? null : await open()
  const lock = await lockDataDirectory(settings.data)
  return { installation: made ?? (await open()), lock }
}

async function serveUntil(stop: Promise<unknown>, installation: Installation): Promise<void> {
  // Loaded only here: every other command starts faster without the HTTP library.
  const { openDoors } = await import('../../doors/open-doors.ts')
  const doors = await openDoors(installation)
  // Before it listens: from then on a database that goes away ends no server.
  const setupPath = await prepareFirstRun(installation)
  const unknown = await installation.database.read((snapshot) => unknownInFarm(snapshot, installation.farm))
  if (unknown.length > 0)
    warn(
      `The farm has records of a module that was not given: ${printable(listed(unknown))}. Such fields are kept, but not shown. Give the module with --module FILE.`,
    )
  const [address, ...others] = await listenAt(doors, installation.settings)
  const { baseUrl } = installation.settings
  say(
    `Furrow listens at ${address}${baseUrl === null ? '' : ` and is known as ${baseUrl}`}`,
    ...others.map((other) => `  and at ${other}`),
  )
  const bases = baseUrl === null ? [address, ...others] : [baseUrl]
  if (setupPath !== null)
    welcome(
      installation.settings,
      bases.map((base) => base + setupPath),
    )
  const stopSweeping = keepSwept(installation, { everyMs: hourMs, whenFailed: couldNotSweep })
  await stop
  await closeKindly(doors)
  await stopSweeping()
}

const mostListed = 10

const listed = (names: readonly string[]): string =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`

const hourMs = 3_600_000

const heartbeatMs = 10_000

/** That the database cannot be reached is in the log already. */
const couldNotBeat = (error: unknown) => {
  if (!(error instanceof Refusal)) warn(`This server could not note that it is at work: ${String(error)}`)
}

const couldNotSweep = (error: unknown) =>
  warn(`What has expired could not be taken away, and will be tried again: ${String(error)}`)

function welcome({ data, database }: Settings, setupAddresses: readonly string[]): void {
  const command = ownCommand({ script: process.argv[1] ?? '', environment: process.env })
  // npm runs its scripts in the folder of the package, wherever it was called.
  const isAsTyped = (process.env.INIT_CWD ?? process.cwd()) === process.cwd()
  const shown = isAsTyped ? data : resolve(data)
  const place = database === null && shown !== defaultSettings.data ? ` --data '${shown}'` : ''
  // The address itself may hold a password.
  const same = database === null ? '' : ', with FURROW_DATABASE set to the address that this server was given,'
  say(
    '',
    `There is no account yet. Create the first one${same} with`,
    '',
    `  ${command} user add NAME --role manager${place}`,
    '',
    `or in a browser at ${setupAddresses.length === 1 ? 'this address, which works' : 'one of these addresses, which work'} once:`,
    '',
    ...setupAddresses.map((address) => `  ${address}`),
    '',
  )
}
