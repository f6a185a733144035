import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { farmos, passwordGrant, Visitor, withToken } from '../farmos-server/client.ts'
import type { FarmosServer } from '../farmos-server/server.ts'
import { furrow } from './built-furrow.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences, filesThatDiffer } from './farmos/same-records.ts'

const tokenOf = async (server: FarmosServer): Promise<string> =>
  (await new Visitor(server).send('/oauth2/token', passwordGrant)).body.access_token

it('a farm without private files is read by a token as by a password', async () => {
  const source = openHillFarm()
  for (const file of source.files) file.place = 'public'
  const [server, place] = [await farmos(source), await emptyFarm()]
  const args = ['import', 'farmos', server.address, '--token-stdin']
  const outcome = await furrow(args, { env: place.env, input: await tokenOf(server) })
  expect(outcome.code, said(outcome)).toBe(0)
  const farm = await opened(place)
  expect(await differences(await withToken(server), farm.client)).toEqual([])
  expect(await filesThatDiffer(server, farm.client)).toEqual([])
  await farm.close()
})

it('a user without a role over there is told what is missing', async () => {
  const [server, place] = [await farmos(), await emptyFarm()]
  const args = ['import', 'farmos', server.address, '--user', 'olga', '--password-stdin']
  const outcome = await furrow(args, { env: place.env, input: 'olga secret' })
  expect(outcome.code, said(outcome)).toBe(1)
  expect(said(outcome)).toMatch(/role/)
})

const everyFileIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())

it('no secret is shown or written, also where the reading is kept to go on with it', async () => {
  const [server, place] = [await farmos(openHillFarm()), await emptyFarm()]
  const outcome = await moveIn(server, place, ['--dry-run'])
  expect(outcome.code, said(outcome)).toBe(0)
  const secrets = new Set(['hanna secret'])
  for (const { headers } of server.requests)
    for (const value of [headers.authorization, headers.cookie])
      if (value !== undefined) secrets.add(value.replace(/^Bearer |^\w+=/, ''))
  const written = everyFileIn(place.data).map((path) => readFileSync(path).toString('latin1'))
  expect([secrets.size, written.length > 5]).toEqual([3, true])
  for (const text of [said(outcome), ...written])
    for (const secret of secrets) expect(text.includes(secret)).toBe(false)
})
