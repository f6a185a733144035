import type { AddressInfo } from 'node:net'
import { BackgroundMove } from '../../programs/move-in/background-move.ts'
import { addAccount } from '../../src/access/accounts.ts'
import type { Installation } from '../../src/access/installation.ts'
import { closeKindly } from '../../src/cli/serve.ts'
import { shownResources, unservedFiles } from '../../src/cli/served-files.ts'
import { wallClock } from '../../src/clock.ts'
import { defaultSettings, type ServerSettings } from '../../src/config.ts'
import { openDoors } from '../../src/doors/open-doors.ts'
import type { Farm } from '../../src/farm/farm.ts'
import type { RoleName } from '../../src/farm/people/roles.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { openRecords } from '../../src/records/records.ts'
import type { Database, Engine } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { presentBundles } from '../../src/storage/records/record-lookup.ts'
import { Client } from './client.ts'
import { bindToContract, releaseFromContract } from './contract.ts'
import { engineUnderTest, placeWithTables } from './databases.ts'
import { atEndOfFile } from './end-of-file.ts'
import { bindToResourceSchemas, releaseFromResourceSchemas } from './resource-schemas.ts'

interface FarmOptions {
  readonly engine?: Engine
  readonly place?: StoragePlace
  readonly farm?: Farm
  readonly settings?: Partial<ServerSettings>
  /** The database as the server is to know it, such as one that is slow. */
  readonly around?: (database: Database) => Database
}

/** A whole server on a socket of its own, on an empty farm, with a clock that the test can set. */
export class FarmUnderTest {
  readonly base: string
  readonly installation: Installation
  /** Every line of the request log. */
  readonly lines: string[]
  readonly #time: { now: number | null }
  readonly #close: () => Promise<void>

  constructor(
    parts: Pick<FarmUnderTest, 'base' | 'installation' | 'lines'> & {
      time: { now: number | null }
      close: () => Promise<void>
    },
  ) {
    this.base = parts.base
    this.installation = parts.installation
    this.lines = parts.lines
    this.#time = parts.time
    this.#close = parts.close
  }

  /** From here on it is that second, until the clock is set again. */
  setClock(now: number | null): void {
    this.#time.now = now
  }

  close(): Promise<void> {
    return this.#close()
  }

  get anonymous(): Client {
    return new Client(this.base, {})
  }

  /** A client with a bearer token of a new account in that role, obtained as existing clients do. */
  async login(role: RoleName | null = 'manager', scope = 'user_access'): Promise<Client> {
    const name = `${role ?? 'nobody'}-${accounts++}`
    const password = `password of ${name}`
    await addAccount(this.installation, { name, password, role, mail: `${name}@farm.example`, language: 'en' })
    const token = await this.token(name, password, scope)
    return new Client(this.base, { authorization: `Bearer ${token}` }, { name, password, token })
  }

  async token(username: string, password: string, scope: string): Promise<string> {
    const answer = await fetch(`${this.base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'farm', username, password, scope }),
    })
    const { access_token } = (await answer.json()) as { access_token?: string }
    if (access_token === undefined) throw new Error(`No token for ${username}: ${answer.status}`)
    return access_token
  }
}

let accounts = 1

/** Moving in from other servers, as `furrow serve` offers it. */
export const moveJobFor = (installation: Installation): BackgroundMove =>
  new BackgroundMove({ installation, served: { unservedFiles, shownResources } })

export async function openFarm(options: FarmOptions = {}): Promise<FarmUnderTest> {
  const place = options.place ?? (await placeWithTables(options.engine ?? engineUnderTest()))
  const time: { now: number | null } = { now: null }
  const clock = () => time.now ?? wallClock()
  const opened = await openDatabase(place, clock)
  const database = options.around?.(opened) ?? opened
  const settings = { ...defaultSettings, ...place, port: 0, ...options.settings }
  const installation: Installation = { farm: options.farm ?? stockFarm, database, clock, settings }
  const lines: string[] = []
  const app = await openDoors(installation, moveJobFor(installation), (line) => lines.push(line))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  let closed: Promise<void> | undefined
  const close = () => {
    releaseFromContract(base)
    releaseFromResourceSchemas(base)
    closed ??= closeKindly(app).then(() => database.close())
    return closed
  }
  atEndOfFile(close)
  bindToResourceSchemas(base, installation.farm)
  const farm = new FarmUnderTest({ base, installation, lines, time, close })
  await bindAnew(farm)
  return farm
}

/** From here on answers are held to what the farm says of itself now: a first record may have brought a type along. */
export async function bindAnew({ base, installation }: Pick<FarmUnderTest, 'base' | 'installation'>): Promise<void> {
  const { vocabularies } = await openRecords(installation)
  const present = await installation.database.read(presentBundles)
  bindToContract(base, { ...installation, vocabularies, present })
}
