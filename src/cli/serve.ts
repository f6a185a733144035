import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:net'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { prepareFirstRun } from '../access/first-run.ts'
import type { Installation } from '../access/installation.ts'
import { listeningAddresses } from '../access/listening-addresses.ts'
import { keepSwept } from '../access/sweeping.ts'
import { defaultSettings, type ServerSettings } from '../config.ts'
import { printable } from '../fields/text.ts'
import { unknownInFarm } from '../records/moving/consequences.ts'
import { Refusal } from '../refusal.ts'
import { type Lock, lockDataDirectory } from '../storage/disk/data-directory.ts'
import { hasFarmFile } from '../storage/disk/lost-farm.ts'
import { keepHeartbeat } from '../storage/heartbeat.ts'
import { codeOf } from '../storage/sql/errors.ts'
import { command } from './command.ts'
import type { Environment } from './environment.ts'
import { openInstallation, upgraded } from './existing-farm.ts'
import { shownResources, unservedFiles } from './served-files.ts'
import { serverOptions, settingsFrom } from './server-options.ts'
import { SystemdNotifier } from './systemd.ts'
import { say, warn } from './terminal.ts'

const whenAskedToStop = (): Promise<unknown> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  })

const heartbeatMs = 10_000

/** An unreachable database is in the log already. */
const couldNotBeat = (error: unknown) => {
  if (!(error instanceof Refusal)) warn(`This server could not note that it is at work: ${String(error)}`)
}

const listed = (names: readonly string[]): string =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`

const mostListed = 10

/** A closing server reads from open connections for this long; its answers say `Connection: close`. */
const farewellMilliseconds = 150

const isStartedByNpm = ({ npm_lifecycle_event: event }: Environment): boolean => event === 'start' || event === 'npx'

const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const hourMs = 3_600_000

/** Another server of the farm may begin or end a trial. */
const trialMs = 3_000

const couldNotSweep = (error: unknown) =>
  warn(`What has expired could not be taken away, and will be tried again: ${String(error)}`)

const patienceMilliseconds = 8_000

export const serve = command({
  words: 'serve',
  summary: 'Serve the farm over HTTP until it is told to stop',
  takes: {},
  options: serverOptions,
  async run({ options }) {
    const settings = settingsFrom(options)
    const stop = whenAskedToStop()
    // Before a farm is made: whoever typed the wrong port is left with nothing to tidy up.
    await requireFreePorts(settings)
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

async function requireFreePorts({ host, port, metricsHost, metricsPort }: ServerSettings): Promise<void> {
  await requireFreePort(host, port)
  if (metricsPort !== null) await requireFreePort(metricsHost, metricsPort)
}

async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw cannotListen(error, host, port)
  } finally {
    probe.close()
  }
}

interface LockedInstallation {
  readonly installation: Installation
  readonly lock: Lock | null
}

async function openOwned(settings: ServerSettings): Promise<LockedInstallation> {
  const open = () => openInstallation(settings, { kept: (copy) => say(upgraded(copy)) })
  if (settings.database !== null) return { installation: await open(), lock: null }
  // A new farm is made before it is locked: a lock without a farm is the trace of a lost one.
  const made = hasFarmFile(settings.data) ? null : await open()
  const lock = await lockDataDirectory(settings.data)
  return { installation: made ?? (await open()), lock }
}

async function serveUntil(stop: Promise<unknown>, installation: Installation): Promise<void> {
  // Imported only here: every other command starts faster without the HTTP library.
  const { openDoors } = await import('../doors/open-doors.ts')
  const { BackgroundMove } = await import('../../programs/move-in/background-move.ts')
  const moves = new BackgroundMove({ installation, served: { unservedFiles, shownResources } })
  const doors = await openDoors(installation, moves)
  // Must come before listening: from then on the loss of the database does not end the server.
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
  const reading = setInterval(() => void moves.readTrial().catch(() => {}), trialMs)
  const systemd = new SystemdNotifier(process.env)
  await systemd.ready(address)
  await stop
  await systemd.stopping()
  clearInterval(reading)
  await closeKindly(doors)
  await stopSweeping()
}

function welcome({ data, database }: ServerSettings, setupAddresses: readonly string[]): void {
  const command = ownCommand({ script: process.argv[1] ?? '', environment: process.env })
  // npm runs scripts in the folder of the package, and keeps the caller's folder in INIT_CWD.
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

/** The part of the HTTP server that these functions need. */
interface DoorServer {
  readonly server: Server
  listen(where: { readonly host: string; readonly port: number }): Promise<string>
  close(): PromiseLike<unknown>
  addHook(moment: 'preClose', hook: (done: () => void) => void): unknown
}

/** Returns the addresses to type into a browser, one for this machine first. */
async function listenAt(doors: DoorServer, settings: ServerSettings): Promise<readonly [string, ...string[]]> {
  const { host, port } = settings
  doors.addHook('preClose', (done) => setTimeout(done, farewellMilliseconds))
  try {
    await doors.listen({ host, port })
  } catch (error) {
    await doors.close()
    throw cannotListen(error, host, port)
  }
  return listeningAddresses(settings, portOf(doors.server))
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new Refusal('busy', `Port ${port} on ${host} is in use by another program. Choose another one with --port.`)
  }
  if (code === 'EACCES') {
    return new Refusal('forbidden', `Port ${port} needs more rights than this user has. Choose one above 1023.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal('not-found', `This machine has no address "${host}". Choose another one with --host.`)
  }
  return error
}

function portOf(server: Server): number {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

/** Stops accepting, answers requests in flight, and cuts off those that take too long. */
export async function closeKindly(doors: DoorServer): Promise<void> {
  // Without this, a connection that was busy at closing would be kept alive after its answer.
  const sweeping = setInterval(() => {
    if (!doors.server.listening) doors.server.closeIdleConnections()
  }, 50)
  const impatience = setTimeout(() => doors.server.closeAllConnections(), patienceMilliseconds)
  await doors.close()
  clearInterval(sweeping)
  clearTimeout(impatience)
  // The last log lines are written in the next turn of the event loop.
  await nextTurn()
}

interface Start {
  /** The file that Node runs, or a link to it. */
  readonly script: string
  readonly environment: Environment
}

/**
 * The command that starts this program again. `npx furrow` is right only inside the program's own folder: elsewhere npm
 * would fetch another package of that name.
 */
export function ownCommand({ script, environment }: Start): string {
  const program = realOf(script) ?? script
  if (isStartedByNpm(environment) && isInside(dirname(dirname(program)), environment.INIT_CWD)) return 'npx furrow'
  return isOnPath(program, environment) ? 'furrow' : `node ${quoted(program)}`
}

function isInside(folder: string, place: string | undefined): boolean {
  const real = place === undefined ? undefined : realOf(place)
  return real !== undefined && !/^\.\.(?:$|[/\\])/.test(relative(folder, real))
}

/** npm adds folders to PATH for its own children only; those do not count. */
function isOnPath(program: string, { PATH = '' }: Environment): boolean {
  return PATH.split(delimiter).some(
    (folder) => folder !== '' && !folder.endsWith('node_modules/.bin') && realOf(join(folder, 'furrow')) === program,
  )
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
