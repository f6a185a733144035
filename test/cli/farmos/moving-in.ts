import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../../src/storage/database.ts'
import type { Farm } from '../../farmos-server/data/farm.ts'
import { hillFarm, manager } from '../../farmos-server/farms/hill-farm.ts'
import type { FarmosServer } from '../../farmos-server/server.ts'
import { Client } from '../../harness/client.ts'
import { emptyPlace } from '../../harness/databases.ts'
import { furrow, type Outcome, serve } from '../built-furrow.ts'

/** A farm here that nobody has recorded anything in; it has an account for those who look at it afterwards. */
export interface EmptyFarm {
  readonly env: Readonly<Record<string, string>>
  readonly data: string
}

/** The Hill Farm, which tells of all its accounts: nothing of it has to be changed here. */
export const openHillFarm = (): Farm => ({ ...hillFarm(), tellsOfBlockedAccounts: true })

const ada = { name: 'ada', password: 'green fields 42' }

export async function emptyFarm(engine: Engine = 'sqlite'): Promise<EmptyFarm> {
  const place = await emptyPlace(engine)
  const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
  const added = await furrow(['user', 'add', ada.name, '--role', 'manager', '--password-stdin'], {
    env,
    input: ada.password,
  })
  if (added.code !== 0) throw new Error(added.stderr)
  return { env, data: place.data }
}

/** What both streams say. */
export const said = ({ stdout, stderr }: Outcome): string => stdout + stderr

/** `furrow import farmos` with the password of the manager over there. */
export const moveIn = (server: FarmosServer, { env }: EmptyFarm, args: readonly string[] = []): Promise<Outcome> =>
  furrow(['import', 'farmos', server.address, '--user', manager.name, '--password-stdin', ...args], {
    env,
    input: manager.password,
  })

/** What the command has listed, on the screen and in the file that it names. */
export const listedBy = (outcome: Outcome, { data }: EmptyFarm): string =>
  readdirSync(data)
    .filter((name) => name.endsWith('-report.txt'))
    .map((name) => readFileSync(join(data, name), 'utf8'))
    .join('') + said(outcome)

export interface OpenedFarm {
  readonly client: Client
  close(): Promise<void>
}

/** The farm as it is served, to somebody who may read all of it. */
export async function opened({ env }: EmptyFarm, args: readonly string[] = []): Promise<OpenedFarm> {
  const server = await serve(args, { env })
  const body = { grant_type: 'password', client_id: 'farm', username: ada.name, password: ada.password }
  const answer = await fetch(`${server.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
  const { access_token } = (await answer.json()) as { access_token: string }
  const client = new Client(server.address, { authorization: `Bearer ${access_token}` })
  return { client, close: async () => void (await server.stop()) }
}
