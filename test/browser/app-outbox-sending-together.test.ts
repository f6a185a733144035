import { beforeEach, describe, expect, test } from 'vitest'
import { openOutbox, saysInTheStrip, stored } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { deviceOf, newLog, save, waitingOn } from './app-outbox-farm.ts'

describe.each(atLeastOn('sqlite'))('%s', async (engine) => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  const other = await farm.login()
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  page.setDefaultTimeout(8000)

  beforeEach(() => {
    device.line.fate = () => 'pass'
  })

  /** Logs that both sides know. */
  async function knownLogs(...logs: readonly ReturnType<typeof newLog>[]): Promise<string[]> {
    await save(page, ...logs)
    await expect.poll(() => waitingOn(page)).toEqual([])
    return logs.map(({ uuid }) => uuid)
  }

  const changeOf = (uuid: string, fields: object) => ({ verb: 'change', type: 'log', uuid, fields }) as const
  const read = (uuid: string) => manager.read(`/log/${uuid}.json`)

  async function openWhatNeedsMe(): Promise<void> {
    await saysInTheStrip(page, /^1 needs you$/)
    await openOutbox(page)
  }

  test('deciding one field keeps merged lists of other fields, and edits made meanwhile', async () => {
    const [uuid = ''] = await knownLogs(newLog('Contested', { flags: ['review'] }))
    await device.apart(
      () => save(page, changeOf(uuid, { name: 'Mine', flags: ['review', 'monitor'] })),
      () => other.put(`/log/${uuid}`, { name: 'Hers', flags: ['review', 'priority'] }),
    )
    await openWhatNeedsMe()
    device.line.fate = ({ url = '' }) => (url.startsWith('/log.json?') ? { after: 500 } : 'pass')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => device.line.asked.filter((line) => line.includes(`uuid=${uuid}`)).length).toBeGreaterThan(1)
    await save(page, changeOf(uuid, { notes: { value: 'written meanwhile', format: 'farm_format' } }))
    await expect.poll(() => waitingOn(page)).toEqual([])
    const { name, flags, notes } = await read(uuid)
    expect({ name, flags: flags.toSorted() }).toEqual({ name: 'Mine', flags: ['monitor', 'priority', 'review'] })
    expect(notes.value).toContain('written meanwhile')
  })

  test('a conflict in a set is decided at the entry that has it', async () => {
    const [first = '', second = ''] = await knownLogs(newLog('First'), newLog('Second'))
    await device.apart(
      () => save(page, changeOf(first, { name: 'First, mine' }), changeOf(second, { name: 'Second, mine' })),
      () => other.put(`/log/${second}`, { name: 'Second, hers' }),
    )
    await openWhatNeedsMe()
    await page.getByRole('button', { name: `Keep ${other.login.name}’s` }).click()
    await expect.poll(() => waitingOn(page)).toEqual([])
    expect([(await read(first)).name, (await read(second)).name]).toEqual(['First, mine', 'Second, hers'])
  })

  test('a removed record of a set is recorded again, and the rest is sent with its photos', async () => {
    const [first = '', second = ''] = await knownLogs(newLog('Stays'), newLog('Goes'))
    await device.apart(
      () =>
        page.evaluate(`(async () => {
        const changes = ${JSON.stringify([changeOf(first, { name: 'Stays, renamed' }), changeOf(second, { name: 'Back' })])}
        const file = new File(['soil'], 'März – Наш луг.txt', { type: 'text/plain' })
        await furrow.save(changes, { photos: [{ record: '${second}', field: 'files', file }] })
      })()`),
      () => other.delete(`/log/${second}`),
    )
    await openWhatNeedsMe()
    await page.getByRole('button', { name: 'Record it again' }).click()
    await expect.poll(() => waitingOn(page)).toEqual([])
    await expect.poll(async () => (await read(second)).files).toHaveLength(1)
    expect([(await read(first)).name, (await read(second)).name]).toEqual(['Stays, renamed', 'Back'])
  })

  test('a change of lists merges with an asset archived meanwhile, without losing items', async () => {
    const id = await manager.create('farm_asset', { name: 'Harrow', type: 'equipment', flags: ['review'] })
    const uuidOf = async () => (await stored(page, 'record')).find(({ name }) => name === 'Harrow')?.uuid
    await expect.poll(uuidOf).toBeTypeOf('string')
    const uuid = (await uuidOf()) ?? ''
    await device.apart(
      () => save(page, { verb: 'change', type: 'asset', uuid, fields: { flags: ['review', 'monitor'] } }),
      () => other.put(`/farm_asset/${id}`, { archived: '1700000000' }),
    )
    await expect.poll(() => waitingOn(page)).toEqual([])
    const { flags, archived } = await manager.read(`/farm_asset/${id}.json`)
    expect({ flags: flags.toSorted(), archived }).toEqual({ flags: ['monitor', 'review'], archived: '1700000000' })
  })
})
