import { expect } from 'vitest'
import { addAccount } from '../../src/access/accounts.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { type Answer, Client } from '../harness/client.ts'
import { bindAnew, type FarmUnderTest, openFarm } from '../harness/farm.ts'
import type { Caller, Request } from './request.ts'

const accounts = [
  { name: 'ada', role: 'manager' },
  { name: 'ben', role: 'worker' },
  { name: 'cora', role: 'viewer' },
  { name: 'dora', role: null },
] as const

/** A farm that is the same whenever and wherever it is opened: at a public address, in the middle of September 2020. */
export async function openRecordedFarm(): Promise<{
  readonly farm: FarmUnderTest
  setClock(now: number): void
  answerTo(request: Request): Promise<Answer>
  /** Written, or the test fails. */
  write(requests: readonly Request[]): Promise<void>
}> {
  const farm = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
  farm.setClock(1_600_000_000)
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'name', 'Höhe & "Tal"'))
  const clients = await clientsOf(farm)
  const answerTo = ({ as, method, path, headers, body }: Request) =>
    clients[as].send(method, path, { headers, ...(body === undefined ? {} : { body }) })
  return {
    farm,
    setClock: (now) => farm.setClock(now),
    answerTo,
    write: async (requests) => {
      for (const request of requests) {
        const answer = await answerTo(request)
        expect(answer, answer.text).toMatchObject({ status: 201 })
      }
      await bindAnew(farm)
    },
  }
}

async function clientsOf(farm: FarmUnderTest): Promise<Readonly<Record<Caller, Client>>> {
  const passwordOf = (name: string) => `password of ${name}`
  for (const { name, role } of accounts) {
    const mail = `${name}@farm.example`
    await addAccount(farm.installation, { name, password: passwordOf(name), role, mail, language: 'en' })
  }
  const login = async (name: string, scope = 'user_access') =>
    new Client(farm.base, { authorization: `Bearer ${await farm.token(name, passwordOf(name), scope)}` })
  return {
    ada: await login('ada'),
    ben: await login('ben'),
    cora: await login('cora'),
    dora: await login('dora'),
    info: await login('ada', 'farm_info'),
    anonymous: farm.anonymous,
  }
}
